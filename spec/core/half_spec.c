/* The small floats against the slow model, and against the compiler's own _Float16 where it has
 * one. */
#include "base/half.h"

#include "check.h"
#include "model.h"

typedef struct {
  const model_format *model;
  float (*decode)(uint32_t);
  uint32_t (*encode)(double);
} small;

static float decode_f16(uint32_t c) { return ndi_f16_to_f32((uint16_t)c); }
static float decode_bf16(uint32_t c) { return ndi_bf16_to_f32((uint16_t)c); }
static float decode_f8e4m3(uint32_t c) { return ndi_f8e4m3_to_f32((uint8_t)c); }
static float decode_f8e5m2(uint32_t c) { return ndi_f8e5m2_to_f32((uint8_t)c); }
static uint32_t encode_f16(double x) { return ndi_f64_to_f16(x); }
static uint32_t encode_bf16(double x) { return ndi_f64_to_bf16(x); }
static uint32_t encode_f8e4m3(double x) { return ndi_f64_to_f8e4m3(x); }
static uint32_t encode_f8e5m2(double x) { return ndi_f64_to_f8e5m2(x); }

static const small smalls[] = {{&model_f16, decode_f16, encode_f16},
                               {&model_bf16, decode_bf16, encode_bf16},
                               {&model_f8e4m3, decode_f8e4m3, encode_f8e4m3},
                               {&model_f8e5m2, decode_f8e5m2, encode_f8e5m2}};

static void check_encode(const small *s, double x) {
  const uint64_t want = model_encode(s->model, (long double)x);
  const uint32_t got = s->encode(x);
  CHECK(got == want, "%s of %a: %#x, not %#" PRIx64, s->model->name, x, got, want);
}

static void check_codes(const small *s) {
  const uint64_t sign = model_sign(s->model);
  for (uint32_t code = 0; code < 2 * sign; code++) {
    const long double want = model_decode(s->model, code);
    const float got = s->decode(code);
    if (isnan(want)) {
      const uint32_t back = s->encode((double)got);
      CHECK(isnan(got), "%s %#x", s->model->name, code);
      CHECK(isnan(model_decode(s->model, back)), "%s %#x", s->model->name, code);
      CHECK((back & sign) == (code & sign), "%s %#x: sign", s->model->name, code);
      continue;
    }
    CHECK((long double)got == want && !signbit(got) == !signbit(want), "%s %#x: %a", s->model->name,
          code, (double)got);
    CHECK(s->encode((double)got) == code, "%s %#x: round trip", s->model->name, code);
  }
  for (uint32_t code = 0; code < s->model->top; code++)
    CHECK(model_finite(s->model, code) < model_finite(s->model, code + 1), "%s", s->model->name);
}

/* Every finite value (of 16 bits fewer in slow runs, and the largest), what lies half way to the
 * next, and the doubles beside both. */
static void check_midpoints(const small *s) {
  const uint32_t every = s->model->top < 256 ? 1 : (uint32_t)(100 / scaled(100));
  for (uint32_t code = (uint32_t)(s->model->top % every); code <= s->model->top; code += every) {
    const double low = (double)model_finite(s->model, code);
    const double middle = (low + (double)model_finite(s->model, code + 1)) / 2;
    const double near[] = {low,    nextafter(low, -1),    nextafter(low, INFINITY),
                           middle, nextafter(middle, -1), nextafter(middle, INFINITY)};
    for (size_t i = 0; i < ND_COUNTOF(near); i++) {
      check_encode(s, near[i]);
      check_encode(s, -near[i]);
    }
  }
}

static void check_random(const small *s, uint64_t state, size_t count) {
  const int bias = (1 << (s->model->exp_bits - 1)) - 1;
  for (size_t i = 0; i < count; i++) {
    const uint64_t bits = next_random(&state);
    double any, near = ldexp(1 + (double)(bits >> 12) * 0x1p-52, 0);
    memcpy(&any, &bits, sizeof any);
    near = ldexp(near, (int)(next_random(&state) % (uint64_t)(2 * bias + 20)) - bias - 15);
    if (!isnan(any)) check_encode(s, any);
    check_encode(s, bits & 1 ? near : -near);
  }
}

static void check_named(void) {
  CHECK(ndi_f64_to_f16(65519.99) == 0x7bff, "below the limit");
  CHECK(ndi_f64_to_f16(65520) == 0x7c00, "the limit");
  CHECK(ndi_f64_to_f16(0x1p-25) == 0, "tie to even");
  CHECK(ndi_f64_to_f16(nextafter(0x1p-25, 1)) == 1, "above the tie");
  CHECK(ndi_f64_to_f16(1 + 0x1p-11 + 0x1p-40) == 0x3c01, "one rounding");
  CHECK(ndi_f64_to_bf16(0x1.01p0) == 0x3f80, "tie to even");
  CHECK(ndi_f64_to_bf16(0x1.03p0) == 0x3f82, "tie to even, upwards");
  CHECK(ndi_f64_to_f8e4m3(464) == 0x7e && ndi_f64_to_f8e4m3(1e9) == 0x7e, "saturates");
  CHECK(ndi_f64_to_f8e4m3(-INFINITY) == 0xfe, "has no infinity");
  CHECK(ndi_f64_to_f8e4m3((double)NAN) == 0x7f, "NaN");
  CHECK(ndi_f64_to_f8e5m2(61440) == 0x7c, "overflows");
  CHECK(ndi_f64_to_f16(5e-324) == 0 && ndi_f64_to_f16(-5e-324) == 0x8000, "double's subnormals");
}

/* Rounding to odd, then to the format, is rounding once. */
static void check_integers(uint64_t state, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint64_t x = next_random(&state) >> (next_random(&state) % 64);
    const uint64_t edge = (x & ~UINT64_C(0xffff)) + (next_random(&state) % 3) - 1;
    const uint64_t cases[] = {x, edge, (UINT64_C(0x8080) << (x % 48)) + 1, UINT64_MAX - x % 4};
    for (size_t j = 0; j < ND_COUNTOF(cases); j++) {
      CHECK(ndi_f64_to_bf16((double)ndi_u64_to_odd(cases[j])) ==
                model_encode(&model_bf16, (long double)cases[j]),
            "%" PRIu64, cases[j]);
      for (int is_negated = 0; is_negated < 2; is_negated++) {
        const int64_t s = (int64_t)(is_negated ? 0 - cases[j] : cases[j]);
        CHECK(ndi_f64_to_bf16((double)ndi_i64_to_odd(s)) ==
                  model_encode(&model_bf16, (long double)s),
              "%" PRId64, s);
      }
    }
  }
}

#if defined(__FLT16_MAX__) && !defined(__clang__)
static void check_compiler(uint64_t state, size_t count) {
  group("f16 agrees with the compiler's _Float16");
  for (uint32_t code = 0; code < 0x10000; code++) {
    const uint16_t bits = (uint16_t)code;
    _Float16 half;
    memcpy(&half, &bits, sizeof half);
    const float want = (float)half, got = ndi_f16_to_f32(bits);
    CHECK(isnan(want) ? isnan(got) : want == got, "%#x", code);
  }
  for (size_t i = 0; i < count; i++) {
    const uint64_t bits = next_random(&state);
    const double x = ldexp((double)(int64_t)bits, (int)(next_random(&state) % 48) - 92);
    const _Float16 half = (_Float16)x;
    uint16_t want;
    memcpy(&want, &half, sizeof want);
    CHECK(ndi_f64_to_f16(x) == want, "%a", x);
  }
}
#else
static void check_compiler(uint64_t state, size_t count) {
  (void)state, (void)count;
  printf("skipped: f16 against the compiler: it has no _Float16\n");
}
#endif

int main(void) {
  const uint64_t seed = 20240607;
  printf("# seed %" PRIu64 "\n", seed);
  group("each code decodes to its value and back");
  for (size_t i = 0; i < ND_COUNTOF(smalls); i++) check_codes(&smalls[i]);
  group("values and midpoints round to nearest even");
  for (size_t i = 0; i < ND_COUNTOF(smalls); i++) check_midpoints(&smalls[i]);
  group("random doubles round once");
  for (size_t i = 0; i < ND_COUNTOF(smalls); i++)
    check_random(&smalls[i], seed + i, scaled(200000));
  group("named cases");
  check_named();
  group("64-bit integers round once");
  check_integers(seed, scaled(100000));
  check_compiler(seed, scaled(1000000));
  return finish();
}
