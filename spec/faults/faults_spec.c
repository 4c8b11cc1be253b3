/* Every function of the module while memory fails: the n-th request is refused, n = 1, 2, … until
 * the call succeeds. spec/faults/faults.lua has the calls. Needs the checkout as its folder. */
#include <lauxlib.h>
#include <lualib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../core/check.h"
#include "base/call.h"
#include "dev/host/fft_plans.h"
#include "mem/host.h"
#include "memory.h"

int luaopen_ndbuf_core(lua_State *L);

static uint64_t seed;
static double cases = 0.3; /* of all calls; make faults makes them all */

/* Blocks of ours that were not given back; those that the host keeps for the next are, and plans of
 * transforms. */
static long blocks_left(void) {
  size_t freed;
  ndi_fft_ways_free();
  nd_resource_trim(nd_host_resource(), 0, &freed, NULL);
  return blocks;
}

/* {=== what the script calls ===} */

/* call(place, n, once, fn, …): fn(…) with the n-th request in 'place' refused. Returns whether it
 * succeeded, requests refused, requests seen, and fn's results or its error. */
static int script_call(lua_State *L) {
  static const char *const places[] = {"nothing", "resource", "C", "Lua", NULL};
  const place at = (place)luaL_checkoption(L, 1, NULL, places);
  const long n = (long)luaL_checknumber(L, 2);
  const bool once = lua_toboolean(L, 3);
  luaL_checkstack(L, 10, NULL);
  fault.n = n, fault.once = once, fault.seen = fault.refused = 0, fault.at = at;
  const int status = lua_pcall(L, lua_gettop(L) - 4, LUA_MULTRET, 0);
  fault.at = IN_NOTHING;
  luaL_checkstack(L, 10, NULL);
  lua_pushboolean(L, status == 0);
  lua_insert(L, 4);
  lua_pushnumber(L, (lua_Number)fault.refused);
  lua_insert(L, 5);
  lua_pushnumber(L, (lua_Number)fault.seen);
  lua_insert(L, 6);
  return lua_gettop(L) - 3;
}

/* state(): the core's blocks that were not given back, whether the counters are exact, whether a
 * call is still the thread's. */
static int script_state(lua_State *L) {
  lua_pushnumber(L, (lua_Number)blocks_left());
  lua_pushboolean(L, counters_agree());
  lua_pushboolean(L, nd_call_set(NULL) != NULL);
  return 3;
}

/* push(a): as a host program makes an array. */
static int script_push(lua_State *L) {
  nd_push_array(L, nd_check_array(L, 1, ND_ABI), ND_ABI);
  return 1;
}

/* random(n): 1 … n. */
static int script_random(lua_State *L) {
  lua_pushnumber(L, 1 + (lua_Number)(next_random(&seed) % (uint64_t)luaL_checknumber(L, 1)));
  return 1;
}

/* check(fine, text): counts. */
static int script_check(lua_State *L) {
  CHECK(lua_toboolean(L, 1), "%s", lua_tostring(L, 2));
  return 0;
}

static int script_group(lua_State *L) {
  static char names[64][120];
  static int count;
  snprintf(names[count], sizeof names[0], "%s", luaL_checkstring(L, 1));
  group(names[count++ % 64]);
  return 0;
}

/* {=== states ===} */

static const luaL_Reg functions[] = {{"call", script_call},
                                     {"state", script_state},
                                     {"push", script_push},
                                     {"random", script_random},
                                     {"check", script_check},
                                     {"group", script_group},
                                     {NULL, NULL}};

static const char prologue[] = "package.path = './lua/?.lua;./lua/?/init.lua;./?.lua'\n"
                               "require 'ffi'\n" /* LuaJIT leaks where memory fails meanwhile */
                               "jit.off()\n"     /* see faults.lua */
                               "local is_on = ...\n"
                               "jit.status = function() return is_on end";

static void run(lua_State *L, const char *what, int status) {
  if (status != 0) luaL_callmeta(L, -1, "__tostring");
  CHECK(status == 0, "%s: %s", what, lua_tostring(L, -1));
  lua_settop(L, 0);
}

/* Where LuaJIT gets no memory in the middle of a resize, a table with integer keys in both its
 * parts mixes them up afterwards. So the registry has its array part before any request fails. */
static void grow_registry(lua_State *L) {
  int references[256];
  for (size_t i = 0; i < ND_COUNTOF(references); i++) {
    lua_pushboolean(L, 1);
    references[i] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  for (size_t i = ND_COUNTOF(references); i-- > 0;) luaL_unref(L, LUA_REGISTRYINDEX, references[i]);
}

static lua_State *open_state(bool with_jit) {
  lua_State *L = lua_newstate(lua_memory, NULL);
  if (!L) abort();
  grow_registry(L);
  luaL_openlibs(L);
  luaL_register(L, "faults", functions);
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, luaopen_ndbuf_core);
  lua_setfield(L, -2, "ndbuf.core");
  luaL_loadstring(L, prologue);
  lua_pushboolean(L, with_jit);
  run(L, "prologue", lua_pcall(L, 1, 0, 0));
  return L;
}

static void close_state(lua_State *L, const char *what, long blocks_before) {
  nd_mem_stats stats;
  lua_close(L);
  nd_resource_get_stats(nd_host_resource(), &stats);
  CHECK(stats.live.now == 0 && stats.live_count.now == 0 && nd_pending_bytes() == 0,
        "%s left %" PRIu64 " B in %" PRIu64 " blocks", what, stats.live.now, stats.live_count.now);
  CHECK(blocks_left() == blocks_before || blocks_before < 0, "%s left %ld blocks", what,
        blocks - blocks_before);
  CHECK(lua_blocks == 0, "%s left %ld blocks of Lua's", what, lua_blocks);
  CHECK(counters_agree(), "%s: the counters are wrong", what);
}

/* So many arrays at once that no call needs another table of tickets, and that few lost tickets
 * show; and a first mapped file. */
static const char warm_up[] = "local nd, list = require 'ndbuf', {}\n"
                              "for i = 1, 9200 do list[i] = nd.zeros(1) end\n"
                              "nd.save(... .. '/first.npy', nd.ones(3))\n"
                              "nd.load(... .. '/first.npy', {mmap = true})";

static long warm(const char *folder) {
  const char *const stress = getenv("NDBUF_GC_STRESS");
  char kept[8] = "";
  if (stress) snprintf(kept, sizeof kept, "%s", stress);
  unsetenv("NDBUF_GC_STRESS"); /* a collection for each of so many takes half a minute */
  lua_State *L = open_state(false);
  luaL_loadstring(L, warm_up);
  lua_pushstring(L, folder);
  run(L, "warming up", lua_pcall(L, 1, 0, 0));
  lua_close(L);
  if (kept[0]) setenv("NDBUF_GC_STRESS", kept, 1);
  return blocks_left();
}

/* {=== first use ===} What is allocated but once for the process or the state, opening the module
 * among it: each try in a process of its own, which says how it went by its exit status. */

static const char first_use[] =
    "local folder = ...\n"
    "for name, module in pairs(package.loaded) do\n" /* what require leaves of a failed attempt */
    "  if name:find '^ndbuf' and type(module) ~= 'table' then package.loaded[name] = nil end\n"
    "end\n"
    "local nd = require 'ndbuf'\n"
    "local core = require 'ndbuf.core'\n"
    "local path = folder .. '/use.npy'\n"
    "nd.save(path, nd.ones(3))\n"
    "local a = nd.load(path, {mmap = true})\n"
    "assert(a[3] == 1 and nd.zeros(2, 2).size == 4)\n"
    "nd.array(require 'ffi'.new 'int[3]')\n"
    "collectgarbage()\n"
    "assert(nd.scope(nd.ones, 2)[2] == 1 and #tostring(a) > 0)\n"
    "assert(not pcall(nd.zeros, -1))";

typedef enum { NOT_REACHED, REFUSED, WRONG } outcome;

static bool is_clean(lua_State *L) {
  if (lua_isstring(L, -1)) return strstr(lua_tostring(L, -1), "memory") != NULL;
  lua_getfield(L, -1, "code");
  return strcmp(lua_tostring(L, -1), "out_of_memory") == 0;
}

/* In the child: refuse request n (0: none), then use the module once more. Tells how many requests
 * it has seen. */
static outcome use_first(place at, long n, bool with_jit, const char *folder, long *seen) {
  lua_State *L = open_state(with_jit);
  if (luaL_loadstring(L, first_use) != 0) return WRONG;
  lua_pushvalue(L, -1);
  lua_pushstring(L, folder);
  fault.n = n, fault.at = at;
  const int status = lua_pcall(L, 1, 0, 0);
  fault.at = IN_NOTHING;
  *seen = fault.seen;
  if (status != 0) {
    CHECK(fault.refused > 0 && is_clean(L), "request %ld: %s", n, lua_tostring(L, -1));
    lua_settop(L, 1);
  }
  lua_pushstring(L, folder);
  run(L, "once more", lua_pcall(L, 1, 0, 0));
  close_state(L, "first use", -1);
  return checks.failed ? WRONG : fault.refused > 0 ? REFUSED : NOT_REACHED;
}

static outcome try_first_use(place at, long n, bool with_jit, const char *folder, long *seen) {
  int pipes[2], status = 0;
  fflush(stdout);
  if (pipe(pipes) != 0) abort();
  const pid_t child = fork();
  if (child == 0) {
    checks.failed = 0;
    const outcome how = use_first(at, n, with_jit, folder, seen);
    fflush(stdout);
    _exit(write(pipes[1], seen, sizeof *seen) == sizeof *seen ? (int)how : WRONG);
  }
  close(pipes[1]);
  const bool is_told = read(pipes[0], seen, sizeof *seen) == sizeof *seen;
  close(pipes[0]);
  waitpid(child, &status, 0);
  const outcome how = is_told && WIFEXITED(status) ? (outcome)WEXITSTATUS(status) : WRONG;
  CHECK(how != WRONG, "request %ld of %ld: status %x", n, *seen, (unsigned)status);
  return how;
}

/* Of many sites some are tried, from a random one on in equal steps: NDBUF_CASES times 100. */
static void spec_first_use(place at, bool with_jit, const char *folder) {
  static const char *const names[][2] = {
      [IN_RESOURCE] = {"first use, JIT off: the resource", "first use, JIT on: the resource"},
      [IN_C] = {"first use, JIT off: C", "first use, JIT on: C"},
      [IN_LUA] = {"first use, JIT off: Lua", "first use, JIT on: Lua"}};
  const long most = 1 + (long)(100 * cases);
  long found = 0, seen = 0, tried = 0, failed = 0;
  group(names[at][with_jit]);
  CHECK(try_first_use(at, 0, with_jit, folder, &found) == NOT_REACHED && found > 0, "%ld", found);
  const long step = 1 + (found - 1) / most;
  for (long n = 1 + (long)(next_random(&seed) % (uint64_t)step); n <= found; n += step) {
    const outcome how = try_first_use(at, n, with_jit, folder, &seen);
    if (how == NOT_REACHED && seen < n) continue; /* Lua's own requests vary by a few: no site */
    tried++, failed += how == REFUSED;
  }
  CHECK(10 * tried + 10 >= 9 * (found / step), "%ld of %ld sites tried", tried, found / step);
  printf("# %s: %ld sites found, %ld tried, %ld failed\n", names[at][with_jit], found, tried,
         failed);
  CHECK(tried == failed && tried > 0, "%ld sites tried, %ld failed", tried, failed);
}

int main(void) {
  const char *seed_text = getenv("NDBUF_SEED"), *cases_text = getenv("NDBUF_CASES");
  if (cases_text) cases = strtod(cases_text, NULL);
  seed = seed_text ? strtoull(seed_text, NULL, 10) : (uint64_t)time(NULL);
  printf("# seed %" PRIu64 "\n", seed);
  setenv("NDBUF_FFTW", "none",
         1); /* plans of our own: that library ends a process without memory */
  char folder[] = "/tmp/ndbuf-faults-XXXXXX";
  if (!mkdtemp(folder)) abort();
  for (place at = IN_RESOURCE; at <= IN_LUA; at++)
    for (int with_jit = 0; with_jit < 2; with_jit++) spec_first_use(at, with_jit, folder);
  const long blocks_before = warm(folder);
  for (int with_jit = 0; with_jit < 2; with_jit++) {
    lua_State *L = open_state(with_jit);
    int status = luaL_loadfile(L, "spec/faults/faults.lua");
    lua_pushstring(L, folder);
    lua_pushnumber(L, cases);
    if (status == 0) status = lua_pcall(L, 2, 0, 0);
    run(L, "faults.lua", status);
    group(with_jit ? "the end, JIT on" : "the end, JIT off");
    close_state(L, "the end", blocks_before);
  }
  group("tickets");
  CHECK(warm(folder) == blocks_before, "some were lost: %ld more blocks", blocks - blocks_before);
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0, "%s", command);
  return finish();
}
