/* Leaf calls: what compiled Lua code calls through the FFI, without leaving the compiled code. A C
 * function that Lua calls costs it a trace exit, and a loop that contains one is interpreted in
 * parts; for views and small arrays that is more than the work itself.
 *
 * Their rule is that nothing here may call Lua, allocate its objects, raise or collect: LuaJIT does
 * not expect that of a call through the FFI. So the handles of results are made in advance
 * (module_spare), some at a time, and lua/ndbuf/leaf.lua keeps them. Each function returns DONE or,
 * with nothing done, another value: the caller then calls the ordinary C function, which does it or
 * says what is wrong. The addresses in 'a', 'b' and 'z' are those of handles, which leaf.lua knows
 * by their metatables. */
#include <math.h>
#include <string.h>

#include "bind/memory.h"
#include "dev/small.h"
#include "kern/cast.h"

enum {
  SPARES = 16, /* handles made at a time */
  AXES = 2     /* that a handle made in advance has room for */
};

/* False where the dispatcher has more to do than to call the function. */
static bool is_quiet(const ndb_state *S) {
  return !nd_has_pending() && !S->scope_depth && !ndb_has_released(S) && !ndb_has_records(S);
}

/* What a leaf call returns. Not spare: a handle that a finalizer has taken meanwhile, or finalized,
 * is not used again. */
enum { NOT_SPARE = -1, NOT_DONE, DONE };

static bool is_spare(const ndb_array *made) { return made && ndb_is_spare(made); }

/* Is 'a' in use, an array still? */
static bool is_set(const ndb_array *a) { return a && !ndb_is_unset(a); }

/* May a kernel read the elements of 'a' as one run? */
static bool is_packed(const ndb_array *a) {
  return a && a->head.is_packed && ndb_is_fresh(&a->head);
}

static ptrdiff_t itemsize(const ndb_array *a) { return (ptrdiff_t)nd_view_itemsize(&a->view); }

/* The first element of a packed array. By the head, since a:rows() moves no more than that. */
static char *first(const ndb_array *a) {
  ptrdiff_t items = 0;
  for (int i = 0; i < a->head.ndim; i++) items += a->head.step[i];
  return (char *)((uintptr_t)a->head.p1 + (uintptr_t)(items * itemsize(a)));
}

/* {=== views ===} */

/* The functions that leaf.lua names by their number in this list, from 0, and how many axes less
 * than theirs the result has. */
static const struct {
  ndb_part_finder *find;
  int removes;
} parts[] = {
    {ndb_part_row, 1}, {ndb_part_select, 1}, {ndb_part_narrow, 0}, {ndb_part_transpose, 0}};

/* The view is made in its handle, which is of the same dtype: a finder that returns false has
 * written nothing. */
static int leaf_part(ndb_state *S, ndb_array *made, const ndb_array *a, int which, int count,
                     double k1, double k2, double k3) {
  const double numbers[] = {k1, k2, k3};
  if (!is_spare(made)) return NOT_SPARE;
  if (!is_set(a) || !is_quiet(S) || a->view.ndim > AXES + parts[which].removes ||
      !parts[which].find(&a->view, count, numbers, &made->view))
    return NOT_DONE;
  nd_storage_hold(made->view.storage);
  ndb_finish(S, made, a);
  return DONE;
}

static int leaf_slice(ndb_state *S, ndb_array *made, const ndb_array *a, const char *text,
                      double length) {
  nd_view part;
  if (!is_spare(made)) return NOT_SPARE;
  if (!is_set(a) || !is_quiet(S) || !ndb_part_slice(&a->view, text, (size_t)length, &part) ||
      part.ndim > AXES)
    return NOT_DONE;
  nd_view_copy(&part, &made->view);
  ndb_finish(S, made, a);
  return DONE;
}

/* {=== new arrays ===} */

/* Memory without a call of Lua, which the callbacks of nd_call would make. NULL: there is none. */
static nd_storage *make_storage(nd_resource *from, size_t bytes, bool is_zeroed) {
  const nd_storage_options options = {.zeroed = is_zeroed, .lazy = ND_AT_ONCE};
  nd_storage *storage = nd_storage_make_small(from, bytes, options);
  if (storage) return storage;
  const nd_call *outer = nd_call_set(NULL);
  const nd_status status = nd_storage_make(from, bytes, options, &storage, NULL);
  nd_call_set(outer);
  return status == ND_OK ? storage : NULL;
}

/* Make the array of 'made', of up to two axes, with the extents of 'axes'. False where there is no
 * memory, and where a collection would have to come first. */
static bool make_array(ndb_state *S, ndb_array *made, nd_resource *from, int ndim,
                       const nd_axis *axes, bool is_zeroed) {
  nd_view *v = &made->view;
  const size_t item = nd_view_itemsize(v);
  const size_t size = ndim == 2 ? axes[0].len * axes[1].len : axes[0].len;
  if (from->up || ndb_memory_for(S, from) != from) return false; /* adaptors may need the call */
  if (!ndb_add_debt(S, from, size * item)) return false;
  nd_storage *storage = make_storage(from, size * item, is_zeroed);
  if (!storage) return ndb_forget_debt(S, from, size * item), false;
  v->offset = 0;
  v->ndim = (uint8_t)ndim;
  v->is_read_only = false;
  v->size = size;
  v->axis[ndim - 1] = (nd_axis){axes[ndim - 1].len, (ptrdiff_t)item};
  if (ndim == 2) v->axis[0] = (nd_axis){axes[0].len, (ptrdiff_t)(axes[1].len * item)};
  v->storage = storage;
  ndb_finish(S, made, NULL);
  return true;
}

/* A new array of 'ndim' axes, 1 or 2. Small ones only. */
static int leaf_make(ndb_state *S, ndb_array *made, int is_zeroed, int ndim, double rows,
                     double columns) {
  const double most = NDI_SMALL_BYTES;
  if (!is_spare(made)) return NOT_SPARE;
  if (!is_quiet(S) || !(rows >= 1 && rows <= most) || !(columns >= 1 && columns <= most))
    return NOT_DONE;
  const nd_axis axes[] = {{(size_t)rows, 0}, {(size_t)columns, 0}};
  if ((double)axes[0].len != rows || (double)axes[1].len != columns ||
      axes[0].len * axes[1].len > NDI_SMALL_BYTES / nd_view_itemsize(&made->view))
    return NOT_DONE;
  return make_array(S, made, nd_host_resource(), ndim, axes, is_zeroed);
}

/* {=== elementwise ===} */

/* Nothing between 'z' and 'x' depends on the order in which elements are written and read. */
static bool is_apart(const ndb_array *z, const ndb_array *x) {
  return z->view.storage != x->view.storage || (first(z) == first(x) && itemsize(z) == itemsize(x));
}

/* Make 'z' ready for the result, of dtype 'to', of operands like 'a': an array in use or, 'is_new',
 * a handle. */
static bool ready_result(ndb_state *S, ndb_array *z, int is_new, int to, const ndb_array *a) {
  const nd_view *like = &a->view;
  if (is_new)
    return like->ndim <= AXES && z->view.dtype == to &&
           make_array(S, z, like->storage->resource, like->ndim, like->axis, false);
  return is_packed(z) && !z->view.is_read_only && z->view.dtype == to &&
         nd_view_same_shape(&z->view, like) && is_apart(z, a);
}

/* 'kernel' is for the dtype of 'a' and 'b', and gives 'to'; 'b' is NULL where it has one operand.
 */
static int leaf_compute(ndb_state *S, ndb_array *z, int is_new, ndi_kernel *kernel, int to,
                        const ndb_array *a, const ndb_array *b) {
  if (is_new && !is_spare(z)) return NOT_SPARE;
  if (!is_quiet(S) || !is_packed(a)) return NOT_DONE;
  if (b && (!is_packed(b) || !nd_view_same_shape(&a->view, &b->view))) return NOT_DONE;
  if (!ready_result(S, z, is_new, to, a)) return NOT_DONE;
  if (b && !is_new && !is_apart(z, b)) return NOT_DONE;
  char *const at[] = {first(z), first(a), b ? first(b) : NULL};
  const ptrdiff_t step[] = {itemsize(z), itemsize(a), itemsize(a)};
  kernel(a->view.size, at, step);
  return DONE;
}

/* Convert a number to an element of 'dtype'. False where the array's dtype does not hold it, other
 * than rounded to floats. */
static bool to_element(nd_dtype dtype, double number, char *out) {
  const double most = 9007199254740992.0; /* 2^53 */
  const nd_kind kind = nd_dtype_get(dtype)->kind;
  double back;
  if (kind == ND_KIND_BOOL) return false;
  ndi_cast_find(dtype, ND_F64, ND_SATURATE)(1, out, 0, (const char *)&number, 0);
  if (!nd_kind_is_integer(kind)) return true;
  ndi_cast_find(ND_F64, dtype, ND_SATURATE)(1, (char *)&back, 0, out, 0);
  return back == number && number >= -most && number <= most;
}

/* With a number as the second operand or, 'is_first', as the first. */
static int leaf_compute_number(ndb_state *S, ndb_array *z, int is_new, ndi_kernel *kernel, int to,
                               const ndb_array *a, double number, int is_first) {
  _Alignas(16) char element[16];
  if (is_new && !is_spare(z)) return NOT_SPARE;
  if (!is_quiet(S) || !is_packed(a) || !to_element((nd_dtype)a->view.dtype, number, element) ||
      !ready_result(S, z, is_new, to, a))
    return NOT_DONE;
  char *const at[] = {first(z), is_first ? element : first(a), is_first ? first(a) : element};
  const ptrdiff_t step[] = {itemsize(z), is_first ? 0 : itemsize(a), is_first ? itemsize(a) : 0};
  kernel(a->view.size, at, step);
  return DONE;
}

/* {=== values ===} */

/* A result as a Lua number; NaN for an integer that none holds exactly. LuaJIT's other values are
 * NaNs of other bits. */
static double to_number(nd_dtype dtype, const void *value) {
  const double most = 9007199254740992.0; /* 2^53 */
  double x;
  ndi_cast_find(ND_F64, dtype, ND_SATURATE)(1, (char *)&x, 0, value, 0);
  const bool is_exact = !nd_kind_is_integer(nd_dtype_get(dtype)->kind) || (x > -most && x < most);
  return is_exact && !isnan(x) ? x : NAN;
}

/* Over all elements, of operations whose results are real numbers. NaN: it is the result, or this
 * was not done. */
static double leaf_reduce(ndb_state *S, int op, const ndb_array *a) {
  nd_scalar item;
  if (!is_quiet(S) || !is_set(a) || !ndi_small_reduce((nd_op)op, &a->view, item.bytes)) return NAN;
  return to_number(nd_op_result_dtype((nd_op)op, (nd_dtype)a->view.dtype), item.bytes);
}

static int leaf_fill(ndb_state *S, const ndb_array *z, double value) {
  return is_quiet(S) && is_set(z) && ndi_small_fill(&z->view, ND_F64, &value);
}

static int leaf_copy(ndb_state *S, const ndb_array *z, const ndb_array *a) {
  return is_quiet(S) && is_set(z) && is_set(a) && ndi_small_copy(&z->view, &a->view, ND_SATURATE);
}

/* {=== for leaf.lua ===} */

/* An argument that is the number of an operation or a dtype. */
static int check_number(lua_State *L, ndb_state *S, int arg, const char *what, int count) {
  const int64_t number = ndb_check_integer(L, S, arg, what);
  if (number < 0 || number >= count)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "%lld is not the number of one", (long long)number);
  return (int)number;
}

/* What runs in finalizers meanwhile need not wait for the end of this call, which works on no
 * array (see ndb_drop_late). */
static void count_call(ndb_state **S) { (*S)->calls++; }

static void push_handles(lua_State *L, ndb_state *S, nd_dtype dtype, int count) {
  ND_AT_EXIT(count_call) ndb_state *uncounted = S; /* after errors, too */
  S->calls--;
  luaL_checkstack(L, SPARES + 1, "spare");
  for (int i = 0; i < count; i++) ndb_begin(L, uncounted, dtype, AXES);
}

/* spare(list, dtype): appends handles of arrays that are still to be made, of the dtype with this
 * number, to a list whose length is at 0; returns the length. */
static int module_spare(lua_State *L, ndb_state *S) {
  const nd_dtype dtype = (nd_dtype)check_number(L, S, 2, "dtype", ND_DTYPE_COUNT);
  const int count = S->is_stressed ? 1 : SPARES;
  if (!lua_istable(L, 1)) ndb_fail_type(L, S, 1, "list", "a table");
  push_handles(L, S, dtype, count);
  lua_rawgeti(L, 1, 0); /* now: finalizers may have called us */
  const lua_Integer had = lua_tointeger(L, -1);
  int length = had >= 0 && had < INT16_MAX ? (int)had : 0;
  lua_pop(L, 1);
  for (int i = 0; i < count; i++) lua_rawseti(L, 1, ++length);
  lua_pushinteger(L, length);
  lua_rawseti(L, 1, 0);
  lua_pushinteger(L, length);
  return 1;
}

/* small_operation(op, dtype), by their numbers: nothing where there is no leaf call for it, else
 * the number of the result's dtype and, of elementwise operations, the kernel, and whether it takes
 * numbers: comparisons and bounds look at their values first. */
static int module_small_operation(lua_State *L, ndb_state *S) {
  const nd_op op = (nd_op)check_number(L, S, 1, "op", ND_OP_COUNT);
  const nd_dtype dtype = (nd_dtype)check_number(L, S, 2, "dtype", ND_DTYPE_COUNT);
  const nd_op_traits *row = nd_op_get(op);
  if (!nd_op_is_defined(op, dtype)) return 0;
  const nd_dtype result = nd_op_result_dtype(op, dtype);
  const nd_kind kind = nd_dtype_get(result)->kind;
  lua_pushinteger(L, (lua_Integer)result);
  if (row->group == ND_GROUP_REDUCE) {
    const bool is_folded = row->form == ND_FORM_FOLD || row->form == ND_FORM_MEAN;
    return is_folded && kind != ND_KIND_COMPLEX && kind != ND_KIND_BOOL;
  }
  ndi_kernel *kernel = ndi_small_kernel(op, dtype);
  if (!kernel) return 0;
  lua_pushlightuserdata(L, (void *)(uintptr_t)kernel);
  lua_pushboolean(L, !nd_op_is_comparison(op, NULL) && op != ND_OP_MINIMUM && op != ND_OP_MAXIMUM);
  return 3;
}

const ndb_reg ndb_leaf_functions[] = {
    {"spare", module_spare, 2}, {"small_operation", module_small_operation, 2}, {NULL, NULL, 0}};

void ndb_open_leaf(lua_State *L, ndb_state *S) {
  const struct {
    const char *name;
    uintptr_t at;
  } list[] = {{"state", (uintptr_t)S},
              {"part", (uintptr_t)leaf_part},
              {"slice", (uintptr_t)leaf_slice},
              {"make", (uintptr_t)leaf_make},
              {"compute", (uintptr_t)leaf_compute},
              {"compute_number", (uintptr_t)leaf_compute_number},
              {"reduce", (uintptr_t)leaf_reduce},
              {"fill", (uintptr_t)leaf_fill},
              {"copy", (uintptr_t)leaf_copy}};
  lua_newtable(L);
  for (size_t i = 0; i < ND_COUNTOF(list); i++) {
    lua_pushlightuserdata(L, (void *)list[i].at);
    lua_setfield(L, -2, list[i].name);
  }
  lua_newtable(L);
  for (int i = 0; i < ND_DTYPE_COUNT; i++) {
    lua_pushinteger(L, i);
    lua_setfield(L, -2, nd_dtype_get((nd_dtype)i)->name);
  }
  lua_setfield(L, -2, "dtypes");
  lua_setfield(L, -2, "leaf");
}
