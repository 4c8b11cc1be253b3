/* Filling arrays with numbers: ranges, evenly spaced and random ones. The arguments are checked
 * here and passed on to the device as a progression or as Philox keys. Except in a permutation, an
 * element depends only on those and on its position, so that devices may fill parts of an array in
 * any order.
 *
 * Integers have functions of their own, which compute in 128 bits: doubles would round those beyond
 * 2^53, and differences of 64-bit integers need more than 64 bits. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/size.h"
#include "ops/common.h"

/* Run an operation that only writes views[0] of 'task'. */
static nd_status run_maker(const nd_task *task, nd_error *err) {
  const nd_view *out = task->views[0];
  ND_TRY(ndi_check_writable(out, err));
  return out->size == 0 ? ND_OK : nd_device_run(nd_device_of(out), task, err);
}

/* {=== ranges ===} */

static nd_status run_range(const nd_view *out, const nd_progression *numbers, nd_error *err) {
  const nd_task task = {.op = ND_OP_RANGE, .count = 1, .views = {out}, .range = *numbers};
  return run_maker(&task, err);
}

/* The factor that keeps a sum or difference of two doubles from overflowing: 1 where it is finite,
 * else a power of two, so that scaling is exact. */
static double scale_of(double sum) { return isfinite(sum) ? 1 : 0.25; }

nd_status nd_range(const nd_view *out, double first, double step, nd_error *err) {
  /* From -1e308 to 1e308 all elements are finite, but i * step overflows. */
  const double scale = scale_of((double)out->size * step);
  const nd_progression numbers = {.first = first * scale, .step = step * scale, .unit = 1 / scale};
  return run_range(out, &numbers, err);
}

/* Does i64 or u64 hold 'x'? */
static bool is_of_64_bits(nd_int128 x) { return x >= INT64_MIN && x <= UINT64_MAX; }

nd_status nd_range_integer(const nd_view *out, nd_int128 first, nd_int128 step, nd_error *err) {
  const nd_progression numbers = {.is_whole = true, .whole_first = first, .whole_step = step};
  const nd_int128 most = UINT64_MAX, count = (nd_int128)out->size;
  /* The step is tested before the last element is computed: |step| < 2^64 and count < 2^63 keep
   * that within 128 bits. */
  if (count > 0 &&
      (!is_of_64_bits(first) ||
       (count > 1 && (step > most || step < -most || !is_of_64_bits(first + (count - 1) * step)))))
    return nd_fail_with(err, ND_OVERFLOW, ND_NUMBERS({"value", (int64_t)out->size}),
                        "arange: %zu elements exceed the ranges of i64 and u64", out->size);
  return run_range(out, &numbers, err);
}

static nd_status fail_bounds(double first, double last, double step, nd_error *err) {
  char a[ND_DOUBLE_TEXT], b[ND_DOUBLE_TEXT], c[ND_DOUBLE_TEXT];
  return nd_fail(err, ND_INVALID_ARGUMENT,
                 "arange: first %s, last %s and step %s must be finite, the step not 0",
                 ndi_double_text(first, a), ndi_double_text(last, b), ndi_double_text(step, c));
}

static nd_status fail_count(double first, double last, double step, nd_error *err) {
  char a[ND_DOUBLE_TEXT], b[ND_DOUBLE_TEXT], c[ND_DOUBLE_TEXT];
  return nd_fail(err, ND_OVERFLOW, "arange: %s to %s by %s has more elements than the largest size",
                 ndi_double_text(first, a), ndi_double_text(last, b), ndi_double_text(step, c));
}

nd_status nd_range_count(double first, double last, double step, size_t *out, nd_error *err) {
  if (!isfinite(first) || !isfinite(last) || !isfinite(step) || step == 0)
    return fail_bounds(first, last, step, err);
  if (first == last) return *out = 1, ND_OK; /* the quotient below may be 0 / 0 */
  const double scale = scale_of(fabs(first) + fabs(last));
  const double from = first * scale, to = last * scale, by = step * scale;
  const double steps = (to - from) / by;
  /* The error bound of the division below: half a step at most, see nd_range_count. */
  const double slack = DBL_EPSILON * ((fabs(from) + fabs(to)) / fabs(by) + 2 * fabs(steps));
  const double count = floor(steps + fmin(slack, 0.5)) + 1;
  /* 'count' may be infinite, as scaling may make a tiny step 0 */
  if (!(count < (double)ND_SIZE_MAX)) return fail_count(first, last, step, err);
  /* negative: 'step' leads away from 'last' */
  *out = count > 0 ? (size_t)count : 0;
  return ND_OK;
}

nd_status nd_range_count_integer(nd_int128 first, nd_int128 last, nd_int128 step, size_t *out,
                                 nd_error *err) {
  if (step == 0) return fail_bounds((double)first, (double)last, (double)step, err);
  /* The quotient is not negative where it is used, so that truncation gives the floor. */
  const nd_int128 count = (last < first) == (step < 0) || last == first ? (last - first) / step + 1
                                                                        : 0;
  if (count > (nd_int128)ND_SIZE_MAX)
    return fail_count((double)first, (double)last, (double)step, err);
  *out = (size_t)count;
  return ND_OK;
}

static nd_status fail_ends(double first, double last, nd_error *err) {
  char a[ND_DOUBLE_TEXT], b[ND_DOUBLE_TEXT];
  return nd_fail(err, ND_INVALID_ARGUMENT, "linspace: first %s and last %s must be finite",
                 ndi_double_text(first, a), ndi_double_text(last, b));
}

nd_status nd_linspace(const nd_view *out, double first, double last, nd_error *err) {
  if (!isfinite(first) || !isfinite(last)) return fail_ends(first, last, err);
  const double scale = scale_of(last - first), from = first * scale, to = last * scale;
  const double step = out->size > 1 ? (to - from) / (double)(out->size - 1) : 0;
  const nd_progression numbers = {
      .is_even = out->size > 1, /* a single element is 'first' */
      .is_rounded = nd_kind_is_integer(nd_dtype_get((nd_dtype)out->dtype)->kind),
      .count = out->size,
      .first = from,
      /* a subnormal step has too few bits: divide for each element instead */
      .step = fabs(step) >= DBL_MIN ? step : 0,
      .last = to,
      .width = to - from,
      .unit = 1 / scale};
  return run_range(out, &numbers, err);
}

nd_status nd_linspace_integer(const nd_view *out, nd_int128 first, nd_int128 last, nd_error *err) {
  nd_progression numbers = {.is_whole = true, .count = out->size, .whole_first = first};
  if (!is_of_64_bits(first) || !is_of_64_bits(last))
    return nd_fail(err, ND_OVERFLOW, "linspace: first or last exceeds the ranges of i64 and u64");
  /* last - first = distances * step + rest, with 0 <= rest < distances; the device distributes the
   * rest. */
  if (out->size > 1) {
    const nd_int128 distances = (nd_int128)(out->size - 1), rest = (last - first) % distances;
    numbers.whole_step = (last - first) / distances - (rest < 0);
    numbers.rest = (size_t)(rest < 0 ? rest + distances : rest);
  }
  return run_range(out, &numbers, err);
}

/* {=== random ===} */

/* Floats have the dtypes that their number of bits can be rounded to: not f8. */
static nd_status check_drawn(const char *name, nd_op op, const nd_view *out, nd_error *err) {
  const nd_dtype_traits *traits = nd_dtype_get((nd_dtype)out->dtype);
  if (op == ND_OP_POISSON || op == ND_OP_BINOMIAL) {
    if (out->dtype == ND_I64) return ND_OK;
    return nd_fail(err, ND_TYPE_MISMATCH, "%s: expected dtype i64, got %s", name, traits->name);
  }
  if (traits->kind == ND_KIND_FLOAT && traits->bytes >= 2) return ND_OK;
  return nd_fail(err, ND_TYPE_MISMATCH, "%s: expected dtype f16, bf16, f32 or f64, got %s", name,
                 traits->name);
}

static nd_status draw(const char *name, nd_op op, const nd_view *out, const double of[2], int count,
                      const nd_view *const *arrays, uint64_t seed, uint64_t call_number,
                      nd_error *err) {
  nd_task task = {.op = op,
                  .name = name,
                  .count = count + 1,
                  .views = {out},
                  .random = {.seed = seed, .call_number = call_number, .of = {of[0], of[1]}}};
  ND_TRY(check_drawn(name, op, out, err));
  for (int i = 0; i < count; i++) {
    char text[ND_SHAPE_TEXT];
    task.views[i + 1] = arrays[i];
    if (arrays[i]->dtype != ND_F64)
      return nd_fail(err, ND_TYPE_MISMATCH, "%s: expected parameters as f64, got %s", name,
                     ndi_dtype_name(arrays[i]));
    if (!nd_view_same_shape(arrays[i], out))
      return nd_fail(err, ND_SHAPE_MISMATCH, "%s: the parameters do not have the shape (%s)", name,
                     ndi_shape_text(out, text));
  }
  return run_maker(&task, err);
}

nd_status nd_random_draw(nd_op op, const nd_view *out, const double of[2], int count,
                         const nd_view *const *arrays, uint64_t seed, uint64_t call_number,
                         nd_error *err) {
  return draw(nd_op_get(op)->name, op, out, of, count, arrays, seed, call_number, err);
}

static const double standard[] = {0, 1};

nd_status nd_random_uniform(const nd_view *out, uint64_t seed, uint64_t call_number,
                            nd_error *err) {
  return draw("random", ND_OP_UNIFORM, out, standard, 0, NULL, seed, call_number, err);
}

nd_status nd_random_normal(const nd_view *out, uint64_t seed, uint64_t call_number, nd_error *err) {
  return draw("normal", ND_OP_NORMAL, out, standard, 0, NULL, seed, call_number, err);
}

typedef struct {
  char text[24];
} whole_text;

/* An integer of i64 or u64 as text, since printf has no format for 128 bits. */
static whole_text text_of(nd_int128 x) {
  whole_text out;
  if (x < 0) snprintf(out.text, sizeof out.text, "%lld", (long long)x);
  else snprintf(out.text, sizeof out.text, "%llu", (unsigned long long)x);
  return out;
}

/* The numbers become fields of the error where i64 holds them. */
static nd_status fail_randint(nd_int128 value, nd_int128 limit, const char *text, nd_error *err) {
  if (value > INT64_MAX || limit > INT64_MAX)
    return nd_fail(err, ND_INVALID_ARGUMENT, "randint: %s", text);
  return nd_fail_with(err, ND_INVALID_ARGUMENT,
                      ND_NUMBERS({"value", (int64_t)value}, {"limit", (int64_t)limit}),
                      "randint: %s", text);
}

/* ND_INVALID_ARGUMENT where 'value' lies outside the integers of the dtype. */
static nd_status check_bound(const char *name, nd_int128 value, const nd_dtype_traits *traits,
                             nd_error *err) {
  const bool is_signed = traits->kind == ND_KIND_INT;
  /* u64: shifted by 64, so the 1 has to have 128 bits */
  const nd_int128 highest = ((nd_int128)1 << (traits->bytes * 8 - is_signed)) - 1;
  const nd_int128 lowest = is_signed ? -highest - 1 : 0;
  char text[128];
  if (value >= lowest && value <= highest) return ND_OK;
  const nd_int128 limit = value < lowest ? lowest : highest;
  snprintf(text, sizeof text, "%s %s does not fit %s, whose %s is %s", name, text_of(value).text,
           traits->name, value < lowest ? "lowest" : "highest", text_of(limit).text);
  return fail_randint(value, limit, text, err);
}

nd_status nd_random_integers(const nd_view *out, nd_int128 lo, nd_int128 hi, uint64_t seed,
                             uint64_t call_number, nd_error *err) {
  const nd_dtype_traits *traits = nd_dtype_get((nd_dtype)out->dtype);
  char text[128];
  if (!nd_kind_is_integer(traits->kind))
    return nd_fail(err, ND_TYPE_MISMATCH, "randint: expected an integer dtype, got %s",
                   traits->name);
  ND_TRY(check_bound("lo", lo, traits, err));
  ND_TRY(check_bound("hi", hi, traits, err));
  if (lo > hi) {
    snprintf(text, sizeof text, "lo %s is above hi %s", text_of(lo).text, text_of(hi).text);
    return fail_randint(lo, hi, text, err);
  }
  /* A negative 'lo' wraps around; the device adds modulo 2^64, which gives it back. */
  const nd_task task = {.op = ND_OP_INTEGERS,
                        .count = 1,
                        .views = {out},
                        .random = {.seed = seed,
                                   .call_number = call_number,
                                   .lowest = (uint64_t)lo,
                                   .span = (uint64_t)(hi - lo)}};
  return run_maker(&task, err);
}

nd_status nd_random_permutation(const nd_view *out, uint64_t seed, uint64_t call_number,
                                nd_error *err) {
  if (out->dtype != ND_I64)
    return nd_fail(err, ND_TYPE_MISMATCH, "permutation: expected dtype i64, got %s",
                   ndi_dtype_name(out));
  char text[ND_SHAPE_TEXT];
  if (out->ndim != 1)
    return nd_fail_with(err, ND_SHAPE_MISMATCH, ND_NUMBERS({"expected", 1}, {"actual", out->ndim}),
                        "permutation: the array must have 1 axis, not %d (%s)", out->ndim,
                        ndi_shape_text(out, text));
  const nd_task task = {.op = ND_OP_PERMUTATION,
                        .count = 1,
                        .views = {out},
                        .random = {.seed = seed, .call_number = call_number}};
  return run_maker(&task, err);
}
