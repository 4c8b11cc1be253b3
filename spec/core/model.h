/* A slow model of the float formats, in long double, from the formula of their definition. */
#ifndef ND_SPEC_MODEL_H
#define ND_SPEC_MODEL_H

#include <math.h>
#include <stdint.h>

/* 'top' is the largest finite code, 'over' what overflow becomes. */
typedef struct {
  const char *name;
  int exp_bits, man_bits;
  uint64_t top, over;
} model_format;

static const model_format model_f16 = {"f16", 5, 10, 0x7bff, 0x7c00};
static const model_format model_bf16 = {"bf16", 8, 7, 0x7f7f, 0x7f80};
static const model_format model_f8e4m3 = {"f8e4m3", 4, 3, 0x7e, 0x7e};
static const model_format model_f8e5m2 = {"f8e5m2", 5, 2, 0x7b, 0x7c};
static const model_format model_f32 = {"f32", 8, 23, 0x7f7fffff, 0x7f800000};
static const model_format model_f64 = {"f64", 11, 52, 0x7fefffffffffffff, 0x7ff0000000000000};

static inline uint64_t model_sign(const model_format *f) {
  return UINT64_C(1) << (f->exp_bits + f->man_bits);
}

/* A finite code without sign; one past 'top' gives what would come next if the format went on. */
static inline long double model_finite(const model_format *f, uint64_t code) {
  const int bias = (1 << (f->exp_bits - 1)) - 1, exp = (int)(code >> f->man_bits);
  const uint64_t one = UINT64_C(1) << f->man_bits, man = code & (one - 1);
  if (exp == 0) return ldexpl((long double)man, 1 - bias - f->man_bits);
  return ldexpl((long double)(one + man), exp - bias - f->man_bits);
}

static inline long double model_decode(const model_format *f, uint64_t code) {
  const uint64_t mag = code & (model_sign(f) - 1);
  long double value = model_finite(f, mag);
  if (mag > f->top) value = mag == f->over ? (long double)INFINITY : (long double)NAN;
  return code & model_sign(f) ? -value : value;
}

/* Of the two codes around |x| the nearer, of equally near ones the even. Codes grow with their
 * values, which half_spec establishes, so that halving finds them. 'x' is not NaN. */
static inline uint64_t model_encode(const model_format *f, long double x) {
  const uint64_t sign = signbit(x) ? model_sign(f) : 0;
  const long double mag = fabsl(x);
  uint64_t low = 0, past = f->top + 1;
  while (past - low > 1) {
    const uint64_t middle = low + (past - low) / 2;
    if (model_finite(f, middle) <= mag) low = middle;
    else past = middle;
  }
  const long double half = (model_finite(f, low) + model_finite(f, past)) / 2;
  const uint64_t code = mag > half || (mag == half && (low & 1)) ? past : low;
  return sign | (code > f->top ? f->over : code);
}

#endif
