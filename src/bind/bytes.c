/* Methods on an array's memory: bytes in and out, its address, allocating and freeing it. */
#include "bind/stream.h"

/* {=== raw bytes ===} */

/* Argument 3, nbytes, at most 'room': optional where that is known. A table there is the options,
 * which else follow it. */
static size_t read_bytes(lua_State *L, ndb_state *S, const nd_view *v, size_t room) {
  ndb_options options;
  if (lua_istable(L, 3) && lua_isnoneornil(L, 4)) {
    lua_pushnil(L);
    lua_insert(L, 3);
  }
  ndb_read_options(L, S, 4, NDB_BIT(STREAM), &options);
  ndb_use_stream(L, S, &options, v, NULL);
  if (lua_isnoneornil(L, 3) && room != SIZE_MAX) return room;
  const size_t bytes = ndb_check_size(L, S, 3, "nbytes");
  ndb_check_room(L, S, "nbytes", room, bytes);
  return bytes;
}

/* Argument 2 as an address of host memory. An address of a GPU would be a segmentation fault. */
static void *check_host_pointer(lua_State *L, ndb_state *S, const char *what, size_t *room) {
  void *at = ndb_check_pointer(L, S, 2, what, room);
  if (at && nd_is_hidden(at))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what,
             "expected an address of host memory, got one of a GPU; use nd.wrap(…, {device = "
             "\"cuda:n\"}) and :copy_from()");
  return at;
}

static int array_copyin(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_error err;
  size_t room;
  const bool is_string = lua_type(L, 2) == LUA_TSTRING;
  const void *from = is_string ? lua_tolstring(L, 2, &room)
                               : check_host_pointer(L, S, "source", &room);
  const size_t bytes = read_bytes(L, S, v, room);
  ndb_check(L, S, nd_copyin(v, from, bytes, &err), &err);
  return ndb_return_self(L);
}

/* Without arguments a Lua string, through a userdata: the C API makes strings only from bytes that
 * are in memory already. */
static int array_copyout(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_error err;
  if (!lua_isnoneornil(L, 2)) {
    size_t room;
    void *to = check_host_pointer(L, S, "target", &room);
    ndb_check(L, S, nd_copyout(v, to, read_bytes(L, S, v, room), &err), &err);
    return ndb_return_self(L);
  }
  const bool is_given = lua_type(L, 3) > LUA_TNIL && !lua_istable(L, 3);
  const size_t bytes = read_bytes(L, S, v, is_given ? SIZE_MAX : nd_view_nbytes(v));
  if (bytes > INT32_MAX)
    ndb_fail_with(
        L, S, ND_CAPACITY, "copyout", ND_NUMBERS({"value", (int64_t)bytes}, {"limit", INT32_MAX}),
        "%zu B exceed the limit of a Lua string, %d B; give a cdata target", bytes, INT32_MAX);
  void *buffer = lua_newuserdata(L, bytes ? bytes : 1);
  ndb_check(L, S, nd_copyout(v, buffer, bytes, &err), &err);
  lua_pushlstring(L, buffer, bytes);
  return 1;
}

/* {=== addresses and memory ===} */

/* The address of the first element, on whatever device. From here on others may write to the
 * memory, and know nothing of pending work: nd_storage_expose says so to the core. */
static uintptr_t give_address(lua_State *L, ndb_state *S, const nd_view *v) {
  char *base;
  nd_error err;
  ndb_check(L, S, nd_storage_expose(v->storage, &base, &err), &err);
  return (uintptr_t)base + v->offset;
}

/* Returns the address and whether it is read-only; head.lua makes the typed pointer, const
 * or not. */
static int array_ptr(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  const nd_dtype_traits *dtype = nd_dtype_get((nd_dtype)v->dtype);
  nd_error err;
  char *host;
  /* all checks come before give_address: a storage that was exposed once stays so */
  ndb_check(L, S, nd_view_host(v, false, &host, &err), &err);
  if (((uintptr_t)host + v->offset) % dtype->align != 0)
    ndb_fail(L, S, ND_INVALID_VIEW, "ptr", "the array is misaligned for %s; use :clone()",
             dtype->name);
  lua_pushlightuserdata(L, (void *)give_address(L, S, v));
  lua_pushboolean(L, v->is_read_only);
  return 2;
}

/* User addresses are below 2^53, so a number represents them exactly. */
static int array_address(lua_State *L, ndb_state *S) {
  lua_pushnumber(L, (lua_Number)give_address(L, S, &ndb_check_self(L, S)->view));
  return 1;
}

static int array_allocate(lua_State *L, ndb_state *S) {
  ndb_array *a = ndb_check_self(L, S);
  nd_error err;
  ndb_check(L, S, nd_storage_allocate(a->view.storage, &err), &err);
  ndb_refresh(a); /* now, or the next access would go to C to do it */
  return ndb_return_self(L);
}

static int array_synchronize(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  size_t lo, hi;
  nd_error err;
  nd_view_span(v, &lo, &hi);
  ndb_check(L, S, nd_storage_wait(v->storage, lo, hi, &err), &err);
  return 0;
}

static int array_free(lua_State *L, ndb_state *S) {
  ndb_array *a = ndb_check_self(L, S);
  nd_storage *s = a->view.storage;
  nd_error err;
  ndb_forget_freed(S, s);
  ndb_check(L, S, nd_storage_free(s, &err), &err);
  ndb_drop_released(L, S); /* so that the owner of wrapped memory can be collected */
  return 0;
}

const ndb_reg ndb_byte_methods[] = {{"copyin", array_copyin, 4},
                                    {"copyout", array_copyout, 4},
                                    {"ptr", array_ptr, 1},
                                    {"address", array_address, 1},
                                    {"synchronize", array_synchronize, 1},
                                    {"allocate", array_allocate, 1},
                                    {"free", array_free, 1},
                                    {NULL, NULL, 0}};
