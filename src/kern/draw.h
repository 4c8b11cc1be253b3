/* Distributions of which a number may take several tries: one number after the other. */
#ifndef ND_KERN_DRAW_H
#define ND_KERN_DRAW_H

#include "base/philox.h"
#include "kern/floats.h"

/* The blocks of one element: the n-th, from 0, has the counter (element, call_number + n 2^48). The
 * first of them are at 'ready', NDI_DRAW_CHUNK further from one to the next. */
enum { NDI_DRAW_CHUNK = 64, NDI_DRAW_READY = 4 };

typedef struct {
  uint64_t seed, call_number, element;
  const uint64_t *upper, *lower; /* of the blocks that are ready */
  uint64_t ready, used;
} ndi_source;

/* Parameters that are out of range, or NaN, give any number, soon.
 *
 * 'last' has what was computed for the parameters of the number before, where they are the same;
 * zeroed at first. */
typedef struct {
  double k, d, c;
} ndi_gamma;

typedef struct {
  double mean, root, a, b, inverse, inner, none;
} ndi_poisson;

typedef struct {
  double n, p, odds, none, top, rests, a, b, inner, alpha;
} ndi_binomial;

/* The gamma distribution with 'k' >= 0 and scale 1. */
double ndi_draw_gamma(ndi_source *s, double k, ndi_gamma *last);
/* a and b above 0 */
double ndi_draw_beta(ndi_source *s, double a, double b, ndi_gamma last[2]);
/* 'mean' from 0 to 2^62 */
double ndi_draw_poisson(ndi_source *s, double mean, ndi_poisson *last);
/* 'n' a whole number up to 2^53, p within 0 … 1 */
double ndi_draw_binomial(ndi_source *s, double n, double p, ndi_binomial *last);

/* The upper 53 bits as a multiple of 2^-53 in [0, 1), and in (0, 1]: a double holds them all, so
 * nothing is rounded. In two parts, as integers of 64 bits are converted one by one. */
static inline double ndi_unit(uint64_t bits) {
  const double high = ndm_from_bits_f64(0x4330000000000000 | bits >> 32) - 0x1p52;
  const double low = ndm_from_bits_f64(0x4330000000000000 | (bits >> 11 & 0x1fffff)) - 0x1p52;
  return high * 0x1p-32 + low * 0x1p-53;
}
static inline double ndi_open_unit(uint64_t bits) { return ndi_unit(bits) + 0x1p-53; }

#endif
