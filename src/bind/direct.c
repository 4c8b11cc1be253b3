/* Short paths ahead of the dispatcher: elements, and the commonest views. What they do not handle
 * is dispatched to the general path, which applies every rule and raises. With the JIT on, the
 * functions of accessors.lua come before those for elements. */
#include <string.h>

#include "bind/bind.h"
#include "kern/cast.h"
#include "view/axes.h"

/* {=== elements ===} a[k], a(i, j) and their stores in C, for when the JIT is off. They use the
 * fast head as accessors.lua does. */

static bool is_fresh(const ndb_array *a) {
  return a->head.epoch == atomic_load_explicit(&a->view.storage->epoch, memory_order_acquire);
}

/* The integral Lua number at 'arg' if it is from 1 to 'limit', else 0: the general path handles
 * negative indices and cdata, and raises. */
static int32_t index_at(lua_State *L, int arg, int32_t limit) {
  if (lua_type(L, arg) != LUA_TNUMBER) return 0;
  const double k = lua_tonumber(L, arg);
  if (!(k >= 1 && k <= limit)) return 0;
  const int32_t i = (int32_t)k;
  return i == k ? i : 0;
}

/* The element's address if the head allows access with the indices at 2 to 'top', else NULL. The
 * address is computed as an integer: p1 is of element 0, outside of the block. */
static char *find_element(lua_State *L, const ndb_array *a, int top, bool for_write) {
  if (!a || !is_fresh(a) || a->view.dtype != lua_tointeger(L, lua_upvalueindex(3))) return NULL;
  const ndb_head *h = &a->head;
  const ptrdiff_t item = (ptrdiff_t)nd_view_itemsize(&a->view);
  const int last = top - 2; /* the last index's axis */
  ptrdiff_t steps = 0;
  if (last > 3 || last + 1 != h->ndim) return NULL;
  for (int i = 0; i <= last; i++) {
    const int32_t most = last == 0   ? (for_write ? h->write_n : h->read_n)
                         : i == last ? (for_write ? h->write_last : h->read_last)
                         : i == 0    ? h->first[last - 1]
                                     : h->inner[i - 1];
    const int32_t k = index_at(L, i + 2, most);
    if (!k) return NULL;
    steps += k * (ptrdiff_t)h->step[i];
  }
  return (char *)((uintptr_t)h->p1 + (uintptr_t)(steps * item));
}

/* The state is the dispatcher's first upvalue. */
static ndb_state *state_of(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

/* {=== views ===} The commonest ones, ahead of the dispatcher as well: what it provides is for
 * calls that allocate memory, wait or raise. So these leave to it all that they would refuse. */

/* The integral Lua number at 'arg', 1 to 'len' or negative from the end, as a position from 0; -1
 * for anything else. */
static ptrdiff_t position_at(lua_State *L, int arg, size_t len) {
  const double most = 9007199254740992.0; /* 2^53 */
  if (lua_type(L, arg) != LUA_TNUMBER) return -1;
  const double k = lua_tonumber(L, arg);
  if (!(k >= -most && k <= most) || (double)(int64_t)k != k) return -1;
  const int64_t n = (int64_t)len, at = (int64_t)k < 0 ? (int64_t)k + n : (int64_t)k - 1;
  return at < n ? (ptrdiff_t)at : -1; /* below 0: none either */
}

/* These make 'out' the view that the arguments ask for, borrowed from 'v', or return false. */
typedef bool part_finder(lua_State *L, const nd_view *v, nd_view *out);

static bool take_item(const nd_view *v, int axis, ptrdiff_t at, nd_view *out) {
  if (at < 0) return false;
  ndi_view_copy_record(v, out);
  ndi_view_advance(out, axis, (size_t)at);
  ndi_view_remove_axis(out, axis);
  ndi_view_set_size(out);
  return true;
}

/* a[i] of an array with more axes. */
static bool find_row(lua_State *L, const nd_view *v, nd_view *out) {
  return lua_gettop(L) == 2 && v->ndim > 1 &&
         take_item(v, 0, position_at(L, 2, v->axis[0].len), out);
}

static bool find_selected(lua_State *L, const nd_view *v, nd_view *out) {
  const ptrdiff_t axis = position_at(L, 2, v->ndim);
  return lua_gettop(L) == 3 && axis >= 0 &&
         take_item(v, (int)axis, position_at(L, 3, v->axis[axis].len), out);
}

static bool find_narrowed(lua_State *L, const nd_view *v, nd_view *out) {
  const ptrdiff_t axis = position_at(L, 2, v->ndim);
  if (lua_gettop(L) != 4 || axis < 0) return false;
  const size_t len = v->axis[axis].len;
  const ptrdiff_t first = position_at(L, 3, len), last = position_at(L, 4, len - (size_t)first);
  if (first < 0 || last < 0 || lua_tonumber(L, 4) < 0) return false; /* a count has no sign */
  ndi_view_copy_record(v, out);
  ndi_view_advance(out, (int)axis, (size_t)first);
  out->axis[axis].len = (size_t)last + 1;
  ndi_view_set_size(out);
  return true;
}

static bool find_transposed(lua_State *L, const nd_view *v, nd_view *out) {
  if (lua_gettop(L) != 1) return false;
  ndi_view_copy_record(v, out);
  for (int i = 0; i < v->ndim; i++) out->axis[i] = v->axis[v->ndim - 1 - i];
  return true;
}

static bool find_permuted(lua_State *L, const nd_view *v, nd_view *out) {
  uint32_t seen = 0;
  if (lua_gettop(L) != v->ndim + 1) return false;
  ndi_view_copy_record(v, out);
  for (int i = 0; i < v->ndim; i++) {
    const ptrdiff_t from = position_at(L, i + 2, v->ndim);
    if (from < 0 || seen >> from & 1) return false;
    seen |= 1u << from;
    out->axis[i] = v->axis[from];
  }
  return true;
}

/* a"2:5" and a["2:5"]; "_" alone may be a name. */
static bool find_slice(lua_State *L, const nd_view *v, nd_view *out) {
  ndb_slice items[ND_MAX_INDICES];
  nd_index indices[ND_MAX_INDICES];
  size_t length;
  int count;
  bool is_element;
  const char *text = lua_tolstring(L, 2, &length);
  return lua_gettop(L) == 2 && ndb_slice_is_text(text, length) && strcmp(text, "_") != 0 &&
         ndb_slice_parse(text, length, items, &count, NULL) == ND_OK &&
         ndb_slice_resolve(v, count, items, indices, NULL) == ND_OK &&
         ndi_view_index(v, count, indices, out, &is_element, NULL) == ND_OK && !is_element;
}

static int push_part(lua_State *L, part_finder *find) {
  const ndb_array *a = ndb_to_array(L, 1);
  const int wanted = (int)lua_tointeger(L, lua_upvalueindex(3)); /* NDB_ANY: properties */
  nd_view part;
  if (!a || (wanted >= 0 && a->view.dtype != wanted) || ndb_is_unset(a) || nd_has_pending() ||
      !find(L, &a->view, &part))
    return ndb_dispatch(L);
  ndb_array *made = ndb_begin(L, state_of(L), (nd_dtype)part.dtype, part.ndim);
  if (a->view.storage != part.storage) { /* a finalizer closed the array */
    lua_pop(L, 1);
    return ndb_dispatch(L);
  }
  nd_view_copy(&part, &made->view);
  ndb_finish(L, state_of(L), made);
  return 1;
}

static int direct_select(lua_State *L) { return push_part(L, find_selected); }
static int direct_narrow(lua_State *L) { return push_part(L, find_narrowed); }
static int direct_transpose(lua_State *L) { return push_part(L, find_transposed); }
static int direct_permute(lua_State *L) { return push_part(L, find_permuted); }

/* {=== elements, or views ===} */

static int direct_get(lua_State *L) {
  const ndb_array *a = ndb_to_array(L, 1);
  const char *at = find_element(L, a, lua_gettop(L), false);
  if (!at) return push_part(L, lua_type(L, 2) == LUA_TSTRING ? find_slice : find_row);
  ndb_push_element(L, state_of(L), (nd_dtype)a->view.dtype, at);
  if (is_fresh(a)) return 1;
  lua_pop(L, 1); /* the file shrank under the load */
  return ndb_dispatch(L);
}

static int direct_set(lua_State *L) {
  const ndb_array *a = ndb_to_array(L, 1);
  const int top = lua_gettop(L);
  char *at = lua_type(L, top) == LUA_TNUMBER ? find_element(L, a, top - 1, true) : NULL;
  if (!at) return ndb_dispatch(L);
  const double value = lua_tonumber(L, top);
  ndi_cast_find((nd_dtype)a->view.dtype, ND_F64, ND_SATURATE)(1, at, 0, (const char *)&value, 0);
  return is_fresh(a) ? 0 : ndb_dispatch(L); /* the file shrank under the store */
}

lua_CFunction ndb_short_path(const char *name) {
  static const struct {
    const char *name;
    lua_CFunction call;
  } list[] = {{"__index", direct_get},    {"__call", direct_get},  {"get", direct_get},
              {"__newindex", direct_set}, {"set", direct_set},     {"select", direct_select},
              {"narrow", direct_narrow},  {"T", direct_transpose}, {"transpose", direct_transpose},
              {"permute", direct_permute}};
  for (size_t i = 0; i < ND_COUNTOF(list); i++)
    if (strcmp(list[i].name, name) == 0) return list[i].call;
  return ndb_dispatch;
}
