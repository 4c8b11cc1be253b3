/* States with the module in them, for specs in C. */
#ifndef SPEC_BIND_STATES_H
#define SPEC_BIND_STATES_H

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

#include "ndbuf.h"

ND_EXPORT int luaopen_ndbuf_core(lua_State *L);

static const char setup[] =
    "package.path = './lua/?.lua;./lua/?/init.lua;' .. package.path\n"
    "nd, core, ffi = require 'ndbuf', require 'ndbuf.core', require 'ffi'\n"
    "function sweep() for _ = 1, 2 do collectgarbage() core.stats() end collectgarbage() end\n";

/* A state with the module in it; NULL after a message. */
static lua_State *open_state(void) {
  lua_State *L = luaL_newstate();
  if (!L) return NULL;
  luaL_openlibs(L);
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, luaopen_ndbuf_core);
  lua_setfield(L, -2, "ndbuf.core");
  lua_settop(L, 0);
  return L;
}

/* The message of what went wrong stays in 'text'. */
static bool run(lua_State *L, const char *script, char *text, size_t bytes) {
  if (L && luaL_dostring(L, script) == 0) return true;
  snprintf(text, bytes, "%s", L ? lua_tostring(L, -1) : "no state");
  return false;
}

static nd_mem_stats host_stats(void) {
  nd_mem_stats stats;
  nd_resource_get_stats(nd_host_resource(), &stats);
  return stats;
}

#endif
