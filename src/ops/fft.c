/* Fourier transforms: shape and dtype of the result, and the lines that a device transforms, one
 * axis after another. */
#include <math.h>

#include "dev/small.h"
#include "ops/common.h"

/* {=== what is asked for ===} */

static bool is_complex(nd_dtype dtype) { return nd_dtype_get(dtype)->kind == ND_KIND_COMPLEX; }

/* The real dtype in which 'dtype' is computed: single or double. */
static nd_dtype real_of(nd_dtype dtype) {
  const nd_dtype part = nd_dtype_part(dtype);
  if (nd_dtype_get(part)->kind != ND_KIND_FLOAT || part == ND_F64) return ND_F64;
  return ND_F32;
}

static nd_dtype complex_of(nd_dtype real) { return real == ND_F32 ? ND_C64 : ND_C128; }

/* A call on its way. */
typedef struct {
  const nd_transform *how;
  const nd_view *src, *dst;
  nd_dtype real; /* in which it is computed */
  double points; /* of all steps so far */
} call;

static nd_status check(const nd_transform *how, const nd_view *src, nd_error *err) {
  ND_TRY(ndi_check_live(src, err));
  if (src->ndim == 0)
    return nd_fail(err, ND_SHAPE_MISMATCH, "%s: a scalar (0-d) has no axis to transform along",
                   how->name);
  if (how->count == 0)
    return nd_fail(err, ND_INVALID_ARGUMENT, "%s: a transform is along one axis at least",
                   how->name);
  for (int i = 0; i < how->count; i++)
    ND_TRY(ndi_check_axis(how->name, how->axes[i], src->ndim, err));
  if (how->form != ND_FFT_REAL || !is_complex((nd_dtype)src->dtype)) return ND_OK;
  return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_PART, "%s: %s is not a dtype of reals",
                        how->name, ndi_dtype_name(src));
}

/* {=== steps ===} The axis named last is that of the real line. Steps go from the last axis to the
 * first, but a real line is made by the last step. */

typedef struct {
  int axis;
  nd_fft_form form;
  size_t n;     /* length of the transform */
  size_t reads; /* elements that it is made of, if there are as many */
  size_t len;   /* elements of the result */
} step;

static int index_of(const nd_transform *how, int at) {
  return how->form == ND_FFT_HERMITIAN ? at : how->count - 1 - at;
}

static nd_status find_step(const nd_transform *how, int at, const nd_view *src, step *out,
                           nd_error *err) {
  const int i = index_of(how, at), axis = how->axes[i];
  const nd_fft_form form = i == how->count - 1 ? how->form : ND_FFT_COMPLEX;
  const size_t given = how->lengths[i], len = src->axis[axis].len;
  size_t n = given;
  if (given == ND_FFT_OWN) n = form != ND_FFT_HERMITIAN ? len : len > 1 ? 2 * (len - 1) : 0;
  *out = (step){.axis = axis, .form = form, .n = n, .reads = n, .len = n};
  if (form == ND_FFT_REAL) out->len = n / 2 + 1;
  if (form == ND_FFT_HERMITIAN) out->reads = n / 2 + 1;
  if (n > 0) return ND_OK;
  return nd_fail_with(
      err, ND_INVALID_ARGUMENT, ND_NUMBERS({"axis", axis + 1}, {"value", 0}, {"limit", 1}),
      "%s: the length of the transform along axis %d is 0; it is at least 1", how->name, axis + 1);
}

/* Of the dtype, and of the elements, that the step reads. */
static nd_status ready_source(const call *c, const step *s, const nd_view *src, nd_view *out,
                              nd_error *err) {
  const bool is_real = !is_complex((nd_dtype)src->dtype) && s->form != ND_FFT_HERMITIAN;
  const nd_dtype dtype = is_real ? c->real : complex_of(c->real);
  const size_t len = src->axis[s->axis].len;
  nd_view some;
  ND_TRY(nd_view_narrow(src, s->axis, 0, len < s->reads ? len : s->reads, &some, err));
  const nd_status status = ndi_operand(&some, false, &some, dtype, out, err);
  nd_view_drop(&some);
  return status;
}

/* What the whole transform is multiplied by. */
static double scale_of(const nd_transform *how, double points) {
  if (how->norm == ND_FFT_ORTHO) return 1 / sqrt(points);
  return (how->norm == ND_FFT_FORWARD) != how->is_inverse ? 1 / points : 1;
}

static nd_status run_step(const call *c, const step *s, const nd_view *src, const nd_view *dst,
                          bool is_last, nd_error *err) {
  nd_task task = {.op = ND_OP_FFT, .name = c->how->name, .count = 2, .views = {dst, src}};
  task.fft.axis = s->axis;
  task.fft.n = s->n;
  task.fft.is_inverse = c->how->is_inverse;
  task.fft.scale = is_last ? scale_of(c->how, c->points) : 1;
  return dst->size == 0 ? ND_OK : nd_device_run(nd_device_of(dst), &task, err);
}

/* {=== results ===} */

static nd_dtype result_dtype(const call *c, nd_fft_form form) {
  return form == ND_FFT_HERMITIAN ? c->real : complex_of(c->real);
}

/* Make the array for the result of a step on 'src'. */
static nd_status make_target(const call *c, const step *s, const nd_view *src, nd_view *out,
                             nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  nd_view_shape(src, shape);
  shape[s->axis] = s->len;
  return ndi_new_on(c->src, result_dtype(c, s->form), src->ndim, shape, out, err);
}

static nd_status check_shape(const call *c, const step *s, const nd_view *src, nd_error *err) {
  char text[3][ND_SHAPE_TEXT];
  nd_view wanted;
  nd_view_borrow(src, &wanted);
  wanted.axis[s->axis].len = s->len;
  if (nd_view_same_shape(&wanted, c->dst)) return ND_OK;
  return nd_fail(err, ND_SHAPE_MISMATCH, "%s: the result of (%s) has shape (%s), but out has (%s)",
                 c->how->name, ndi_shape_text(c->src, text[0]), ndi_shape_text(&wanted, text[1]),
                 ndi_shape_text(c->dst, text[2]));
}

/* '*out': can a device write 'dst' while it reads 'src'? */
static nd_status check_direct(const call *c, const step *s, const nd_view *src, bool *out,
                              nd_error *err) {
  const nd_view *dst = c->dst;
  const nd_device *to = nd_device_of(dst), *from = nd_device_of(src);
  if (to != from && to != nd_host_device())
    return nd_fail_remedy_for(err, ND_UNSUPPORTED, ND_REMEDY_DEVICE, from->name,
                              "%s: out is on %s, the array on %s", c->how->name, to->name,
                              from->name);
  ND_TRY(nd_storage_allocate(src->storage, err)); /* the overlap test needs the addresses */
  ND_TRY(nd_storage_allocate(dst->storage, err));
  *out = to == from && dst->dtype == result_dtype(c, s->form) &&
         (!nd_view_may_overlap(dst, src) || ndi_same_elements(dst, src));
  return ND_OK;
}

/* The last step, to 'dst'. */
static nd_status finish_into(const call *c, const step *s, const nd_view *src, nd_error *err) {
  nd_view made;
  bool is_direct = false;
  ND_TRY(check_shape(c, s, src, err));
  ND_TRY(check_direct(c, s, src, &is_direct, err));
  if (is_direct) return run_step(c, s, src, c->dst, true, err);
  ND_TRY(make_target(c, s, src, &made, err));
  nd_status status = run_step(c, s, src, &made, true, err);
  if (status == ND_OK) status = nd_copy(c->dst, &made, ND_SATURATE, err);
  nd_view_drop(&made);
  return status;
}

/* {=== all steps ===} */

/* Step number 'at', of what '*now' has; the result replaces it. A line of complex numbers that is
 * ours is transformed where it lies. */
static nd_status take_step(call *c, int at, nd_view *now, nd_error *err) {
  const bool is_last = at == c->how->count - 1;
  nd_view source, made;
  step s;
  ND_TRY(find_step(c->how, at, now, &s, err));
  c->points *= (double)s.n;
  ND_TRY(ready_source(c, &s, now, &source, err));
  nd_status status = ND_OK;
  if (is_last && c->dst) {
    status = finish_into(c, &s, &source, err);
  } else if (at > 0 && s.form == ND_FFT_COMPLEX && now->axis[s.axis].len == s.n) {
    status = run_step(c, &s, &source, &source, is_last, err);
    if (status == ND_OK) nd_view_drop(now), nd_view_copy(&source, now);
  } else {
    status = make_target(c, &s, &source, &made, err);
    if (status == ND_OK && (status = run_step(c, &s, &source, &made, is_last, err)) != ND_OK)
      nd_view_drop(&made);
    if (status == ND_OK) nd_view_drop(now), *now = made;
  }
  nd_view_drop(&source);
  return status;
}

/* {=== one small line ===} Packed, in host memory, of the dtype that is read: this is not worth
 * what the functions above find out. */

/* Is it one, of all elements that are read? Then the step is in 's'. */
static bool is_line(const nd_transform *how, const nd_view *src, step *s) {
  const nd_dtype dtype = (nd_dtype)src->dtype, part = nd_dtype_part(dtype);
  return how->count == 1 && how->axes[0] == 0 && src->ndim == 1 && how->form != ND_FFT_HERMITIAN &&
         (part == ND_F32 || part == ND_F64) && (how->form != ND_FFT_REAL || part == dtype) &&
         find_step(how, 0, src, s, NULL) == ND_OK && s->reads == src->size;
}

static bool fits(const nd_view *dst, const nd_view *src, nd_dtype dtype, size_t len) {
  return dst->ndim == 1 && dst->dtype == dtype && dst->axis[0].len == len &&
         dst->storage != src->storage;
}

/* False, with nothing done: transform as any other array. True, maybe with '*status' for memory
 * that there is not: as in elementwise.c. */
static bool transform_small(const nd_transform *how, const nd_view *src, const nd_view *dst,
                            nd_view *out, nd_status *status, nd_error *err) {
  nd_view made;
  step s;
  if (!is_line(how, src, &s)) return false;
  const nd_fft_numbers numbers = {
      .n = s.n, .is_inverse = how->is_inverse, .scale = scale_of(how, (double)s.n)};
  const nd_dtype dtype = complex_of(real_of((nd_dtype)src->dtype));
  if (dst) return fits(dst, src, dtype, s.len) && ndi_small_fft(dst, src, &numbers);
  if (src->size * nd_dtype_get(dtype)->bytes > NDI_SMALL_LINE) return false;
  /* finalizers may run here, and free the line: ndi_small_fft looks again */
  if ((*status = ndi_new_on(src, dtype, 1, &s.len, &made, err)) != ND_OK) return true;
  *status = nd_storage_allocate(made.storage, err);
  const bool is_done = *status == ND_OK && ndi_small_fft(&made, src, &numbers);
  if (is_done) *out = made;
  else nd_view_drop(&made);
  return is_done || *status != ND_OK;
}

nd_status nd_fft(const nd_transform *how, const nd_view *src, const nd_view *dst, nd_view *out,
                 nd_error *err) {
  call c = {.how = how, .src = src, .dst = dst, .real = real_of((nd_dtype)src->dtype), .points = 1};
  nd_view now;
  nd_status status = ND_OK;
  if (transform_small(how, src, dst, out, &status, err)) return status;
  ND_TRY(check(how, src, err));
  if (dst) ND_TRY(ndi_check_writable(dst, err));
  nd_view_copy(src, &now);
  for (int i = 0; i < how->count && status == ND_OK; i++) status = take_step(&c, i, &now, err);
  if (status == ND_OK && !dst) *out = now;
  else nd_view_drop(&now);
  return status;
}
