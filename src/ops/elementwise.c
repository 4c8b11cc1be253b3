/* Elementwise operations: dtypes, broadcasting, values of scripts, overlap; then the device's run.
 */
#include <stdio.h>
#include <string.h>

#include "ops/common.h"

enum { MOST_OPERANDS = 3 };

static const struct {
  const char *name;
  int operands;
  nd_domain domain;
  nd_gives gives;
} traits[] = {
#define ND_ROW(ID, name, operands, domain, gives) \
  {#name, operands, ND_DOMAIN_##domain, ND_GIVES_##gives},
    ND_ELEMENTWISE_OPS(ND_ROW)
#undef ND_ROW
};

typedef struct {
  const char *name; /* of the operation that was asked for */
  nd_op op;
  int count;
  nd_operand operands[MOST_OPERANDS];
  const nd_view *like; /* the first array: its place is the result's */
  const nd_view *dst;
  nd_dtype dtype, result; /* computed in (ND_DTYPE_COUNT: compared as they are), given */
  bool is_of_values;      /* no array has part in the dtype */
  int ndim;
  size_t shape[ND_MAX_NDIM];
} call;

/* {=== what is computed in ===} */

/* Conditions and truths take any dtype and have no part in the promotion. */
static bool is_truth(const call *c, int i) {
  return traits[c->op].domain == ND_DOMAIN_TRUTH || (c->op == ND_OP_WHERE && i == 0);
}

/* What the arrays are promoted to, or where there are none, as both values of WHERE may be, the
 * values. */
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

static bool is_defined(nd_domain domain, nd_kind kind) {
  switch (domain) {
    case ND_DOMAIN_NUMERIC: return kind != ND_KIND_BOOL;
    case ND_DOMAIN_REAL: return kind != ND_KIND_BOOL && kind != ND_KIND_COMPLEX;
    case ND_DOMAIN_ORDERED:
    case ND_DOMAIN_MATH: return kind != ND_KIND_COMPLEX;
    case ND_DOMAIN_BITS: return kind == ND_KIND_BOOL || nd_kind_is_integer(kind);
    case ND_DOMAIN_INTEGER: return nd_kind_is_integer(kind);
    default: return true;
  }
}

static nd_status check_defined(const call *c, nd_dtype dtype, nd_error *err) {
  const nd_dtype_traits *given = nd_dtype_get(dtype);
  if (is_defined(traits[c->op].domain, given->kind)) return ND_OK;
  return nd_fail(err, ND_TYPE_MISMATCH, "%s is not defined for %s; %s", c->name, given->name,
                 given->kind == ND_KIND_COMPLEX ? "use .real or .imag" : "use :astype()");
}

static bool is_comparison(nd_op op) { return op >= ND_OP_LT && op <= ND_OP_NE; }

/* Two arrays whose values no dtype holds all of are compared as they are. */
static bool is_mixed(const call *c) {
  const nd_view *a = c->operands[0].array, *b = c->operands[1].array;
  return is_comparison(c->op) && a && b &&
         nd_dtype_compared((nd_dtype)a->dtype, (nd_dtype)b->dtype) == ND_DTYPE_COUNT;
}

static nd_status find_mixed(call *c, nd_error *err) {
  for (int i = 0; i < c->count; i++)
    ND_TRY(check_defined(c, (nd_dtype)c->operands[i].array->dtype, err));
  c->dtype = ND_DTYPE_COUNT;
  c->result = ND_BOOL;
  return ND_OK;
}

static nd_status find_dtype(call *c, nd_error *err) {
  const nd_domain domain = traits[c->op].domain;
  bool found;
  if (is_mixed(c)) return find_mixed(c, err);
  c->dtype = ND_BOOL;
  ND_TRY(promote(c, true, &found, err));
  c->is_of_values = !found;
  if (!found) ND_TRY(promote(c, false, &found, err));
  ND_TRY(check_defined(c, c->dtype, err));
  const nd_kind kind = nd_dtype_get(c->dtype)->kind;
  const bool is_float = kind == ND_KIND_FLOAT || kind == ND_KIND_COMPLEX;
  if ((domain == ND_DOMAIN_FLOAT || domain == ND_DOMAIN_MATH) && !is_float) c->dtype = ND_F64;
  switch (traits[c->op].gives) {
    case ND_GIVES_BOOL: c->result = ND_BOOL; break;
    case ND_GIVES_PART: c->result = nd_dtype_part(c->dtype); break;
    default: c->result = c->dtype;
  }
  return ND_OK;
}

/* {=== shape and target ===} */

static nd_status find_shape(call *c, nd_error *err) {
  nd_view so_far = {.ndim = 0, .size = 1}; /* only its shape counts */
  for (int i = 0; i < c->count; i++) {
    const nd_view *v = c->operands[i].array;
    if (!v) continue;
    ND_TRY(ndi_check_live(v, err));
    ND_TRY(nd_broadcast_shape(c->name, &so_far, v, &c->ndim, c->shape, err));
    so_far.ndim = (uint8_t)c->ndim;
    for (int a = 0; a < c->ndim; a++) so_far.axis[a].len = c->shape[a];
  }
  return ND_OK;
}

/* Digits of 64-bit integers that get lost on the way through a float do not show in an integer. */
static nd_status check_digits(const call *c, nd_error *err) {
  if (traits[c->op].gives == ND_GIVES_BOOL) return ND_OK;
  for (int i = 0; i < c->count; i++) {
    const nd_operand *o = &c->operands[i];
    if (is_truth(c, i) || (!o->array && !c->is_of_values)) continue;
    const nd_dtype from = o->array ? (nd_dtype)o->array->dtype : o->value.dtype;
    ND_TRY(ndi_check_digits(c->name, from, c->dtype, c->dst, err));
  }
  return ND_OK;
}

static nd_status check_target(const call *c, nd_error *err) {
  const nd_view *dst = c->dst;
  char text[ND_SHAPE_TEXT], other[ND_SHAPE_TEXT];
  nd_view wanted = {.ndim = (uint8_t)c->ndim};
  for (int i = 0; i < c->ndim; i++) wanted.axis[i].len = c->shape[i];
  ND_TRY(ndi_check_writable(dst, err));
  if (!nd_view_same_shape(dst, &wanted))
    return nd_fail(err, ND_SHAPE_MISMATCH, "%s: the result is (%s), the array to write to (%s)",
                   c->name, ndi_shape_text(&wanted, text), ndi_shape_text(dst, other));
  if (nd_dtype_get(c->result)->kind == ND_KIND_COMPLEX &&
      nd_dtype_get((nd_dtype)dst->dtype)->kind != ND_KIND_COMPLEX)
    return nd_fail(err, ND_TYPE_MISMATCH,
                   "%s: the result is %s and cannot be written to %s: use .real or .imag", c->name,
                   nd_dtype_get(c->result)->name, ndi_dtype_name(dst));
  if (c->result != c->dtype && traits[c->op].gives == ND_GIVES_PART &&
      nd_dtype_get((nd_dtype)dst->dtype)->kind == ND_KIND_COMPLEX)
    return nd_fail(err, ND_TYPE_MISMATCH,
                   "%s: the result is %s and is not written to %s: use %s() or its .real", c->name,
                   nd_dtype_get(c->result)->name, ndi_dtype_name(dst), c->name);
  return check_digits(c, err);
}

/* {=== operands ===} */

/* Element 'at' (in row-major order) of integers that the host has, of at most 63 bits. */
static nd_status integer_at(const nd_view *y, size_t at, int64_t *out, nd_error *err) {
  const size_t bytes = nd_view_itemsize(y), spare = 64 - 8 * bytes;
  ptrdiff_t offset = (ptrdiff_t)y->offset;
  uint64_t bits = 0;
  char *host;
  ND_TRY(nd_storage_host(y->storage, false, &host, err));
  for (int i = y->ndim; i-- > 0; at /= y->axis[i].len)
    offset += (ptrdiff_t)(at % y->axis[i].len) * y->axis[i].step;
  memcpy(&bits, host + offset, bytes);
  *out = (int64_t)(bits << spare) >> spare;
  return ND_OK;
}

static nd_status check_second(const call *c, const nd_view *y, nd_error *err) {
  static const char *const roles[] = {[ND_OP_IDIV] = "divisor",
                                      [ND_OP_MOD] = "divisor",
                                      [ND_OP_POW] = "exponent",
                                      [ND_OP_SHL] = "count of bits",
                                      [ND_OP_SHR] = "count of bits"};
  const bool is_checked = (size_t)c->op < ND_COUNTOF(roles) && roles[c->op];
  size_t first = y->size;
  const nd_task task = {.op = c->op, .name = c->name, .count = 1, .views = {y}, .result = &first};
  if (!is_checked || !nd_kind_is_integer(nd_dtype_get(c->dtype)->kind) || y->size == 0)
    return ND_OK;
  ND_TRY(nd_device_run(nd_device_of(y), &task, err));
  if (first == y->size) return ND_OK;
  char place[48] = "";
  int64_t value;
  ND_TRY(integer_at(y, first, &value, err));
  if (y->ndim > 0) snprintf(place, sizeof place, "element %zu (in row-major order) of ", first + 1);
  return nd_fail_with(err, ND_INVALID_ARGUMENT,
                      ND_NUMBERS({"value", value}, {"position", (int64_t)first + 1}),
                      "%s: %sthe %s is %lld; integers have no such result", c->name, place,
                      roles[c->op], (long long)value);
}

static nd_status compute(call *c, nd_view *out, nd_error *err);

/* No conversion takes a complex number to bool: it is compared with 0. */
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

static nd_status narrow_truth(const call *c, const nd_operand *given, nd_view *out, nd_error *err) {
  nd_view value;
  if (given->array) return ready_truth(c->name, given->array, out, err);
  ND_TRY(ndi_scalar_view(&given->value, &value, err));
  const nd_status status = ready_truth(c->name, &value, out, err);
  nd_view_drop(&value);
  return status;
}

/* Operand i before it is spread. A value may change the comparison; see ndi_scalar_compared. */
static nd_status narrow_operand(call *c, int i, nd_view *out, nd_error *err) {
  const nd_operand *given = &c->operands[i];
  const bool is_lower = c->op == ND_OP_MAXIMUM || (c->op == ND_OP_CLAMP && i == 1);
  const bool is_upper = c->op == ND_OP_MINIMUM || (c->op == ND_OP_CLAMP && i == 2);
  if (is_truth(c, i)) return narrow_truth(c, given, out, err);
  if (given->array) return nd_view_copy(given->array, out), ND_OK;
  if (is_comparison(c->op))
    return ndi_scalar_compared(c->name, &c->op, &given->value, c->dtype, out, err);
  if (is_lower || is_upper)
    return ndi_scalar_bound(c->name, is_upper, &given->value, c->dtype, out, err);
  return nd_scalar_as(c->name, &given->value, c->dtype, out, err);
}

/* Is 'wide' apart from what is written, or that itself, element for element? */
static nd_status check_apart(const call *c, const nd_view *wide, bool *out, nd_error *err) {
  *out = true;
  if (!c->dst || ndi_same_elements(c->dst, wide)) return ND_OK;
  ND_TRY(nd_storage_allocate(wide->storage, err)); /* the test needs addresses */
  ND_TRY(nd_storage_allocate(c->dst->storage, err));
  *out = !nd_view_may_overlap(c->dst, wide);
  return ND_OK;
}

/* Operand i over the whole shape, as the device may read it. */
static nd_status ready_operand(call *c, int i, nd_view *out, nd_error *err) {
  const nd_view *beside = c->dst ? c->dst : c->like;
  nd_view narrow, wide, copy;
  bool is_apart = true;
  if (c->operands[i].array) ND_TRY(ndi_check_beside(beside, c->operands[i].array, err));
  ND_TRY(narrow_operand(c, i, &narrow, err));
  nd_status status = i == 1 ? check_second(c, &narrow, err) : ND_OK;
  if (status == ND_OK) status = nd_view_expand(&narrow, c->ndim, c->shape, &wide, err);
  if (status != ND_OK) return nd_view_drop(&narrow), status;
  status = check_apart(c, &wide, &is_apart, err);
  if (status == ND_OK && (!is_apart || nd_device_of(&narrow) != nd_device_of(beside))) {
    nd_view_drop(&wide);
    status = ndi_copy_beside(beside, &narrow, (nd_dtype)narrow.dtype, ND_SATURATE, &copy, err);
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
  nd_task task = {
      .op = c->op, .name = c->name, .count = c->count + 1, .views = {target}, .dtype = c->dtype};
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

/* There is memory for the result before operands are looked at. */
static nd_status run_new(call *c, nd_view *out, nd_error *err) {
  nd_view made;
  ND_TRY(ndi_new_beside(c->like, c->result, c->ndim, c->shape, &made, err));
  nd_status status = nd_storage_allocate(made.storage, err);
  if (status == ND_OK) status = run(c, &made, err);
  if (status == ND_OK) *out = made;
  else nd_view_drop(&made);
  return status;
}

/* Clamping on one side is the maximum or the minimum. */
static void start_clamp(call *c) {
  const nd_operand *lo = &c->operands[1], *hi = &c->operands[2];
  const bool has_lo = lo->array || lo->value.dtype != ND_DTYPE_COUNT;
  const bool has_hi = hi->array || hi->value.dtype != ND_DTYPE_COUNT;
  if (has_lo && has_hi) return;
  c->op = has_lo ? ND_OP_MAXIMUM : ND_OP_MINIMUM;
  c->count = 2;
  if (!has_lo) c->operands[1] = *hi;
}

/* A value is compared from the right. */
static void start_comparison(call *c) {
  static const nd_op turned[] = {
      [ND_OP_LT] = ND_OP_GT, [ND_OP_LE] = ND_OP_GE, [ND_OP_GT] = ND_OP_LT,
      [ND_OP_GE] = ND_OP_LE, [ND_OP_EQ] = ND_OP_EQ, [ND_OP_NE] = ND_OP_NE};
  const nd_operand first = c->operands[0];
  if (first.array) return;
  c->op = turned[c->op];
  c->operands[0] = c->operands[1];
  c->operands[1] = first;
}

/* With 'dst' the result is written there, without it to 'out'. */
static nd_status compute(call *c, nd_view *out, nd_error *err) {
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

nd_status nd_elementwise(nd_op op, const nd_operand *operands, const nd_view *dst, nd_view *out,
                         nd_error *err) {
  call c = {.name = traits[op].name, .op = op, .count = traits[op].operands, .dst = dst};
  for (int i = 0; i < c.count; i++) c.operands[i] = operands[i];
  if (op == ND_OP_CLAMP) start_clamp(&c);
  if (is_comparison(op)) start_comparison(&c);
  return compute(&c, out, err);
}
