/* A program with a LuaJIT in it that shares arrays with scripts, on the installed files. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <ndbuf.h>
#include <stdio.h>
#include <string.h>

static nd_view samples; /* f32, 8: the program's; scripts get it by samples() */
static nd_view taken;   /* of a script's array, by keep(a); outlives the Lua state */
static int failures;

static void expect(bool is_so, const char *what, const char *seen) {
  if (!is_so) failures++;
  printf("%s - %s%s%s\n", is_so ? "ok" : "not ok", what, is_so ? "" : ": ", is_so ? "" : seen);
}

static int push_samples(lua_State *L) {
  nd_push_array(L, &samples, (int)luaL_optinteger(L, 1, ND_ABI));
  return 1;
}

static int keep(lua_State *L) {
  const nd_view *view = nd_check_array(L, 1, (int)luaL_optinteger(L, 2, ND_ABI));
  nd_view_drop(&taken);
  nd_view_copy(view, &taken);
  return 0;
}

static void run(lua_State *L, const char *what, const char *script) {
  const bool fine = luaL_loadstring(L, script) == 0 && lua_pcall(L, 0, 0, 0) == 0;
  expect(fine, what, fine ? "" : lua_tostring(L, -1));
  lua_settop(L, 0);
}

/* The script has to raise, with 'message' in the text. */
static void refuse(lua_State *L, const char *script, const char *message) {
  const bool fine = luaL_loadstring(L, script) == 0 && lua_pcall(L, 0, 0, 0) == 0;
  const char *seen = fine ? "nothing was raised" : luaL_checkstring(L, -1);
  expect(!fine && strstr(seen, message), message, seen);
  lua_settop(L, 0);
}

static nd_status make_samples(nd_error *err) {
  const size_t shape[] = {8};
  ND_TRY(nd_init(err));
  ND_TRY(nd_new(nd_host_resource(), ND_F32, 1, shape, (nd_storage_options){0}, &samples, err));
  return nd_range(&samples, 1, 1, err);
}

static void share(lua_State *L) {
  float values[8];
  nd_error err;
  refuse(L, "require 'ndbuf' samples()", "luaopen_ndbuf_core was not called in this Lua state");
  refuse(L, "keep(1)", "luaopen_ndbuf_core was not called in this Lua state");
  run(L, "the program's own module loads",
      "package.loaded['ndbuf.core'], package.loaded.ndbuf = nil "
      "package.preload['ndbuf.core'] = open_core nd = require 'ndbuf'");
  refuse(L, "samples(99)", "ndbuf: built for ABI 99, this module has");
  refuse(L, "keep(nd.zeros(2), 99)", "ndbuf: built for ABI 99, this module has");
  refuse(L, "local fine, e = pcall(keep, {}) error(e.message, 0)",
         "expected an array, got a table");
  run(L, "a script sees the program's elements",
      "local a = samples() assert(a.dtype == 'f32' and #a == 8) "
      "local s = 0 for round = 1, 100 do for i = 1, 8 do s = s + a[i] end end assert(s == 3600)");
  run(L, "and writes them",
      "local a = samples() for round = 1, 100 do for i = 1, 8 do a[i] = 10 * i end end "
      "a['::2'] = -1");
  expect(nd_copyout(&samples, values, sizeof values, &err) == ND_OK && values[0] == -1 &&
             values[7] == 80,
         "the program sees what was written", "other values");
  run(L, "a scope frees what it made, and nothing of the program's",
      "local mine, view nd.scope(function() mine = nd.zeros(3) mine:fill(1) view = samples()'2:3' "
      "end) "
      "assert(not pcall(mine.get, mine, 1)) assert(view[1] == 20 and samples()[2] == 20)");
  run(L, "a view outlives its program's hold", "late = samples()'7:8'");
  nd_view_drop(&samples);
  run(L, "by right", "collectgarbage() assert(late[1] == -1 and late[2] == 80)");
  run(L, "a script gives an array", "keep(nd.arange(1, 6, 1, 'i16'):reshape(2, 3).T)");
}

int main(void) {
  int16_t values[6] = {0};
  nd_error err;
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  lua_register(L, "samples", push_samples);
  lua_register(L, "keep", keep);
  lua_register(L, "open_core", luaopen_ndbuf_core);
  if (make_samples(&err) != ND_OK) return fprintf(stderr, "%s\n", err.message), 1;
  share(L);
  lua_close(L);
  const nd_status status = nd_copyout(&taken, values, sizeof values, &err);
  expect(status == ND_OK && values[1] == 4, "which outlives the Lua state",
         status == ND_OK ? "other values" : err.message);
  nd_view_drop(&taken);
  return failures > 0;
}
