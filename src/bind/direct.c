/* Short paths ahead of the dispatcher: elements, and the commonest views. What they do not handle
 * is dispatched to the general path, which applies every rule and raises. With the JIT on, the
 * functions of accessors.lua come before those for elements. */
#include <string.h>

#include "bind/bind.h"
#include "kern/cast.h"

/* {=== elements ===} a[k], a(i, j) and their stores in C, for when the JIT is off. They use the
 * fast head as accessors.lua does. */

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
  if (!a || !ndb_is_fresh(&a->head) || a->view.dtype != ndb_bound_to(L)->dtype) return NULL;
  const ndb_head *h = &a->head;
  const int last = top - 2; /* the last index's axis */
  if (last > 3 || last + 1 != h->ndim) return NULL;
  ptrdiff_t steps = 0;
  for (int i = 0; i < last; i++) {
    const int32_t k = index_at(L, i + 2, i == 0 ? h->first[last - 1] : h->inner[i - 1]);
    if (!k) return NULL;
    steps += k * (ptrdiff_t)h->step[i];
  }
  const int32_t most = last == 0 ? (for_write ? h->write_n : h->read_n)
                                 : (for_write ? h->write_last : h->read_last);
  const int32_t k = index_at(L, top, most);
  if (!k) return NULL;
  steps += k * (ptrdiff_t)h->step[last];
  return (char *)((uintptr_t)h->p1 + (uintptr_t)steps * nd_view_itemsize(&a->view));
}

static ndb_state *state_of(lua_State *L) { return ndb_bound_to(L)->state; }

/* {=== views ===} The commonest ones, ahead of the dispatcher as well: what it provides is for
 * calls that allocate memory, wait or raise. So these leave to it all that they would refuse. */

/* The part of 'a' that the arguments from 2 on ask for, borrowed from its view. 'which' NULL: as
 * the text of a slice at 2. */
static bool find_part(lua_State *L, const nd_view *v, ndb_part_finder *which, nd_view *out) {
  const int count = lua_gettop(L) - 1;
  double numbers[ND_MAX_NDIM];
  size_t length;
  if (!which) {
    const char *text = lua_tolstring(L, 2, &length);
    return count == 1 && ndb_part_slice(v, text, length, out);
  }
  if (count > ND_MAX_NDIM) return false;
  for (int i = 0; i < count; i++) {
    if (lua_type(L, i + 2) != LUA_TNUMBER) return false;
    numbers[i] = lua_tonumber(L, i + 2);
  }
  return which(v, count, numbers, out);
}

static int push_part(lua_State *L, ndb_part_finder *which) {
  const ndb_array *a = ndb_to_array(L, 1);
  const int wanted = ndb_bound_to(L)->dtype; /* NDB_ANY: properties */
  nd_view part;
  if (!a || (wanted >= 0 && a->view.dtype != wanted) || ndb_is_unset(a) || nd_has_pending() ||
      !find_part(L, &a->view, which, &part))
    return ndb_dispatch(L);
  ndb_array *made = ndb_begin(L, state_of(L), (nd_dtype)part.dtype, part.ndim);
  if (a->view.storage != part.storage) { /* a finalizer closed the array */
    lua_pop(L, 1);
    return ndb_dispatch(L);
  }
  nd_view_copy(&part, &made->view);
  ndb_finish(state_of(L), made, a);
  if (state_of(L)->scope_depth) ndb_note_scope(L, state_of(L));
  return 1;
}

static int direct_select(lua_State *L) { return push_part(L, ndb_part_select); }
static int direct_narrow(lua_State *L) { return push_part(L, ndb_part_narrow); }
static int direct_transpose(lua_State *L) { return push_part(L, ndb_part_transpose); }
static int direct_permute(lua_State *L) { return push_part(L, ndb_part_permute); }

/* {=== elements, or views ===} */

static int direct_get(lua_State *L) {
  const ndb_array *a = ndb_to_array(L, 1);
  const char *at = find_element(L, a, lua_gettop(L), false);
  if (!at) return push_part(L, lua_type(L, 2) == LUA_TSTRING ? NULL : ndb_part_row);
  const nd_dtype dtype = (nd_dtype)a->view.dtype;
  if (!ndb_push_float(L, dtype, at)) ndb_push_element(L, state_of(L), dtype, at);
  if (ndb_is_fresh(&a->head)) return 1;
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
  return ndb_is_fresh(&a->head) ? 0 : ndb_dispatch(L); /* the file shrank under the store */
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
