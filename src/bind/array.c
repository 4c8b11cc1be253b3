/* Array handles: making, checking and finalizing them.
 *
 * A handle owns one reference to its storage. lua_newuserdata, which makes it, may run a collection
 * and thus finalizers of the script, which may raise or make arrays themselves. So the view waits
 * in a guard (bind.h): a userdata made in advance, which drops the view if an error passes by. */
#include <pthread.h>
#include <string.h>

#include "bind/bind.h"

/* {=== making ===} */

/* Stand-in storage for handles that have none yet, and for finalized ones, which finalizers that
 * run later may still reach. Its state is FREED, so the core refuses every access; its epoch is
 * never a head's, so compiled code calls C. Its refcount is never given up: it starts far above
 * what views of it could drop. */
static nd_storage freed_stand_in = {
    .epoch = ND_EPOCH_FIRST, .holds = 1u << 30, .state = ND_STORAGE_FREED};

/* The bit of nd_storage_pun for a dtype: LuaJIT assumes that pointers to integers of another size,
 * to f32 and to f64 do not alias. */
static uint32_t class_of(nd_dtype dtype) {
  enum { CLASS_F32 = 16, CLASS_F64 = 32 }; /* integers: their bytes, 1 to 8 */
  if (dtype == ND_F32 || dtype == ND_C64) return CLASS_F32;
  if (dtype == ND_F64 || dtype == ND_C128) return CLASS_F64;
  return nd_dtype_get(dtype)->bytes;
}

void ndb_note_scope(lua_State *L, ndb_state *S) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->scope_ref);
  lua_pushvalue(L, -2);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/* The handle has no array: nothing may be read from its head. */
static void unset(ndb_array *a) {
  a->head.storage = a->view.storage = &freed_stand_in;
  a->head.epoch = 0;
  a->head.ndim = 0; /* which some functions of accessors.lua read alone */
  if (a->magic == ndb_magic + 1) ((ndb_rows *)a)->first_epoch = 0;
}

bool ndb_is_unset(const ndb_array *a) { return a->view.storage == &freed_stand_in; }

bool ndb_is_spare(const ndb_array *a) { return ndb_is_unset(a) && a->id == 0; }

static ndb_array *begin(lua_State *L, ndb_state *S, nd_dtype dtype, size_t handle_bytes) {
  ndb_stress(L, S);
  ndb_array *a = lua_newuserdata(L, handle_bytes);
  a->magic = ndb_magic;
  a->view.dtype = (uint8_t)dtype;
  a->view.ndim = 0;
  a->id = 0;
  unset(a);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->metatables[dtype]);
  lua_setmetatable(L, -2);
  return a;
}

static size_t handle_bytes(int ndim) { return ndb_handle_bytes(ndim > 2 ? ndim : 2); }

ndb_array *ndb_begin(lua_State *L, ndb_state *S, nd_dtype dtype, int ndim) {
  return begin(L, S, dtype, handle_bytes(ndim));
}

void ndb_finish(ndb_state *S, ndb_array *a, const ndb_array *of) {
  a->id = ++S->last_handle;
  if (of) {
    ndb_derive(a, &of->head);
  } else {
    nd_storage_pun(a->view.storage, class_of((nd_dtype)a->view.dtype));
    ndb_refresh(a);
  }
}

ndb_array *ndb_push_handle(lua_State *L, ndb_state *S, nd_view *view, size_t bytes) {
  ndb_view_guard *guard = S->guard;
  S->guard = NULL; /* a finalizer that makes arrays makes itself another one */
  nd_view_borrow(view, &guard->view);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->guard_ref); /* on the stack it cannot be collected */
  ndb_array *a = begin(L, S, (nd_dtype)view->dtype, bytes); /* may raise, may call us */
  nd_view_borrow(&guard->view, &a->view);
  guard->view.storage = NULL;
  lua_insert(L, -2);
  if (S->guard) lua_pop(L, 1); /* did a finalizer leave its own? Then this one is collected. */
  else ndb_give_guard(L, S, guard);
  ndb_finish(S, a, NULL);
  if (S->scope_depth) ndb_note_scope(L, S);
  return a;
}

void ndb_push_view(lua_State *L, ndb_state *S, nd_view *view) {
  ndb_push_handle(L, S, view, handle_bytes(view->ndim));
}

int ndb_push_made(lua_State *L, ndb_state *S, nd_status status, nd_view *out, const nd_error *err) {
  ndb_check(L, S, status, err);
  ndb_push_view(L, S, out);
  return 1;
}

/* {=== checking and closing ===} */

ndb_array *ndb_check_array(lua_State *L, ndb_state *S, int arg, const char *what) {
  ndb_array *a = ndb_to_array(L, arg);
  if (!a) ndb_fail_type(L, S, arg, what, "an array");
  if (ndb_is_unset(a)) ndb_fail(L, S, ND_FREED, what, "the array was finalized");
  return a;
}

ndb_array *ndb_check_self(lua_State *L, ndb_state *S) { return ndb_check_array(L, S, 1, "self"); }

int ndb_return_self(lua_State *L) {
  lua_pushvalue(L, 1);
  return 1;
}

/* Idempotent, and callable by scripts on any value. The handle lets go of its storage before the
 * reference is dropped, as that may run a release callback. */
static int array_gc(lua_State *L) {
  ndb_array *a = ndb_to_array(L, 1);
  if (a && ndb_is_spare(a)) a->id = UINT64_MAX; /* it is never finalized again */
  if (!a || ndb_is_unset(a)) return 0;
  ndb_state *S = lua_touserdata(L, lua_upvalueindex(1));
  nd_storage *storage = a->view.storage;
  unset(a);
  if (S->calls > 0) ndb_drop_late(S, storage);
  else nd_storage_drop(storage);
  if (!S->anchors) ndb_close_late(); /* the Lua state is being closed */
  return 0;
}

static void init_stand_in(void) { freed_stand_in.resource = nd_host_resource(); }

void ndb_set_finalizer(lua_State *L) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, init_stand_in);
  ndb_push_state(L);
  lua_pushcclosure(L, array_gc, 1);
  lua_setfield(L, -2, "__gc");
}

/* {=== for host programs ===} */

/* The state, for a call from a host program. Raises a plain string unless the module is loaded and
 * has the ABI that the program was compiled for. */
static ndb_state *find_host(lua_State *L, int abi) {
  ndb_state *S = ndb_find_state(L);
  if (abi != ND_ABI) luaL_error(L, "ndbuf: built for ABI %d, this module has %d", abi, ND_ABI);
  if (S) return S;
  luaL_error(L, "ndbuf: this program's luaopen_ndbuf_core was not called in this Lua state");
  __builtin_unreachable();
}

static void return_guard(ndb_state **S) { ndb_return_guard(*S); }

void nd_push_array(lua_State *L, const nd_view *view, int abi) {
  ndb_state *S = find_host(L, abi);
  nd_view copy;
  ndb_make_guard(L, S);
  ND_AT_EXIT(return_guard) ndb_state *guarded = S; /* as ndb_dispatch does */
  nd_view_copy(view, &copy);
  ndb_push_view(L, guarded, &copy);
}

const nd_view *nd_check_array(lua_State *L, int arg, int abi) {
  return &ndb_check_array(L, find_host(L, abi), arg, "array")->view;
}
