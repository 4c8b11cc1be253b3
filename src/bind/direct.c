/* Element access in C for when the JIT is off: a[k], a(i, j) and their stores. It uses the fast
 * head as head.lua does, ahead of the dispatcher; what the head does not allow is dispatched to the
 * general path. With the JIT on, head.lua's functions come before these. */
#include <string.h>

#include "bind/bind.h"
#include "kern/cast.h"

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
  if (last < 0 || last > 3) return NULL;
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

int ndb_direct_get(lua_State *L) {
  const ndb_array *a = ndb_to_array(L, 1);
  const char *at = find_element(L, a, lua_gettop(L), false);
  if (!at) return ndb_dispatch(L);
  ndb_push_element(L, state_of(L), (nd_dtype)a->view.dtype, at);
  if (is_fresh(a)) return 1;
  lua_pop(L, 1); /* the file shrank under the load */
  return ndb_dispatch(L);
}

int ndb_direct_set(lua_State *L) {
  const ndb_array *a = ndb_to_array(L, 1);
  const int top = lua_gettop(L);
  char *at = lua_type(L, top) == LUA_TNUMBER ? find_element(L, a, top - 1, true) : NULL;
  if (!at) return ndb_dispatch(L);
  const double value = lua_tonumber(L, top);
  ndi_cast_find((nd_dtype)a->view.dtype, ND_F64, ND_SATURATE)(1, at, 0, (const char *)&value, 0);
  return is_fresh(a) ? 0 : ndb_dispatch(L); /* the file shrank under the store */
}
