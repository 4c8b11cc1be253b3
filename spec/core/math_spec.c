/* Mathematical functions do not leave the range of their values, on any level of the processor,
 * wherever an element lies in a run. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "kern/elementwise.h"
#include "levels.h"

enum { QUARTERS = 20000, AROUND = 12, MOST = 2 * AROUND + 1 };

static const struct {
  nd_op op;
  const char *name;

} functions[] = {{ND_OP_SIN, "sin"}, {ND_OP_COS, "cos"}, {ND_OP_TANH, "tanh"}};

/* 'n' elements at 'gap' times their size: is each result within -1 … 1? */
static void check_f32(size_t f, size_t n, const float *x, ptrdiff_t gap) {
  float z[2 * MOST];
  char *const at[] = {(char *)z, (char *)(uintptr_t)x};
  const ptrdiff_t step[] = {gap * 4, 4};
  ndi_kernel_find(functions[f].op, ND_F32)(n, at, step);
  for (size_t i = 0; i < n; i++) {
    const float value = z[(ptrdiff_t)i * gap];
    CHECK(value >= -1 && value <= 1, "%s of %.9g: %.9g", functions[f].name, (double)x[i],
          (double)value);
  }
}

static void check_f64(size_t f, size_t n, const double *x, ptrdiff_t gap) {
  double z[2 * MOST];
  char *const at[] = {(char *)z, (char *)(uintptr_t)x};
  const ptrdiff_t step[] = {gap * 8, 8};
  ndi_kernel_find(functions[f].op, ND_F64)(n, at, step);
  for (size_t i = 0; i < n; i++) {
    const double value = z[(ptrdiff_t)i * gap];
    CHECK(value >= -1 && value <= 1, "%s of %.17g: %.17g", functions[f].name, x[i], value);
  }
}

/* The floats next to k pi / 2, and doubles at random within 1e-7 of it. */
static void check_quarter(double quarter, size_t n, uint64_t *random) {
  float narrow[MOST];
  double wide[MOST];
  narrow[0] = (float)quarter;
  for (int i = 0; i < AROUND; i++) narrow[0] = nextafterf(narrow[0], -INFINITY);
  for (size_t i = 1; i < MOST; i++) narrow[i] = nextafterf(narrow[i - 1], INFINITY);
  for (size_t i = 0; i < MOST; i++)
    wide[i] = quarter + ((double)(next_random(random) >> 11) * 0x1p-53 - 0.5) * 2e-7;
  for (size_t f = 0; f < ND_COUNTOF(functions); f++)
    for (ptrdiff_t gap = 1; gap <= 2; gap++)
      check_f32(f, n, narrow + (MOST - n), gap), check_f64(f, n, wide, gap);
}

/* NaN, infinities and signed zeros come out as they have to. */
static void check_special(void) {
  const double x[] = {NAN, INFINITY, -INFINITY, -0.0, 0.0};
  for (size_t f = 0; f < 2; f++) {
    double z[5];
    char *const at[] = {(char *)z, (char *)(uintptr_t)x};
    const ptrdiff_t step[] = {8, 8};
    ndi_kernel_find(functions[f].op, ND_F64)(5, at, step);
    CHECK(isnan(z[0]) && isnan(z[1]) && isnan(z[2]), "%s", functions[f].name);
    CHECK(f == 0 ? signbit(z[3]) && z[3] == 0 && !signbit(z[4]) && z[4] == 0
                 : z[3] == 1 && z[4] == 1,
          "%s of 0", functions[f].name);
  }
}

static void check_exp(void) {
  for (int i = 0; i < 40000; i++) {
    const float x = -80 - (float)i / 1000;
    float z = -1;
    char *const at[] = {(char *)&z, (char *)(uintptr_t)&x};
    const ptrdiff_t step[] = {4, 4};
    ndi_kernel_find(ND_OP_EXP, ND_F32)(1, at, step);
    CHECK(z >= 0, "exp of %.9g: %.9g", (double)x, (double)z);
  }
}

/* A float whose exponent is at most 'over' above 'least', with few or many bits. */
static double draw(uint64_t *random, int least, int over, int bits) {
  const uint64_t r = next_random(random), all = (uint64_t)1 << 52;
  const double part = (double)((r & (all - 1)) >> (r >> 52 & 1 ? 0 : bits)) + 1;
  return ldexp(r >> 63 ? -part : part, least - 52 + (int)(next_random(random) % (unsigned)over));
}

/* Remainders are the C library's, to the bit: of quotients within what is computed and beyond. */
static void check_remainders(uint64_t *random) {
  const ptrdiff_t wide_step[] = {8, 8, 8}, step[] = {4, 4, 4};
  for (size_t i = 0; i < scaled(200000); i++) {
    const int most = i % 4 == 0 ? 1900 : 70, least = i % 4 == 0 ? -1000 : i % 4 == 1 ? -1060 : -20;
    const bool is_long = i % 4 == 3; /* a quotient of 50 bits and more, times as many */
    const double y = draw(random, least, i % 4 == 0 ? 1900 : 2, is_long ? 0 : 40),
                 x = draw(random, is_long ? 31 : least, is_long ? 2 : most, is_long ? 0 : 45);
    double z = -1;
    char *const wide[] = {(char *)&z, (char *)(uintptr_t)&x, (char *)(uintptr_t)&y};
    ndi_kernel_find(ND_OP_FMOD, ND_F64)(1, wide, wide_step);
    const double wanted = fmod(x, y);
    CHECK(memcmp(&z, &wanted, sizeof z) == 0, "fmod(%a, %a): %a, not %a", x, y, z, wanted);
    const float a = (float)draw(random, -20, 60, 40), b = (float)draw(random, -20, 4, 45);
    float v = -1;
    char *const at[] = {(char *)&v, (char *)(uintptr_t)&a, (char *)(uintptr_t)&b};
    ndi_kernel_find(ND_OP_FMOD, ND_F32)(1, at, step);
    const float same = fmodf(a, b);
    CHECK(memcmp(&v, &same, sizeof v) == 0, "fmod(%a, %a): %a, not %a", (double)a, (double)b,
          (double)v, (double)same);
  }
}

int main(void) {
  uint64_t random = 20261122;
  for (size_t i = 0; i < ND_COUNTOF(levels); i++) {
    if (!show_level(levels[i])) continue;
    group("results stay within bounds");
    for (int k = 1; k <= (int)scaled(QUARTERS); k++)
      for (int sign = -1; sign <= 1; sign += 2)
        check_quarter(sign * k * acos(0), 1 + next_random(&random) % MOST, &random);
    check_quarter(1.570681, MOST, &random);
    check_special();
    check_exp();
    check_remainders(&random);
  }
  return finish();
}
