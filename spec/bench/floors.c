/* The floors of the table "Small arrays": what a script pays for a call of C, and for an object
 * with a finalizer. */
#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

enum { BYTES = 64 };

int bench_floors(lua_State *L);

static size_t size; /* of a handle of an array */

static int call(lua_State *L) { return (void)L, 0; }

static void *make(lua_State *L) {
  void *handle = lua_newuserdata(L, size);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_setmetatable(L, -2);
  return handle;
}

static int make_handle(lua_State *L) { return make(L), 1; }

static int make_block(lua_State *L) {
  void **block = make(L);
  *block = malloc(BYTES);
  return 1;
}

static int drop_block(lua_State *L) {
  void **block = lua_touserdata(L, 1);
  free(*block);
  return 0;
}

static void push_maker(lua_State *L, lua_CFunction maker, lua_CFunction gc) {
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, gc);
  lua_setfield(L, -2, "__gc");
  lua_pushcclosure(L, maker, 1);
}

/* Given any array, returns three functions: one that does nothing, one that makes a userdata of the
 * size of the array's with a __gc, and one whose userdata has a block of memory as well. */
int bench_floors(lua_State *L) {
  size = lua_objlen(L, 1);
  lua_pushcfunction(L, call);
  push_maker(L, make_handle, call);
  push_maker(L, make_block, drop_block);
  return 3;
}
