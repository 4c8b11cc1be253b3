/* Element-wise operations: find the dtype and shape of the result, make the operands ready (device,
 * dtype, overlap, broadcast), then have the device run. */
#include <stdio.h>
#include <string.h>

#include "dev/small.h"
#include "ops/common.h"

enum { MOST_OPERANDS = 3 }; /* WHERE and CLAMP */

/* A call on its way: what was asked for, then what find_dtype and find_shape make of it. */
typedef struct {
  const char *name; /* the operation that the caller asked for; 'op' may become another */
  nd_op op;
  int count;
  nd_operand operands[MOST_OPERANDS];
  const nd_view *like; /* the first array: the result goes where it is */
  const nd_view *dst;
  /* dtype of the computation (ND_DTYPE_COUNT: a mixed comparison), of the result */
  nd_dtype dtype, result;
  bool is_of_scalars; /* all operands that take part in promotion are scalars */
  int ndim;
  size_t shape[ND_MAX_NDIM];
} call;

/* {=== dtypes ===} */

/* Is operand i a condition or truth value? Those take any dtype and take no part in promotion. */
static bool is_truth(const call *c, int i) {
  return nd_op_get(c->op)->domain == ND_DOMAIN_TRUTH || (c->op == ND_OP_WHERE && i == 0);
}

/* Promote the arrays (or, without 'of_arrays', the scalars: both values of WHERE may be scalars) to
 * c->dtype. '*found' is false where there are none. */
static nd_status promote(call *c, bool of_arrays, bool *found, nd_error *err) {
  *found = false;
  for (int i = 0; i < c->count; i++) {
    const nd_operand *o = &c->operands[i];
    if (is_truth(c, i) || (o->array != NULL) != of_arrays) continue;
    const nd_dtype dtype = o->array ? (nd_dtype)o->array->dtype : o->value.dtype;
    if (*found) ND_TRY(ndi_promote(c->name, c->dtype, dtype, &c->dtype, err));
    else c->dtype = dtype;
    *found = true;
  }
  return ND_OK;
}

static nd_status check_defined(const call *c, nd_dtype dtype, nd_error *err) {
  const nd_dtype_traits *given = nd_dtype_get(dtype);
  if (nd_op_is_defined(c->op, dtype)) return ND_OK;
  return nd_fail_remedy(err, ND_TYPE_MISMATCH,
                        given->kind == ND_KIND_COMPLEX ? ND_REMEDY_PART : ND_REMEDY_CAST,
                        "%s is not defined for %s", c->name, given->name);
}

/* Are two arrays compared that no common dtype represents exactly? A mixed kernel compares those as
 * they are. */
static bool is_mixed(const call *c) {
  const nd_view *a = c->operands[0].array, *b = c->operands[1].array;
  return nd_op_is_comparison(c->op, NULL) && a && b &&
         nd_dtype_promote_exact((nd_dtype)a->dtype, (nd_dtype)b->dtype) == ND_DTYPE_COUNT;
}

/* A mixed comparison has no common dtype: the operation must be defined for each side by itself. */
static nd_status find_mixed(call *c, nd_error *err) {
  for (int i = 0; i < c->count; i++)
    ND_TRY(check_defined(c, (nd_dtype)c->operands[i].array->dtype, err));
  c->dtype = ND_DTYPE_COUNT;
  c->result = ND_BOOL;
  return ND_OK;
}

/* Find the dtypes of the computation and of the result. Scalars decide only where no array takes
 * part, as when both values of WHERE are scalars. */
static nd_status find_dtype(call *c, nd_error *err) {
  bool found;
  if (is_mixed(c)) return find_mixed(c, err);
  /* stays where all operands are truth values */
  c->dtype = ND_BOOL;
  ND_TRY(promote(c, true, &found, err));
  c->is_of_scalars = !found;
  if (!found) ND_TRY(promote(c, false, &found, err));
  ND_TRY(check_defined(c, c->dtype, err));
  c->result = nd_op_result_dtype(c->op, c->dtype);
  c->dtype = nd_op_compute_dtype(c->op, c->dtype);
  return ND_OK;
}

/* {=== shape and output ===} */

/* The shape that all arrays broadcast to; a scalar broadcasts to any. */
static nd_status find_shape(call *c, nd_error *err) {
  for (int i = 0; i < c->count; i++) {
    const nd_view *v = c->operands[i].array;
    if (!v) continue;
    ND_TRY(ndi_check_live(v, err));
    const nd_view so_far = ndi_shape_view(c->ndim, c->shape);
    /* 'so_far' starts as 0-d, which broadcasts to the first array */
    ND_TRY(nd_broadcast_shape(c->name, &so_far, v, &c->ndim, c->shape, err));
  }
  return ND_OK;
}

/* Refuse to write a result to integers if digits of 64-bit integers were lost in floats on the
 * way. */
static nd_status check_digits(const call *c, nd_error *err) {
  if (nd_op_get(c->op)->result == ND_RESULT_BOOL) return ND_OK; /* comparisons are exact */
  for (int i = 0; i < c->count; i++) {
    const nd_operand *o = &c->operands[i];
    if (is_truth(c, i) || (!o->array && !c->is_of_scalars)) continue;
    const nd_dtype from = o->array ? (nd_dtype)o->array->dtype : o->value.dtype;
    ND_TRY(ndi_check_digits(c->name, from, c->dtype, c->dst, err));
  }
  return ND_OK;
}

/* May the result, whose shape and dtype are known, be written to c->dst? */
static nd_status check_target(const call *c, nd_error *err) {
  const nd_view *dst = c->dst;
  char text[ND_SHAPE_TEXT], other[ND_SHAPE_TEXT];
  const nd_view wanted = ndi_shape_view(c->ndim, c->shape);
  ND_TRY(ndi_check_writable(dst, err));
  if (!nd_view_same_shape(dst, &wanted))
    return nd_fail(err, ND_SHAPE_MISMATCH,
                   "%s: the result has shape (%s), but the array written to has (%s)", c->name,
                   ndi_shape_text(&wanted, text), ndi_shape_text(dst, other));
  if (nd_dtype_get(c->result)->kind == ND_KIND_COMPLEX &&
      nd_dtype_get((nd_dtype)dst->dtype)->kind != ND_KIND_COMPLEX)
    return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_PART,
                          "%s: the result is %s and cannot be written to %s", c->name,
                          nd_dtype_get(c->result)->name, ndi_dtype_name(dst));
  /* abs of complex numbers is real; it is not silently written to a complex array. */
  if (c->result != c->dtype && nd_op_get(c->op)->result == ND_RESULT_PART &&
      nd_dtype_get((nd_dtype)dst->dtype)->kind == ND_KIND_COMPLEX)
    return nd_fail_remedy_for(err, ND_TYPE_MISMATCH, ND_REMEDY_NEW, c->name,
                              "%s: the result is %s and cannot be written to %s", c->name,
                              nd_dtype_get(c->result)->name, ndi_dtype_name(dst));
  return check_digits(c, err);
}

/* {=== operands ===} */

/* Element 'at' (row-major, from 0) of a view of host memory whose signed integers have at most 64
 * bits. */
static nd_status integer_at(const nd_view *y, size_t at, int64_t *out, nd_error *err) {
  const size_t bytes = nd_view_itemsize(y), spare = 64 - 8 * bytes;
  ptrdiff_t offset = (ptrdiff_t)y->offset;
  uint64_t bits = 0;
  char *host;
  ND_TRY(nd_view_host(y, false, &host, err));
  for (int i = y->ndim; i-- > 0; at /= y->axis[i].len)
    offset += (ptrdiff_t)(at % y->axis[i].len) * y->axis[i].step;
  memcpy(&bits, host + offset, bytes);
  *out = (int64_t)(bits << spare) >> spare; /* extend the sign */
  return ND_OK;
}

/* Integers have no result for some second operands (a divisor of 0): search for those before
 * anything is written. */
static nd_status check_second(const call *c, const nd_view *y, nd_error *err) {
  const nd_second_operand *second = nd_op_second(c->op);
  size_t first = y->size;
  const nd_task task = {.op = ND_OP_OPERAND_CHECK,
                        .name = c->name,
                        .count = 1,
                        .views = {y},
                        .checked = c->op,
                        .result = &first};
  /* of comparisons, which refuse none, the dtype may be none */
  if (second->refused == ND_REFUSES_NONE || y->size == 0 ||
      !nd_kind_is_integer(nd_dtype_get(c->dtype)->kind))
    return ND_OK;
  ND_TRY(nd_device_run(nd_device_of(y), &task, err));
  if (first == y->size) return ND_OK;
  char position[64] = "";
  int64_t value;
  ND_TRY(integer_at(y, first, &value, err));
  if (y->ndim > 0)
    snprintf(position, sizeof position, "element %zu (in row-major order) of ", first + 1);
  return nd_fail_with(err, ND_INVALID_ARGUMENT,
                      ND_NUMBERS({"value", value}, {"position", (int64_t)first + 1}),
                      "%s: %sthe %s is %lld, for which integers have no result", c->name, position,
                      second->name, (long long)value);
}

static nd_status compute(call *c, nd_view *out, nd_error *err);

/* Make 'given' usable as a truth value. Complex numbers have no conversion to bool and are compared
 * with 0; for all others the device converts. */
static nd_status ready_truth(const char *name, const nd_view *given, nd_view *out, nd_error *err) {
  call c = {.name = name,
            .op = ND_OP_NE,
            .count = 2,
            .operands = {{.array = given}, {.value = {.dtype = ND_BOOL}}}};
  if (nd_dtype_get((nd_dtype)given->dtype)->kind == ND_KIND_COMPLEX) return compute(&c, out, err);
  nd_view_copy(given, out);
  return ND_OK;
}

nd_status nd_truth(const char *what, const nd_view *src, nd_view *out, nd_error *err) {
  if (nd_dtype_get((nd_dtype)src->dtype)->kind == ND_KIND_COMPLEX)
    return ready_truth(what, src, out, err);
  return nd_astype(src, ND_BOOL, ND_SATURATE, out, err);
}

/* A condition or truth value before it is broadcast; a scalar becomes a 0-d array first. */
static nd_status narrow_truth(const call *c, const nd_operand *given, nd_view *out, nd_error *err) {
  nd_view value;
  if (given->array) return ready_truth(c->name, given->array, out, err);
  ND_TRY(ndi_scalar_view(&given->value, &value, err));
  const nd_status status = ready_truth(c->name, &value, out, err);
  nd_view_drop(&value);
  return status;
}

/* Operand i before it is broadcast. A scalar may change the comparison; see ndi_scalar_compared. */
static nd_status narrow_operand(call *c, int i, nd_view *out, nd_error *err) {
  const nd_operand *given = &c->operands[i];
  const bool is_lower = c->op == ND_OP_MAXIMUM || (c->op == ND_OP_CLAMP && i == 1);
  const bool is_upper = c->op == ND_OP_MINIMUM || (c->op == ND_OP_CLAMP && i == 2);
  if (is_truth(c, i)) return narrow_truth(c, given, out, err);
  if (given->array) return nd_view_copy(given->array, out), ND_OK;
  if (nd_op_is_comparison(c->op, NULL))
    return ndi_scalar_compared(c->name, &c->op, &given->value, c->dtype, out, err);
  if (is_lower || is_upper)
    return ndi_scalar_bound(c->name, is_upper, &given->value, c->dtype, out, err);
  return nd_scalar_as(c->name, &given->value, c->dtype, out, err);
}

/* '*out': is it safe to read 'wide' while 'dst' is written, as it is the same elements or shares no
 * bytes? */
static nd_status check_alias(const call *c, const nd_view *wide, bool *out, nd_error *err) {
  *out = true;
  if (!c->dst || ndi_same_elements(c->dst, wide)) return ND_OK;
  ND_TRY(nd_storage_allocate(wide->storage, err)); /* the overlap test needs the addresses */
  ND_TRY(nd_storage_allocate(c->dst->storage, err));
  *out = !nd_view_may_overlap(c->dst, wide);
  return ND_OK;
}

/* Operand i as the device may read it, broadcast to the whole shape. It is copied where it overlaps
 * the output or is on another device; before broadcasting, so that a small operand stays small. */
static nd_status ready_operand(call *c, int i, nd_view *out, nd_error *err) {
  /* a new result, in run_new, goes to the device of the first array */
  const nd_view *target = c->dst ? c->dst : c->like;
  nd_view narrow, wide, copy;
  bool is_safe = true;
  if (c->operands[i].array) ND_TRY(ndi_check_device(target, c->operands[i].array, err));
  ND_TRY(narrow_operand(c, i, &narrow, err));
  nd_status status = i == 1 ? check_second(c, &narrow, err) : ND_OK;
  if (status == ND_OK) status = nd_view_expand(&narrow, c->ndim, c->shape, &wide, err);
  if (status != ND_OK) return nd_view_drop(&narrow), status;
  status = check_alias(c, &wide, &is_safe, err);
  if (status == ND_OK && (!is_safe || nd_device_of(&narrow) != nd_device_of(target))) {
    /* the elements of 'narrow', without repetitions, are copied and broadcast again */
    nd_view_drop(&wide);
    status = ndi_copy_on(target, &narrow, (nd_dtype)narrow.dtype, ND_SATURATE, &copy, err);
    nd_view_drop(&narrow);
    if (status != ND_OK) return status;
    narrow = copy;
    status = nd_view_expand(&narrow, c->ndim, c->shape, &wide, err);
    if (status != ND_OK) return nd_view_drop(&narrow), status;
  }
  nd_view_drop(&narrow);
  if (status == ND_OK) *out = wide;
  else nd_view_drop(&wide);
  return status;
}

/* {=== running ===} */

static nd_status run_ready(const call *c, const nd_view *ready, const nd_view *target,
                           nd_error *err) {
  nd_task task = {.op = c->op,
                  .name = c->name,
                  .count = c->count + 1,
                  .views = {target},
                  .compute_dtype = c->dtype};
  for (int i = 0; i < c->count; i++) task.views[i + 1] = &ready[i];
  return target->size == 0 ? ND_OK : nd_device_run(nd_device_of(target), &task, err);
}

static nd_status run(call *c, const nd_view *target, nd_error *err) {
  nd_view ready[MOST_OPERANDS];
  int held = 0;
  nd_status status = ND_OK;
  while (held < c->count && status == ND_OK) {
    status = ready_operand(c, held, &ready[held], err);
    if (status == ND_OK) held++;
  }
  if (status == ND_OK) status = run_ready(c, ready, target, err);
  while (held-- > 0) nd_view_drop(&ready[held]);
  return status;
}

/* Allocate the result before the operands are made ready: allocating may collect garbage, and
 * running out of memory is noticed first. */
static nd_status run_new(call *c, nd_view *out, nd_error *err) {
  nd_view made;
  ND_TRY(ndi_new_on(c->like, c->result, c->ndim, c->shape, &made, err));
  nd_status status = nd_storage_allocate(made.storage, err);
  if (status == ND_OK) status = run(c, &made, err);
  if (status == ND_OK) *out = made;
  else nd_view_drop(&made);
  return status;
}

/* Clamping with one bound is MAXIMUM or MINIMUM. */
static void start_clamp(call *c) {
  const nd_operand *lo = &c->operands[1], *hi = &c->operands[2];
  const bool has_lo = lo->array || lo->value.dtype != ND_DTYPE_COUNT;
  const bool has_hi = hi->array || hi->value.dtype != ND_DTYPE_COUNT;
  if (has_lo && has_hi) return;
  c->op = has_lo ? ND_OP_MAXIMUM : ND_OP_MINIMUM;
  c->count = 2;
  if (!has_lo) c->operands[1] = *hi;
}

/* ndi_scalar_compared wants the scalar on the right: 2 < a becomes a > 2. */
static void start_comparison(call *c) {
  const nd_operand first = c->operands[0];
  if (first.array || !nd_op_is_comparison(c->op, &c->op)) return;
  c->operands[0] = c->operands[1];
  c->operands[1] = first;
}

/* Run the call. The result is written to c->dst; where that is NULL, to a new 'out'. */
static nd_status compute(call *c, nd_view *out, nd_error *err) {
  /* backwards, so that the first array is what remains */
  for (int i = c->count; i-- > 0;)
    if (c->operands[i].array) c->like = c->operands[i].array;
  if (!c->like)
    return nd_fail(err, ND_TYPE_MISMATCH, "%s: one of the operands must be an array", c->name);
  ND_TRY(find_dtype(c, err));
  ND_TRY(find_shape(c, err));
  if (!c->dst) return run_new(c, out, err);
  ND_TRY(check_target(c, err));
  return run(c, c->dst, err);
}

/* {=== small arrays ===} Packed, in host memory, of one dtype and shape: these are not worth what
 * the functions above find out. */

/* May 'z' be written element by element while 'x' is read? */
static bool is_apart(const nd_view *z, const nd_view *x) {
  return z->storage != x->storage || ndi_same_elements(z, x);
}

/* To 'dst', or where that is NULL to a new array, for which there may be no memory: that is the
 * end, too, with '*status', as asking twice would make room twice. 'x' has the operands. */
static bool run_small(nd_op op, int count, const nd_view *const *x, const nd_view *like,
                      const nd_view *dst, nd_view *out, nd_status *status, nd_error *err) {
  const nd_dtype result = nd_op_result_dtype(op, (nd_dtype)like->dtype);
  nd_view made;
  if (dst)
    return dst->dtype == result && nd_view_same_shape(dst, like) && is_apart(dst, x[0]) &&
           is_apart(dst, x[1]) &&
           ndi_small_elementwise(op, count, (const nd_view *[]){dst, x[0], x[1]});
  /* finalizers may run here, and free an operand: ndi_small_elementwise looks again */
  if ((*status = nd_new_like(like, result, &made, err)) != ND_OK) return true;
  if (ndi_small_elementwise(op, count, (const nd_view *[]){&made, x[0], x[1]}))
    return *out = made, true;
  nd_view_drop(&made);
  return false;
}

/* A number of the script as the kernel wants it. Comparisons and bounds look at its value first. */
static bool ready_scalar(nd_op op, const nd_scalar *value, nd_dtype dtype, nd_view *out) {
  return !nd_op_is_comparison(op, NULL) && op != ND_OP_MAXIMUM && op != ND_OP_MINIMUM &&
         nd_scalar_as(nd_op_get(op)->name, value, dtype, out, NULL) == ND_OK;
}

/* False, with nothing done: compute it as any other call, which also says what is wrong with it. */
static bool compute_small(nd_op op, const nd_operand *operands, const nd_view *dst, nd_view *out,
                          nd_status *status, nd_error *err) {
  const int count = nd_op_get(op)->operands;
  if (count > 2) return false;
  const nd_view *a = operands[0].array, *b = count == 2 ? operands[1].array : a, *like = a ? a : b;
  if (!like || !ndi_is_small(like) || !ndi_small_kernel(op, (nd_dtype)like->dtype) ||
      (a && b && (a->dtype != b->dtype || !nd_view_same_shape(a, b))))
    return false;
  nd_view value;
  value.storage = NULL; /* alone: to clear the axes would take as long as the work */
  if ((!a || !b) && !ready_scalar(op, &operands[a ? 1 : 0].value, (nd_dtype)like->dtype, &value))
    return false;
  const nd_view *x[] = {a ? a : &value, b ? b : &value};
  const bool is_done = run_small(op, count, x, like, dst, out, status, err);
  nd_view_drop(&value);
  return is_done;
}

nd_status nd_elementwise(nd_op op, const nd_operand *operands, const nd_view *dst, nd_view *out,
                         nd_error *err) {
  const nd_op_traits *traits = nd_op_get(op);
  nd_status status = ND_OK;
  if (compute_small(op, operands, dst, out, &status, err)) return status;
  call c = {.name = traits->name, .op = op, .count = traits->operands, .dst = dst};
  for (int i = 0; i < c.count; i++) c.operands[i] = operands[i];
  if (op == ND_OP_CLAMP) start_clamp(&c);
  start_comparison(&c);
  return compute(&c, out, err);
}
