/* A new backend is reached from scripts once it is registered: the binding names none. */
#include <lauxlib.h>
#include <lualib.h>

#include "../contract/dummy_backend.h"
#include "../core/check.h"
#include "ndbuf.h"

ND_EXPORT int luaopen_ndbuf_core(lua_State *L);

static const char prelude[] =
    "package.path = './lua/?.lua;./lua/?/init.lua;' .. package.path\n"
    "nd = require 'ndbuf'\n"
    "function refuses(code, part, fn, ...)\n"
    "  local fine, e = pcall(fn, ...)\n"
    "  assert(not fine and e.code == code and e.message:find(part, 1, true), tostring(e))\n"
    "end\n";

static const struct {
  const char *what, *script;
} trials[] = {
    {"arrays", "local a, b = nd.ones({2, 3}, 'i16', 'dummy'), nd.zeros(3, 'f32', 'Mock:0')\n"
               "assert(a.device == 'dummy:0' and b.device == 'dummy:0')\n"
               "assert(a:to('cpu'):sum() == 6 and a(2, 3) == 1)\n"},
    {"copies", "local a = nd.arange(1, 24):reshape(4, 6)\n"
               "local b = a:to 'dummy'\n"
               "assert(b.T:clone():to('cpu'):equal(a.T))\n"
               "b[{{2, 3}}]:copy_from(a[{{1, 2}}])\n"
               "assert(b[3]:to('cpu'):equal(a[2]) and b[4]:to('cpu'):equal(a[4]))\n"
               "assert(b:astype('u8', {mode = 'check'}):to('cpu')(4, 6) == 24)\n"},
    {"messages", "local a = nd.ones({2, 3}, 'f32', 'dummy')\n"
                 "assert(tostring(a):find 'dummy:0')\n"
                 "refuses('unsupported', 'dummy:0; use :to(\"cpu\")', a.sum, a)\n"
                 "refuses('unsupported', 'dummy:0', function() return a + 1 end)\n"
                 "refuses('not_host_accessible', 'use :to(\"cpu\")', a.ptr, a)\n"
                 "refuses('device_not_found', 'dummy', nd.zeros, 3, 'dummy:1')\n"
                 "refuses('invalid_argument', 'dummy[:n]', a.to, a, 'dummyy')\n"},
    {"its device", "assert(nd.device('dummy').name == 'dummy:0')\n"
                   "assert(nd.device 'dummy' == nd.device 'mock:0')\n"
                   "assert(nd.devices()[2] == nd.device 'dummy')\n"
                   "assert(table.concat(nd.info().devices, ' ') == 'cpu dummy:0')\n"},
    {"memory", "do local a = nd.zeros(1000, 'f64', 'dummy') assert(a(1000) == 0) end\n"
               "collectgarbage() collectgarbage()\n"
               "assert(require 'ndbuf.core'.stats().live == 0)\n"},
};

int main(void) {
  if (nd_init(NULL) || nd_backend_register(&dummy_backend, NULL)) return 2;
  lua_State *L = luaL_newstate();
  if (!L) return 2;
  luaL_openlibs(L);
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, luaopen_ndbuf_core);
  lua_setfield(L, -2, "ndbuf.core");
  group("a backend from scripts: loading");
  CHECK(luaL_dostring(L, prelude) == 0, "%s", lua_tostring(L, -1));
  for (size_t i = 0; i < ND_COUNTOF(trials); i++) {
    group("a backend from scripts");
    lua_settop(L, 0);
    CHECK(luaL_dostring(L, trials[i].script) == 0, "%s: %s", trials[i].what, lua_tostring(L, -1));
  }
  lua_close(L);
  nd_mem_stats stats;
  nd_resource_get_stats(&memory, &stats);
  CHECK(stats.live.now == 0 && stats.live.total > 0, "%" PRIu64 " B are left", stats.live.now);
  return finish();
}
