/* A fuzzer that is a Lua script: SCRIPT returns a function of the input's bytes. The JIT is off, so
 * that every access goes through the C binding, which is what is instrumented. */
#ifndef ND_SPEC_FUZZ_SCRIPT_H
#define ND_SPEC_FUZZ_SCRIPT_H

#include <lauxlib.h>
#include <luajit.h>
#include <lualib.h>

#include "fuzz.h"

int luaopen_ndbuf_core(lua_State *L);

static lua_State *lua;

/* is_sound(array) */
static int is_sound(lua_State *L) {
  lua_pushboolean(L, nd_view_is_sound(nd_check_array(L, 1, ND_ABI)));
  return 1;
}

/* Lua's memory from malloc, so that AddressSanitizer sees the handles' ends, and who holds what. */
static void *allocate(void *context, void *block, size_t old, size_t bytes) {
  (void)context, (void)old;
  if (bytes > 0) return realloc(block, bytes);
  free(block);
  return NULL;
}

static void must_run(int status) {
  MUST(status == 0, "%s", lua_tostring(lua, -1) ? lua_tostring(lua, -1) : "(no text)");
}

/* Leaves the script's function on the stack. */
static void open_script(void) {
  lua = lua_newstate(allocate, NULL);
  MUST(lua, "memory");
  luaL_openlibs(lua);
  MUST(luaJIT_setmode(lua, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF), "the JIT stays on");
  luaL_findtable(lua, LUA_GLOBALSINDEX, "package.preload", 1);
  lua_pushcfunction(lua, luaopen_ndbuf_core);
  lua_setfield(lua, -2, "ndbuf.core");
  lua_settop(lua, 0);
  must_run(luaL_dostring(lua, "package.path = './lua/?.lua;./lua/?/init.lua;./?.lua'"));
  lua_register(lua, "is_sound", is_sound);
  must_run(luaL_loadfile(lua, SCRIPT) || lua_pcall(lua, 0, 1, 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!lua) open_script();
  const int lowest = lowest_descriptor();
  lua_pushvalue(lua, 1);
  lua_pushlstring(lua, (const char *)data, size);
  must_run(lua_pcall(lua, 1, 0, 0));
  check_nothing_left(lowest);
  return 0;
}

#endif
