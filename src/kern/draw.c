/* Gamma, beta, Poisson and binomial numbers: kern/random.h names the algorithms. */
#include "kern/draw.h"

#include <math.h>

#include "kern/exp.h"
#include "kern/log.h"
#include "kern/trig.h"

static nd_philox_block next_block(ndi_source *s) {
  const uint64_t n = s->used++, at = n * NDI_DRAW_CHUNK;
  if (n < s->ready) return (nd_philox_block){s->upper[at], s->lower[at]};
  return nd_philox(s->seed, s->element, s->call_number | n << 48);
}

/* {=== gamma and beta ===} */

static double draw_normal(ndi_source *s) {
  const nd_philox_block b = next_block(s);
  const double turn = 0x1.921fb54442d18p2 * ndi_unit(b.lower);
  return sqrt(-2 * ndm_log_f64(ndi_open_unit(b.upper))) * ndm_cos_f64(turn);
}

/* For k of 1 or more. */
static double draw_large_gamma(ndi_source *s, double k, ndi_gamma *last) {
  if (k != last->k) *last = (ndi_gamma){k, k - 1 / 3.0, 1 / sqrt(9 * k - 3)};
  for (;;) {
    const double x = draw_normal(s), root = 1 + last->c * x, v = root * root * root;
    if (v <= 0) continue;
    const double u = ndi_open_unit(next_block(s).upper), x2 = x * x;
    if (u < 1 - 0.0331 * x2 * x2 || ndm_log_f64(u) < 0.5 * x2 + last->d * (1 - v + ndm_log_f64(v)))
      return last->d * v;
  }
}

/* Its logarithm, which does not underflow where k is small: a number of k + 1 times u^(1 / k). */
static double draw_log_gamma(ndi_source *s, double k, ndi_gamma *last) {
  if (k >= 1) return ndm_log_f64(draw_large_gamma(s, k, last));
  const double least = k > 1e-300 ? k : 1e-300; /* so that the quotient is finite */
  const double power = ndm_log_f64(ndi_open_unit(next_block(s).upper)) / least;
  return ndm_log_f64(draw_large_gamma(s, k + 1, last)) + power;
}

double ndi_draw_gamma(ndi_source *s, double k, ndi_gamma *last) {
  if (k >= 1) return draw_large_gamma(s, k, last);
  return k > 0 ? ndm_exp_f64(draw_log_gamma(s, k, last)) : 0;
}

double ndi_draw_beta(ndi_source *s, double a, double b, ndi_gamma last[2]) {
  if (a >= 1 && b >= 1) {
    const double x = draw_large_gamma(s, a, &last[0]), y = draw_large_gamma(s, b, &last[1]);
    return x / (x + y);
  }
  const double x = draw_log_gamma(s, a, &last[0]), y = draw_log_gamma(s, b, &last[1]);
  return 1 / (1 + ndm_exp_f64(y - x));
}

/* {=== Poisson and binomial ===} */

/* What Stirling's formula lacks: log k! = log(2 pi) / 2 + (k + 1/2) log(k + 1) - (k + 1) + this. */
static double stirling_rest(double k) {
  static const double small[] = {0.08106146679532725822,  0.04134069595540929409,
                                 0.02767792568499833915,  0.02079067210376509311,
                                 0.01664469118982119216,  0.01387612882307074799,
                                 0.01189670994589177009,  0.01041126526197209649,
                                 0.009255462182712732917, 0.008330563433362871256};
  if (k < 10) return small[(int)k];
  const double x = 1 / (k + 1), x2 = x * x;
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 * x2) * x2) * x;
}

/* log((a + d) / a), by what they differ: the quotient would round that off. */
static double log_ratio(double a, double d) { return ndm_log1p_f64(d / a); }

/* The first k of which the sum of the probabilities is above u; 'most': they are negligible. */
static double search_poisson(double u, const ndi_poisson *of) {
  double k = 0, each = of->none, all = each;
  while (u >= all && k < 110) all += each *= of->mean / ++k;
  return k;
}

static void start_poisson(double mean, ndi_poisson *out) {
  const double b = 0.931 + 2.53 * sqrt(mean);
  *out = (ndi_poisson){.mean = mean,
                       .a = -0.059 + 0.02483 * b,
                       .b = b,
                       .inverse = 1.1239 + 1.1328 / (b - 3.4),
                       .inner = 0.9277 - 3.6224 / (b - 2),
                       .root = 0.5 * ndm_log_f64(0x1.921fb54442d18p2 * mean),
                       .none = ndm_exp_f64(-mean)};
}

/* log(mean^k e^-mean / k!) */
static double poisson_log(double k, const ndi_poisson *of) {
  const double d = of->mean - (k + 1);
  return (k + 0.5) * log_ratio(k + 1, d) - d - of->root - stirling_rest(k);
}

double ndi_draw_poisson(ndi_source *s, double mean, ndi_poisson *last) {
  if (!(mean > 0 && mean < 0x1p63)) return mean;
  if (mean != last->mean) start_poisson(mean, last);
  if (mean < 10) return search_poisson(ndi_unit(next_block(s).upper), last);
  for (;;) {
    const nd_philox_block block = next_block(s);
    const double u = ndi_unit(block.upper) - 0.5, v = ndi_open_unit(block.lower);
    const double us = 0.5 - fabs(u), k = floor((2 * last->a / us + last->b) * u + mean + 0.43);
    if (us >= 0.07 && v <= last->inner) return k;
    if (!(k >= 0) || (us < 0.013 && v > us)) continue;
    const double bound = ndm_log_f64(v * last->inverse / (last->a / (us * us) + last->b));
    if (bound <= poisson_log(k, last)) return k;
  }
}

static double search_binomial(double u, const ndi_binomial *of) {
  double k = 0, each = of->none, all = each;
  while (u >= all && k < of->n && k < 110) all += each *= (of->n - k) / (k + 1) * of->odds, k++;
  return k;
}

static void start_binomial(double n, double p, ndi_binomial *out) {
  const double deviation = sqrt(n * p * (1 - p)), b = 1.15 + 2.53 * deviation;
  const double top = floor((n + 1) * p);
  *out = (ndi_binomial){.n = n,
                        .p = p,
                        .a = -0.0873 + 0.0248 * b + 0.01 * p,
                        .b = b,
                        .inner = 0.92 - 4.2 / b,
                        .alpha = (2.83 + 5.1 / b) * deviation,
                        .odds = p / (1 - p),
                        .top = top,
                        .rests = stirling_rest(top) + stirling_rest(n - top),
                        .none = ndm_exp_f64(n * ndm_log1p_f64(-p))};
}

/* log of the probability of k, divided by that of the most frequent number m, by Stirling's
 * formula: the terms without a logarithm cancel */
static double binomial_log(double k, const ndi_binomial *of) {
  const double m = of->top, left = of->n - m, rest = of->n - k;
  return (m + 0.5) * log_ratio(k + 1, m - k) + (left + 0.5) * log_ratio(rest + 1, k - m) +
         (k - m) * ndm_log_f64((rest + 1) / (k + 1) * of->odds) + of->rests - stirling_rest(k) -
         stirling_rest(rest);
}

static double draw_small_half(ndi_source *s, double n, double p, ndi_binomial *last) {
  if (n != last->n || p != last->p) start_binomial(n, p, last);
  if (n * p < 10) return search_binomial(ndi_unit(next_block(s).upper), last);
  for (;;) {
    const nd_philox_block block = next_block(s);
    const double u = ndi_unit(block.upper) - 0.5, v = ndi_open_unit(block.lower);
    const double us = 0.5 - fabs(u);
    const double k = floor((2 * last->a / us + last->b) * u + n * p + 0.5);
    if (us >= 0.07 && v <= last->inner) return k;
    if (!(k >= 0 && k <= n)) continue;
    const double bound = ndm_log_f64(v * last->alpha / (last->a / (us * us) + last->b));
    if (bound <= binomial_log(k, last)) return k;
  }
}

double ndi_draw_binomial(ndi_source *s, double n, double p, ndi_binomial *last) {
  if (!(n > 0 && p > 0 && n < 0x1p63 && p <= 1)) return n * p;
  return p <= 0.5 ? draw_small_half(s, n, p, last) : n - draw_small_half(s, n, 1 - p, last);
}
