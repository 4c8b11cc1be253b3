/* Methods that make views. None copies, but reshape with {copy = true}. The core computes with
 * 0-based axes and byte steps; the methods convert and check the script's arguments.
 *
 * In each method 'v' is the view inside the handle of argument 1. The stack keeps that handle
 * alive, so 'v' stays valid even if a finalizer runs while the other arguments are read. The core
 * gives 'out' a reference to the storage; ndb_push_made passes it on to the new handle;
 * between the two nothing may raise, or the reference would be lost. */
#include <string.h>

#include "bind/bind.h"

/* reshape(shape [, {copy =}]) */
static int view_reshape(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  int64_t shape[ND_MAX_NDIM];
  int next;
  ndb_options options;
  nd_view out, copied;
  nd_error err;
  const int ndim = ndb_check_shape(L, S, 2, "shape", true, shape, &next);
  ndb_read_options(L, S, next, NDB_BIT(COPY), &options);
  const bool may_copy = ndb_option_boolean(L, S, &options, NDB_COPY, false);
  const nd_status status = nd_view_reshape(v, ndim, shape, &out, &err);
  /* the other failures are of the shape itself: a copy would fail as well */
  if (status != ND_INVALID_VIEW || !may_copy) return ndb_push_made(L, S, status, &out, &err);
  /* row-major, so that any shape of the same size is a view of it */
  ndb_check(L, S, nd_astype(v, (nd_dtype)v->dtype, ND_SATURATE, &copied, &err), &err);
  const nd_status again = nd_view_reshape(&copied, ndim, shape, &out, &err);
  nd_view_drop(&copied); /* 'out' has a reference of its own */
  return ndb_push_made(L, S, again, &out, &err);
}

static int view_flatten(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  const int64_t shape = (int64_t)v->size;
  nd_view out;
  nd_error err;
  return ndb_push_made(L, S, nd_view_reshape(v, 1, &shape, &out, &err), &out, &err);
}

/* permute(axes): a 0-d array has no axes to name, which ndb_check_integers would refuse. That each
 * axis is named once is for nd_view_permute to check. */
static int view_permute(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  int64_t axes[ND_MAX_NDIM];
  int order[ND_MAX_NDIM], next = 2;
  nd_view out;
  nd_error err;
  const int n = v->ndim == 0 && lua_isnoneornil(L, 2)
                    ? 0
                    : ndb_check_integers(L, S, 2, "axes", ND_MAX_NDIM, axes, &next);
  ndb_end_arguments(L, S, next - 1);
  if (n != v->ndim)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "permute",
                  ND_NUMBERS({"actual", n}, {"expected", v->ndim}),
                  "expected each of the %d axes once, got %d", v->ndim, n);
  for (int i = 0; i < n; i++)
    ndb_check(L, S, ndb_axis_resolve("permute", axes[i], v->ndim, &order[i], &err), &err);
  return ndb_push_made(L, S, nd_view_permute(v, order, &out, &err), &out, &err);
}

/* The dispatcher lets one argument pass, so that this message can name the methods that take
 * axes. */
static int view_transpose(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  int order[ND_MAX_NDIM];
  nd_view out;
  nd_error err;
  if (!lua_isnoneornil(L, 2))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "transpose",
             "takes no arguments: it reverses all axes; use :permute() or :swapaxes()");
  for (int i = 0; i < v->ndim; i++) order[i] = v->ndim - 1 - i;
  return ndb_push_made(L, S, nd_view_permute(v, order, &out, &err), &out, &err);
}

static int view_swapaxes(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  int order[ND_MAX_NDIM];
  nd_view out;
  nd_error err;
  const int i = ndb_check_axis(L, S, 2, "swapaxes", v->ndim),
            j = ndb_check_axis(L, S, 3, "swapaxes", v->ndim);
  for (int k = 0; k < v->ndim; k++) order[k] = k == i ? j : k == j ? i : k;
  return ndb_push_made(L, S, nd_view_permute(v, order, &out, &err), &out, &err);
}

/* narrow(axis, first, count). For the empty view 'first' may be one past the end. */
static int view_narrow(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_view out;
  nd_error err;
  size_t first;
  const int axis = ndb_check_axis(L, S, 2, "narrow", v->ndim);
  const int64_t at = ndb_check_integer(L, S, 3, "first");
  const size_t count = ndb_check_size(L, S, 4, "count"), len = v->axis[axis].len;
  if (count == 0 && at == (int64_t)len + 1) first = len;
  else ndb_check(L, S, ndb_index_resolve(at, len, axis, &first, &err), &err);
  return ndb_push_made(L, S, nd_view_narrow(v, axis, first, count, &out, &err), &out, &err);
}

static int view_select(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_view out;
  nd_error err;
  size_t at;
  const int axis = ndb_check_axis(L, S, 2, "select", v->ndim);
  ndb_check(
      L, S,
      ndb_index_resolve(ndb_check_integer(L, S, 3, "index"), v->axis[axis].len, axis, &at, &err),
      &err);
  return ndb_push_made(L, S, nd_view_select(v, axis, at, &out, &err), &out, &err);
}

/* squeeze([axis]): -1 for the core is every axis of extent 1. */
static int view_squeeze(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_view out;
  nd_error err;
  const int axis = lua_isnoneornil(L, 2) ? -1 : ndb_check_axis(L, S, 2, "squeeze", v->ndim);
  return ndb_push_made(L, S, nd_view_squeeze(v, axis, &out, &err), &out, &err);
}

/* unsqueeze(axis): 1 to ndim + 1, or negative from the end, of the result's axes. */
static int view_unsqueeze(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_view out;
  nd_error err;
  const int axis = ndb_check_axis(L, S, 2, "unsqueeze", v->ndim + 1);
  return ndb_push_made(L, S, nd_view_unsqueeze(v, axis, &out, &err), &out, &err);
}

/* expand(shape): -1 keeps the array's extent of that axis; axes are matched from the last. */
static int view_expand(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  int64_t shape[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM];
  int next;
  nd_view out;
  nd_error err;
  const int ndim = ndb_check_shape(L, S, 2, "shape", true, shape, &next);
  ndb_end_arguments(L, S, next - 1);
  for (int i = 0; i < ndim; i++) {
    /* the array's axis that becomes axis i; negative: a new axis in front */
    const int own = i - (ndim - v->ndim);
    if (shape[i] == -1 && own < 0)
      ndb_fail(L, S, ND_INVALID_ARGUMENT, "shape", "extent %d is -1, but there is no axis to keep",
               i + 1);
    if (shape[i] == -1) shape[i] = (int64_t)v->axis[own].len;
  }
  ndb_to_sizes(ndim, shape, sizes);
  return ndb_push_made(L, S, nd_view_expand(v, ndim, sizes, &out, &err), &out, &err);
}

/* unfold(axis, size [, step]): sliding windows, which share elements where the step is less than
 * the size. */
static int view_unfold(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_view out;
  nd_error err;
  const int axis = ndb_check_axis(L, S, 2, "unfold", v->ndim);
  const size_t size = ndb_check_size(L, S, 3, "size"),
               step = lua_isnoneornil(L, 4) ? 1 : ndb_check_size(L, S, 4, "step");
  return ndb_push_made(L, S, nd_view_unfold(v, axis, size, step, &out, &err), &out, &err);
}

/* diagonal([k]): k counts columns to the right, a negative one rows down; nd_view_diagonal checks
 * how far. */
static int view_diagonal(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_view out;
  nd_error err;
  return ndb_push_made(L, S, nd_view_diagonal(v, ndb_opt_integer(L, S, 2, "k", 0), &out, &err),
                       &out, &err);
}

/* flip([axes]): all axes by default. An axis that is named twice is reversed once. */
static int view_flip(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  int64_t axes[ND_MAX_NDIM];
  uint32_t bits = 0;
  int next = 2;
  nd_view out;
  nd_error err;
  if (lua_isnoneornil(L, 2)) {
    bits = (1u << v->ndim) - 1;
  } else {
    const int n = ndb_check_integers(L, S, 2, "axes", ND_MAX_NDIM, axes, &next);
    for (int i = 0, axis; i < n; i++) {
      ndb_check(L, S, ndb_axis_resolve("flip", axes[i], v->ndim, &axis, &err), &err);
      bits |= 1u << axis;
    }
  }
  ndb_end_arguments(L, S, next - 1);
  return ndb_push_made(L, S, nd_view_flip(v, bits, &out, &err), &out, &err);
}

/* bitcast(dtype). ndb_push_view records that the storage is viewed as another type, so that
 * compiled code orders its accesses (nd_storage_pun). */
static int view_bitcast(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_view out;
  nd_error err;
  return ndb_push_made(L, S, nd_view_bitcast(v, ndb_check_dtype(L, S, 2, "dtype"), &out, &err),
                       &out, &err);
}

/* bytes([offset [, size]]): the array's bytes, or 'size' of them from 'offset' (0-based) on. */
static int view_bytes(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_view out;
  nd_error err;
  const size_t total = nd_view_nbytes(v),
               offset = lua_isnoneornil(L, 2) ? 0 : ndb_check_size(L, S, 2, "offset");
  /* an offset past the end must not wrap around; nd_view_bytes refuses it */
  const size_t size = !lua_isnoneornil(L, 3) ? ndb_check_size(L, S, 3, "size")
                      : offset < total       ? total - offset
                                             : 0;
  return ndb_push_made(L, S, nd_view_bytes(v, offset, size, &out, &err), &out, &err);
}

/* Unlike bytes(), it reaches what this view leaves out, and needs no contiguous view. */
static int view_storage_bytes(lua_State *L, ndb_state *S) {
  nd_view out;
  nd_error err;
  return ndb_push_made(L, S, nd_view_storage_bytes(&ndb_check_self(L, S)->view, &out, &err), &out,
                       &err);
}

/* {=== split ===} */

/* Set entry 'at' of the table at the top to a view of 'len' items of 'axis', from 'first' on. */
static void push_part(lua_State *L, ndb_state *S, const nd_view *v, int axis, size_t first,
                      size_t len, int at) {
  nd_view out;
  nd_error err;
  ndb_check(L, S, nd_view_narrow(v, axis, first, len, &out, &err), &err);
  ndb_push_view(L, S, &out);
  lua_rawseti(L, -2, at);
}

/* split(axis, sizes | count): sizes must add up to the extent; a count makes parts of equal length,
 * but the first ones longer by 1 where it does not divide the extent. */
static int view_split(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  const int axis = ndb_check_axis(L, S, 2, "split", v->ndim);
  const size_t len = v->axis[axis].len;
  size_t first = 0;
  const bool by_sizes = lua_istable(L, 3);
  const size_t parts = by_sizes ? lua_objlen(L, 3) : ndb_check_size(L, S, 3, "count");
  if (parts == 0 || parts > 1 << 24)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "split",
                  ND_NUMBERS({"value", (int64_t)parts}, {"limit", 1 << 24}),
                  "%zu parts; the limits are 1 and %d", parts, 1 << 24);
  lua_settop(L, 3);
  lua_createtable(L, (int)parts, 0);
  for (size_t i = 0; i < parts; i++) {
    size_t size = len / parts + (i < len % parts);
    if (by_sizes) {
      lua_rawgeti(L, 3, (int)i + 1);
      size = ndb_check_size(L, S, -1, "sizes");
      lua_pop(L, 1);
    }
    /* 'first' is at most 'len' here, so that the difference does not wrap */
    if (size > len - first || (i + 1 == parts && first + size != len))
      ndb_fail_with(L, S, ND_SIZE_MISMATCH, "split",
                    ND_NUMBERS({"axis", axis + 1}, {"actual", (int64_t)(first + size)},
                               {"expected", (int64_t)len}),
                    "the first %zu sizes add up to %zu, but axis %d has size %zu", i + 1,
                    first + size, axis + 1, len);
    push_part(L, S, v, axis, first, size, (int)i + 1);
    first += size;
  }
  return 1;
}

/* {=== arbitrary strides ===} */

/* as_strided(shape, byte_strides [, offset]): the first two are tables, as a list of integers would
 * not show where the shape ends. The offset counts from the start of the storage; by default the
 * first element stays where it is. */
static int view_as_strided(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  int64_t shape[ND_MAX_NDIM], steps[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM];
  ptrdiff_t byte_steps[ND_MAX_NDIM];
  int next;
  nd_view out;
  nd_error err;
  if (!lua_istable(L, 2)) ndb_fail_type(L, S, 2, "shape", "a table");
  if (!lua_istable(L, 3)) ndb_fail_type(L, S, 3, "byte_strides", "a table");
  const int ndim = ndb_check_shape(L, S, 2, "shape", false, shape, &next);
  const int count = ndb_check_integers(L, S, 3, "byte_strides", ND_MAX_NDIM, steps, &next);
  const size_t offset = lua_isnoneornil(L, 4) ? v->offset : ndb_check_size(L, S, 4, "offset");
  if (count != ndim)
    ndb_fail_with(L, S, ND_SHAPE_MISMATCH, "byte_strides",
                  ND_NUMBERS({"actual", count}, {"expected", ndim}), "%d strides for %d axes",
                  count, ndim);
  ndb_to_sizes(ndim, shape, sizes);
  for (int i = 0; i < ndim; i++) byte_steps[i] = (ptrdiff_t)steps[i];
  return ndb_push_made(L, S, nd_view_as_strided(v, ndim, sizes, byte_steps, offset, &out, &err),
                       &out, &err);
}

/* Only the new view and views made of it are read-only: the array itself may still be written. */
static int view_readonly(lua_State *L, ndb_state *S) {
  nd_view out;
  nd_view_copy(&ndb_check_self(L, S)->view, &out);
  out.is_read_only = true;
  ndb_push_view(L, S, &out);
  return 1;
}

const ndb_reg ndb_view_methods[] = {{"reshape", view_reshape, NDB_ANY},
                                    {"flatten", view_flatten, 1},
                                    {"transpose", view_transpose, 2}, /* says more */
                                    {"permute", view_permute, NDB_ANY},
                                    {"swapaxes", view_swapaxes, 3},
                                    {"narrow", view_narrow, 4},
                                    {"select", view_select, 3},
                                    {"squeeze", view_squeeze, 2},
                                    {"unsqueeze", view_unsqueeze, 2},
                                    {"expand", view_expand, NDB_ANY},
                                    {"unfold", view_unfold, 4},
                                    {"diagonal", view_diagonal, 2},
                                    {"flip", view_flip, NDB_ANY},
                                    {"bitcast", view_bitcast, 2},
                                    {"bytes", view_bytes, 3},
                                    {"storage_bytes", view_storage_bytes, 1},
                                    {"split", view_split, 3},
                                    {"as_strided", view_as_strided, 4},
                                    {"readonly_view", view_readonly, 1},
                                    {NULL, NULL, 0}};
