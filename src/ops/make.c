/* Making arrays: uninitialised, converted, counted up, random. */
#include <float.h>
#include <math.h>

#include "base/size.h"
#include "ops/common.h"

nd_status nd_new(nd_resource *resource, nd_dtype dtype, int ndim, const size_t *shape,
                 nd_storage_options options, nd_view *out, nd_error *err) {
  size_t bytes;
  if (ndim < 0 || ndim > ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT,
                        ND_NUMBERS({"value", ndim}, {"limit", ND_MAX_NDIM}),
                        "%d axes: an array has at most %d", ndim, ND_MAX_NDIM);
  if (!ndi_size_of(ndim, shape, nd_dtype_get(dtype)->bytes, &bytes))
    return nd_fail_with(err, ND_OVERFLOW, ND_NUMBERS({"limit", PTRDIFF_MAX}),
                        "the shape has more bytes of %s than the largest size",
                        nd_dtype_get(dtype)->name);
  nd_storage *storage;
  ND_TRY(nd_storage_make(resource, bytes, options, &storage, err));
  const nd_status status = nd_view_make(storage, 0, dtype, ndim, shape, NULL, out, err);
  nd_storage_drop(storage);
  return status;
}

nd_status nd_new_like(const nd_view *src, nd_dtype dtype, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  ndi_shape_get(src, shape);
  return ndi_new_beside(src, dtype, src->ndim, shape, out, err);
}

nd_status nd_astype(const nd_view *src, nd_dtype dtype, nd_cast_mode mode, nd_view *out,
                    nd_error *err) {
  return ndi_copy_beside(src, src, dtype, mode, out, err);
}

/* Run an operation that does nothing but write 'task->views[0]'. */
static nd_status run_maker(const nd_task *task, nd_error *err) {
  const nd_view *out = task->views[0];
  ND_TRY(ndi_check_writable(out, err));
  return out->size == 0 ? ND_OK : nd_device_run(nd_device_of(out), task, err);
}

/* {=== ranges ===} */

nd_status nd_range(const nd_view *out, double first, double step, nd_error *err) {
  const nd_task task = {
      .op = ND_OP_RANGE, .count = 1, .views = {out}, .first = first, .step = step};
  return run_maker(&task, err);
}

nd_status nd_range_integer(const nd_view *out, int64_t first, int64_t step, nd_error *err) {
  const nd_task task = {.op = ND_OP_RANGE,
                        .count = 1,
                        .views = {out},
                        .ifirst = first,
                        .istep = step,
                        .is_integer = true};
  ptrdiff_t last;
  if (out->size > 1 && (!ndi_offset_mul((ptrdiff_t)(out->size - 1), step, &last) ||
                        !ndi_offset_add(last, first, &last)))
    return nd_fail_with(err, ND_OVERFLOW, ND_NUMBERS({"value", (int64_t)out->size}),
                        "arange: %zu elements from %lld by %lld pass the range of i64", out->size,
                        (long long)first, (long long)step);
  return run_maker(&task, err);
}

nd_status nd_range_count(double first, double last, double step, size_t *out, nd_error *err) {
  char a[ND_DOUBLE_TEXT], b[ND_DOUBLE_TEXT], c[ND_DOUBLE_TEXT];
  if (!isfinite(first) || !isfinite(last) || !isfinite(step) || step == 0)
    return nd_fail(err, ND_INVALID_ARGUMENT,
                   "arange: first %s, last %s and step %s must be finite, the step not 0",
                   ndi_double_text(first, a), ndi_double_text(last, b), ndi_double_text(step, c));
  double steps = (last - first) / step;
  if (!isfinite(last - first)) steps = (last / 2 - first / 2) / step * 2; /* too far apart */
  const double count = floor(steps * (1 + 4 * DBL_EPSILON)) + 1;
  if (!(count < (double)ND_SIZE_MAX))
    return nd_fail(err, ND_OVERFLOW,
                   "arange: %s to %s by %s has more elements than the largest size",
                   ndi_double_text(first, a), ndi_double_text(last, b), ndi_double_text(step, c));
  *out = count > 0 ? (size_t)count : 0;
  return ND_OK;
}

/* {=== random ===} */

static nd_status run_float(const char *what, nd_op op, const nd_view *out, uint64_t seed,
                           uint64_t stream, nd_error *err) {
  const nd_dtype_traits *traits = nd_dtype_get((nd_dtype)out->dtype);
  if (traits->kind != ND_KIND_FLOAT || traits->bytes < 2)
    return nd_fail(err, ND_TYPE_MISMATCH, "%s: makes f16, bf16, f32 or f64, not %s", what,
                   traits->name);
  const nd_task task = {.op = op, .count = 1, .views = {out}, .seed = seed, .stream = stream};
  return run_maker(&task, err);
}

nd_status nd_random_uniform(const nd_view *out, uint64_t seed, uint64_t stream, nd_error *err) {
  return run_float("random", ND_OP_UNIFORM, out, seed, stream, err);
}

nd_status nd_random_normal(const nd_view *out, uint64_t seed, uint64_t stream, nd_error *err) {
  return run_float("normal", ND_OP_NORMAL, out, seed, stream, err);
}

/* ND_INVALID_ARGUMENT where 'value' lies outside the integers of the dtype; those past i64 do not
 * come up. */
static nd_status check_bound(const char *name, int64_t value, const nd_dtype_traits *traits,
                             nd_error *err) {
  const int bits = traits->bytes * 8 - (traits->kind == ND_KIND_INT);
  const int64_t highest = bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
  const int64_t lowest = traits->kind == ND_KIND_INT ? -highest - 1 : 0;
  if (value >= lowest && value <= highest) return ND_OK;
  const int64_t limit = value < lowest ? lowest : highest;
  return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", value}, {"limit", limit}),
                      "randint: %s %lld does not fit %s, whose %s is %lld", name, (long long)value,
                      traits->name, value < lowest ? "lowest" : "highest", (long long)limit);
}

nd_status nd_random_integers(const nd_view *out, int64_t lo, int64_t hi, uint64_t seed,
                             uint64_t stream, nd_error *err) {
  const nd_dtype_traits *traits = nd_dtype_get((nd_dtype)out->dtype);
  if (!nd_kind_is_integer(traits->kind))
    return nd_fail(err, ND_TYPE_MISMATCH, "randint: makes integers, not %s", traits->name);
  ND_TRY(check_bound("lo", lo, traits, err));
  ND_TRY(check_bound("hi", hi, traits, err));
  if (lo > hi)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", lo}, {"limit", hi}),
                        "randint: lo %lld is above hi %lld", (long long)lo, (long long)hi);
  const nd_task task = {.op = ND_OP_INTEGERS,
                        .count = 1,
                        .views = {out},
                        .ifirst = lo,
                        .span = (uint64_t)hi - (uint64_t)lo,
                        .seed = seed,
                        .stream = stream};
  return run_maker(&task, err);
}

nd_status nd_random_permutation(const nd_view *out, uint64_t seed, uint64_t stream, nd_error *err) {
  if (out->dtype != ND_I64)
    return nd_fail(err, ND_TYPE_MISMATCH, "permutation: makes i64, not %s", ndi_dtype_name(out));
  char text[ND_SHAPE_TEXT];
  if (out->ndim != 1)
    return nd_fail_with(err, ND_SHAPE_MISMATCH, ND_NUMBERS({"expected", 1}, {"actual", out->ndim}),
                        "permutation: the array must have 1 axis, not %d (%s)", out->ndim,
                        ndi_shape_text(out, text));
  const nd_task task = {
      .op = ND_OP_PERMUTATION, .count = 1, .views = {out}, .seed = seed, .stream = stream};
  return run_maker(&task, err);
}
