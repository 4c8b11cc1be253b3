/* Convolution and correlation of lines: which elements of all that there are the result has, and
 * the lines that a device works on. */
#include "ops/common.h"

typedef struct {
  const char *name;
  const nd_view *given[2];
  bool correlates; /* else convolves */
  nd_shifts mode;
  nd_dtype dtype, compute; /* of the result, and of the computation */
  bool is_swapped;         /* the second operand is the longer one */
  size_t n, m;             /* elements of the longer, and of the shorter one */
  size_t first, count;     /* of all n + m - 1 elements, those of the result */
} call;

/* {=== what is asked for ===} */

static nd_status check_line(const call *c, int i, nd_error *err) {
  char text[ND_SHAPE_TEXT];
  const nd_view *v = c->given[i];
  ND_TRY(ndi_check_live(v, err));
  if (v->ndim > 1)
    return nd_fail_with(err, ND_SHAPE_MISMATCH, ND_NUMBERS({"expected", 1}, {"actual", v->ndim}),
                        "%s: operand %d (%s) is not 1-D", c->name, i + 1, ndi_shape_text(v, text));
  if (v->size > 0) return ND_OK;
  return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", 0}, {"limit", 1}),
                      "%s: operand %d is empty", c->name, i + 1);
}

static bool is_small_float(nd_dtype dtype) {
  return nd_dtype_get(dtype)->kind == ND_KIND_FLOAT && dtype != ND_F32 && dtype != ND_F64;
}

/* As NumPy chooses: with an even number of elements in the shorter line, "same" leaves out one more
 * at the end; a correlation with a longer line is that of the longer one, backwards. */
static void find_part(call *c) {
  const size_t a = c->given[0]->size, b = c->given[1]->size;
  c->is_swapped = b > a;
  c->n = c->is_swapped ? b : a;
  c->m = c->is_swapped ? a : b;
  c->first = c->mode == ND_SHIFTS_FULL ? 0 : c->mode == ND_SHIFTS_SAME ? (c->m - 1) / 2 : c->m - 1;
  c->count = c->mode == ND_SHIFTS_FULL   ? c->n + c->m - 1
             : c->mode == ND_SHIFTS_SAME ? c->n
                                         : c->n - c->m + 1;
}

static nd_status start(call *c, nd_error *err) {
  for (int i = 0; i < 2; i++) ND_TRY(check_line(c, i, err));
  ND_TRY(ndi_promote(c->name, (nd_dtype)c->given[0]->dtype, (nd_dtype)c->given[1]->dtype, &c->dtype,
                     err));
  c->compute = is_small_float(c->dtype) ? ND_F32 : c->dtype;
  find_part(c);
  return ND_OK;
}

/* {=== lines ===} */

/* 'v' as a packed line of the dtype of the computation, or, where 'is_back', that line backwards.
 */
static nd_status ready_line(const call *c, const nd_view *v, bool is_back, nd_view *out,
                            nd_error *err) {
  nd_view line, turned;
  const size_t shape[] = {v->size};
  ND_TRY(ndi_reshape(v, 1, shape, &line, err));
  nd_status status = ND_OK;
  if (is_back) {
    status = nd_view_flip(&line, 1, &turned, err);
    nd_view_drop(&line);
    if (status != ND_OK) return status;
    line = turned;
  }
  const bool is_ready = line.dtype == c->compute && nd_view_is_contiguous(&line);
  if (is_ready) return *out = line, ND_OK;
  status = ndi_copy_on(c->given[0], &line, c->compute, ND_SATURATE, out, err);
  nd_view_drop(&line);
  return status;
}

static bool is_complex(nd_dtype dtype) { return nd_dtype_get(dtype)->kind == ND_KIND_COMPLEX; }

/* Replace a line by its conjugate. */
static nd_status conjugate(const call *c, nd_view *line, nd_error *err) {
  nd_view copy, part;
  ND_TRY(ndi_copy_on(c->given[0], line, c->compute, ND_SATURATE, &copy, err));
  nd_status status = nd_view_part(&copy, 1, &part, err);
  if (status == ND_OK) {
    const nd_operand operand = {.array = &part};
    status = nd_elementwise(ND_OP_NEG, &operand, &part, NULL, err);
    nd_view_drop(&part);
  }
  if (status == ND_OK) nd_view_drop(line), *line = copy;
  else nd_view_drop(&copy);
  return status;
}

/* The longer line 'x' and the shorter one 'w' as a device takes them, which sums up w[t] x[i + t].
 * A convolution is that with w backwards. A correlation, sums of a[i + t] conj(b[t]), is that of a
 * with conj(b); where b is the longer one, that of conj(b) backwards with a backwards. */
static nd_status ready_lines(const call *c, nd_view *x, nd_view *w, nd_error *err) {
  const bool turns = c->correlates && c->is_swapped;
  nd_view *second = c->is_swapped ? x : w;
  ND_TRY(ready_line(c, c->given[c->is_swapped], turns, x, err));
  nd_status status = ready_line(c, c->given[!c->is_swapped], !c->correlates || turns, w, err);
  if (status == ND_OK && c->correlates && is_complex(c->compute) &&
      (status = conjugate(c, second, err)) != ND_OK)
    nd_view_drop(w);
  if (status != ND_OK) nd_view_drop(x);
  return status;
}

/* Of all elements, the first of the result, where NumPy turns it around. */
static size_t first_of(const call *c) {
  const bool turns = c->correlates && c->is_swapped;
  return turns ? c->n + c->m - 1 - c->first - c->count : c->first;
}

static nd_status run_task(const call *c, const nd_view *target, const nd_view *x, const nd_view *w,
                          nd_error *err) {
  const nd_task task = {.op = ND_OP_CONVOLVE,
                        .name = c->name,
                        .count = 3,
                        .views = {target, x, w},
                        .first = first_of(c)};
  return nd_device_run(nd_device_of(target), &task, err);
}

/* {=== results ===} */

/* To 'target', which is packed, of the dtype of the computation, and shares no bytes with the
 * operands. */
static nd_status run_to(const call *c, const nd_view *target, nd_error *err) {
  nd_view x, w;
  ND_TRY(nd_storage_allocate(target->storage, err)); /* before the lines: see elementwise.c */
  ND_TRY(ready_lines(c, &x, &w, err));
  const nd_status status = run_task(c, target, &x, &w, err);
  nd_view_drop(&x);
  nd_view_drop(&w);
  return status;
}

static nd_status run_new(const call *c, nd_view *out, nd_error *err) {
  nd_view made;
  ND_TRY(ndi_check_device(c->given[0], c->given[1], err));
  ND_TRY(ndi_new_on(c->given[0], c->compute, 1, &c->count, &made, err));
  nd_status status = run_to(c, &made, err);
  if (status == ND_OK && c->dtype == c->compute) return *out = made, ND_OK;
  if (status == ND_OK) status = nd_astype(&made, c->dtype, ND_SATURATE, out, err);
  nd_view_drop(&made);
  return status;
}

static nd_status check_target(const call *c, const nd_view *dst, nd_error *err) {
  char text[3][ND_SHAPE_TEXT];
  const nd_view wanted = ndi_shape_view(1, &c->count);
  ND_TRY(ndi_check_writable(dst, err));
  if (!nd_view_same_shape(&wanted, dst))
    return nd_fail(err, ND_SHAPE_MISMATCH,
                   "%s: the result of (%s) and (%s) has %zu elements, but out has shape (%s)",
                   c->name, ndi_shape_text(c->given[0], text[0]),
                   ndi_shape_text(c->given[1], text[1]), c->count, ndi_shape_text(dst, text[2]));
  for (int i = 0; i < 2; i++)
    ND_TRY(ndi_check_digits(c->name, (nd_dtype)c->given[i]->dtype, c->dtype, dst, err));
  const nd_device *to = nd_device_of(dst), *from = nd_device_of(c->given[0]);
  if (to == from || to == nd_host_device()) return ND_OK;
  return nd_fail_remedy_for(err, ND_UNSUPPORTED, ND_REMEDY_DEVICE, from->name,
                            "%s: out is on %s, the operands are on %s", c->name, to->name,
                            from->name);
}

/* '*out': can a device write 'dst' while it reads the operands? */
static nd_status check_direct(const call *c, const nd_view *dst, bool *out, nd_error *err) {
  *out = dst->dtype == c->compute && c->dtype == c->compute && nd_view_is_contiguous(dst);
  for (int i = 0; i < 2 && *out; i++) {
    ND_TRY(nd_storage_allocate(c->given[i]->storage, err)); /* the overlap test needs addresses */
    ND_TRY(nd_storage_allocate(dst->storage, err));
    *out = nd_device_of(c->given[i]) == nd_device_of(dst) && !nd_view_may_overlap(dst, c->given[i]);
  }
  return ND_OK;
}

static nd_status run_into(const call *c, const nd_view *dst, nd_error *err) {
  nd_view made;
  bool is_direct = false;
  ND_TRY(check_target(c, dst, err));
  ND_TRY(check_direct(c, dst, &is_direct, err));
  if (is_direct) return run_to(c, dst, err);
  ND_TRY(run_new(c, &made, err));
  const nd_status status = nd_copy(dst, &made, ND_SATURATE, err);
  nd_view_drop(&made);
  return status;
}

nd_status nd_convolve(bool correlates, const nd_view *a, const nd_view *b, nd_shifts mode,
                      const nd_view *dst, nd_view *out, nd_error *err) {
  call c = {.name = correlates ? "correlate" : "convolve",
            .given = {a, b},
            .correlates = correlates,
            .mode = mode};
  ND_TRY(start(&c, err));
  return dst ? run_into(&c, dst, err) : run_new(&c, out, err);
}
