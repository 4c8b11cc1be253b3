/* Sums and products of two floats without loss, as a pair hi + lo (Dekker, A Floating-Point
 * Technique for Extending the Available Precision, 1971; Knuth's sum of two). What a product lacks
 * is exact, whether it comes of a fused product, where the processor has one, or of Dekker's: so
 * the pairs are the same on every processor. */
#ifndef ND_KERN_PAIRS_H
#define ND_KERN_PAIRS_H

#include "kern/floats.h"

typedef struct {
  double hi, lo;
} ndm_pair;

/* a + b */
static inline ndm_pair ndm_sum(double a, double b) {
  const double sum = a + b, back = sum - a;
  const ndm_pair v = {sum, (a - (sum - back)) + (b - back)};
  return v;
}

/* a + b, where |a| >= |b| or a is 0 */
static inline ndm_pair ndm_quick_sum(double a, double b) {
  const double sum = a + b;
  const ndm_pair v = {sum, b - (sum - a)};
  return v;
}

/* The upper 26 bits of a; what is left has 27. */
static inline double ndm_upper(double a) {
  return ndm_from_bits_f64(ndm_bits_f64(a) & 0xfffffffff8000000);
}

/* a b, where neither it nor its lower half leaves the range of normal numbers */
static inline ndm_pair ndm_product(double a, double b) {
  const double product = a * b;
#if defined __FMA__ || defined __aarch64__ || defined __CUDACC_RTC__
  const ndm_pair v = {product, fma(a, b, -product)};
#else /* of a rounded to 26 bits; what is left has 26, and a sign */
  const double ah = ndm_from_bits_f64((ndm_bits_f64(a) + 0x4000000) & 0xfffffffff8000000);
  const double bh = ndm_from_bits_f64((ndm_bits_f64(b) + 0x4000000) & 0xfffffffff8000000);
  const double al = a - ah, bl = b - bh;
  const ndm_pair v = {product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
#endif
  return v;
}

/* (a.hi + a.lo) / (b.hi + b.lo), to some 100 bits of the first quotient's error */
static inline ndm_pair ndm_quotient(ndm_pair a, ndm_pair b) {
  const double by = 1 / b.hi, q = a.hi * by;
  const ndm_pair back = ndm_product(q, b.hi);
  const double rest = (((a.hi - back.hi) - back.lo) + a.lo) - q * b.lo;
  return ndm_quick_sum(q, rest * by);
}

/* sqrt(a.hi + a.lo), of positive normal numbers */
static inline ndm_pair ndm_root(ndm_pair a) {
  const double root = sqrt(a.hi);
  const ndm_pair back = ndm_product(root, root);
  return ndm_quick_sum(root, (((a.hi - back.hi) - back.lo) + a.lo) / (2 * root));
}

#endif
