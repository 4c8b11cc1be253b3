/* Lua states on threads of one process that share GPUs: random programs of
 * spec/dev/cuda_programs.lua, memory under the budgets of each, and arrays that go from one to the
 * other while work on them is in flight. On the driver that NDBUF_CUDA_DRIVER names, or the
 * simulated one. */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../core/check.h"
#include "ndbuf.h"

#include "cuda.h"

enum { MOST_THREADS = 4, SLOTS = 5, LENGTH = 3000, MINUTES = 10 };

ND_EXPORT int luaopen_ndbuf_core(lua_State *L);

static uint64_t seed;

/* {=== states ===} */

static const char setup[] =
    "package.path = './lua/?.lua;./lua/?/init.lua;' .. package.path\n"
    "nd, core = require 'ndbuf', require 'ndbuf.core'\n"
    "H = dofile 'spec/helper.lua'\n"
    "programs = loadfile 'spec/dev/cuda_programs.lua' (nd, H)\n"
    "function sweep() for _ = 1, 2 do collectgarbage() core.stats() end collectgarbage() end\n";

typedef struct {
  pthread_t thread;
  int number;
  const char *script; /* gets the number, a seed, how often, and the devices' names */
  const char *devices[2];
  int rounds;
  char text[512]; /* what went wrong */
} worker;

static pthread_barrier_t barrier;

static int push_slot(lua_State *L);
static int push_shared(lua_State *L);
static int call_in_child(lua_State *L);

static lua_State *open_state(void) {
  lua_State *L = luaL_newstate();
  if (!L) abort();
  luaL_openlibs(L);
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, luaopen_ndbuf_core);
  lua_setfield(L, -2, "ndbuf.core");
  lua_register(L, "slot", push_slot);
  lua_register(L, "shared", push_shared);
  lua_register(L, "fork", call_in_child);
  lua_settop(L, 0);
  return L;
}

static bool run(lua_State *L, const char *script, int arguments, char *text) {
  bool fine = luaL_loadstring(L, script) == 0;
  lua_insert(L, -1 - arguments);
  if (fine) fine = lua_pcall(L, arguments, 0, 0) == 0;
  if (!fine && luaL_callmeta(L, -1, "__tostring")) lua_replace(L, -2);
  if (!fine) snprintf(text, sizeof((worker *)0)->text, "%s", lua_tostring(L, -1));
  return fine;
}

static void *work(void *at) {
  worker *w = at;
  lua_State *L = open_state();
  bool fine = run(L, setup, 0, w->text);
  pthread_barrier_wait(&barrier);
  lua_pushinteger(L, w->number);
  lua_pushnumber(L, (lua_Number)(seed % 1000000));
  lua_pushinteger(L, w->rounds);
  for (int i = 0; i < 2; i++) lua_pushstring(L, w->devices[i]);
  fine = fine && run(L, w->script, 5, w->text) && run(L, "sweep()", 0, w->text);
  lua_close(L);
  return NULL;
}

/* {=== what is left ===} */

static uint64_t (*live_count)(const char *kind), (*reports)(const char *kind); /* NULL: no sim. */

static void find_simulator(const char *path) {
  cuda_steering(path, "cusim_live_count", &live_count);
  cuda_steering(path, "cusim_reports", &reports);
}

static void run_threads(const char *name, int threads, const char *script,
                        const char *const devices[2][2], size_t rounds) {
  static worker workers[MOST_THREADS];
  group(name);
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  for (int i = 0; i < threads; i++) {
    workers[i] = (worker){.number = i,
                          .script = script,
                          .devices = {devices[i % 2][0], devices[i % 2][1]},
                          .rounds = (int)rounds};
    pthread_create(&workers[i].thread, NULL, work, &workers[i]);
  }
  for (int i = 0; i < threads; i++) pthread_join(workers[i].thread, NULL);
  pthread_barrier_destroy(&barrier);
  for (int i = 0; i < threads; i++) CHECK(!workers[i].text[0], "thread %d: %s", i, workers[i].text);
  if (reports) CHECK(reports("*") == 0, "%d reports", (int)reports("*"));
}

static void run_all(const char *name, const char *script, const char *const devices[2][2],
                    size_t rounds) {
  run_threads(name, 2, script, devices, rounds);
}

/* Once no state is open. */
static void check_nothing_left(void) {
  nd_reap(ND_REAP_WAIT);
  nd_backends_close();
  for (int i = 0; live_count && i < 3; i++) {
    const char *const kind = ((const char *const[]){"*", "event", "stream"})[i];
    CHECK(live_count(kind) == 0, "%d of %s are left", (int)live_count(kind), kind);
  }
}

/* {=== the per-thread default stream ===} It is another one for each thread. */

static char told[sizeof((worker *)0)->text];

static void *use_elsewhere(void *L) {
  run(L,
      "for name, f in pairs {\n"
      "  fill = function() a:fill(9, {stream = f}) end, query = function() f:query() end,\n"
      "  synchronize = function() f:synchronize() end, record = function() f:record() end,\n"
      "} do\n"
      "  local fine, e = pcall(f)\n"
      "  assert(not fine and e.code == 'stream_misuse' and e.message:find 'thread', name)\n"
      "end\n"
      "local own = nd.cuda.stream(2)\n" /* this thread's */
      "a:fill(4, {stream = own})\n"
      "own:synchronize()\n"
      "assert(p[1] == 7 and a[1] == 4)\n",
      0, told);
  return NULL;
}

static void *use_here(void *L) {
  run(L,
      "a, p = nd.full({1000}, 7, 'f32', 'cuda'), nd.zeros({1000}, 'f32', 'pinned')\n"
      "f = nd.cuda.stream(2)\n"
      "p:copy_from(a, {stream = f})\n",
      0, told);
  return NULL;
}

/* The second thread may have the first one's number of the system. */
static void spec_per_thread(void) {
  group("the per-thread default stream is refused by other threads than that which adopted it");
  pthread_t thread;
  lua_State *L = open_state();
  void *(*const parts[])(void *) = {use_here, use_elsewhere};
  CHECK(run(L, setup, 0, told), "%s", told);
  for (int i = 0; i < 2; i++) {
    pthread_create(&thread, NULL, parts[i], L);
    pthread_join(thread, NULL);
    CHECK(!told[0], "%s", told);
  }
  lua_close(L);
  if (reports) CHECK(reports("*") == 0, "%d reports", (int)reports("*"));
}

/* {=== programs ===} */

static const char programs[] = "local number, seed, rounds, first, second = ...\n"
                               "for i = 1, rounds do\n"
                               "  programs.run(seed + 2 * i + number, 3, {first, second})\n"
                               "  if i % 3 == 0 then collectgarbage() end\n"
                               "end\n";

static void spec_programs(const char *last) {
  const char *const same[2][2] = {{"cuda:0", last}, {"cuda:0", last}};
  const char *const different[2][2] = {{"cuda:0", "cuda:0"}, {last, last}};
  const char *const crossed[2][2] = {{"cuda:0", last}, {last, "cuda:0"}};
  run_all("two states run programs on the same devices", programs, same, scaled(500));
  run_all("two states run programs on a device each", programs, different, scaled(300));
  run_all("two states run programs on two devices the other way round", programs, crossed,
          scaled(200));
}

/* {=== memory ===} Each state has a guard of its own on memory that all use, and its own budget of
 * pinned memory, in every other one below a pool, to which staging buffers are charged that others
 * may take afterwards. */

static const char memory[] =
    "local number, seed, rounds, first, second = ...\n"
    "local rng = H.rng('memory' .. seed + number)\n"
    "local gpu, LENGTH = nd.device(first), 300000\n"
    "local guard = nd.memory.guard(nd.memory.device(0))\n"
    "local budget = nd.memory.budget(nd.memory.pinned(), \n"
    "  ({'3MiB', '40MiB', '1MiB', '18MiB'})[number + 1])\n"
    "local pinned = number % 2 == 1 and nd.memory.pool(budget) or budget\n"
    "local s, live = {gpu:stream(), gpu:stream()}, {}\n"
    "nd.memory.set('pinned', pinned)\n"
    "for i = 1, rounds do\n"
    "  local n = rng(3) == 1 and LENGTH or rng(5000)\n"
    "  local a = nd.empty({n}, 'i32', guard)\n"
    "  if rng(2) == 1 then\n"
    "    a:copy_from(nd.arange(i, i + n - 1, 1, 'i32'), {stream = s[rng(2)]})\n"
    "  else\n"
    "    a:fill(i + n - 1, {stream = s[rng(2)]})\n"
    "  end\n"
    "  live[rng(8)] = a\n"
    "  assert(a[n] == i + n - 1)\n"
    "  if rng(3) == 1 then assert(a:to 'cpu'[n] == i + n - 1) end\n"
    "  local p = rng(3) == 1 and nd.empty({rng(5000)}, 'i32', 'pinned')\n"
    "  if p then p:fill(i, {stream = s[rng(2)]}) live[rng(8)] = p assert(p[1] == i) end\n"
    "  if rng(4) == 1 then nd.memory.trim 'pinned' end\n"
    "  if rng(4) == 1 then live[rng(8)] = nil collectgarbage() end\n"
    "  if i % 10 == 0 then assert(#guard:verify() == 0) end\n"
    "  local stats = budget:stats()\n"
    "  assert(stats.reserved.bytes.current + stats.live.bytes.current <= stats.limit)\n"
    "end\n"
    "live = nil\n"
    "sweep()\n"
    "assert(#guard:verify() == 0)\n"
    "nd.memory.set('pinned', nil)\n";

static void spec_memory(const char *last) {
  const char *const both[2][2] = {{"cuda:0", last}, {"cuda:0", last}};
  run_threads("two states guard the same memory, and take staging buffers under two budgets", 2,
              memory, both, scaled(300));
  run_threads("four states guard the same memory, and take staging buffers under four budgets",
              MOST_THREADS, memory, both, scaled(150));
  check_nothing_left();
}

/* {=== forks ===} A thread forks while others wait for the device: they look at words, or are in
 * the driver. Its child has the host's memory alone. */

static const char forking[] =
    "local number, seed, rounds, first = ...\n"
    "local d, p = nd.zeros({300000}, 'i32', first), nd.zeros({300000}, 'i32', 'pinned')\n"
    "local s = nd.device(first):stream()\n"
    "local function is_served_in_child()\n"
    "  local e = H.raises('device_not_found', nd.zeros, 3, first)\n"
    "  assert(e.message:find 'fork', e.message)\n"
    "  assert(nd.full({300000}, 2, 'i32'):sum() == 600000 and nd.zeros(3):fill(1):sum() == 3)\n"
    "  collectgarbage()\n"
    "end\n"
    "for i = 1, number == 2 and rounds / 50 or rounds do\n"
    "  d:fill(i, {stream = s})\n"
    "  p:copy_from(d, {stream = s})\n"
    "  if number == 2 then fork(is_served_in_child) end\n"
    "  assert(p[1] == i and p[300000] == i)\n"
    "  assert(d:to 'cpu'[300000] == i)\n"
    "end\n";

/* fork(fn): fn(), which must not raise, in a forked process. That becomes another program then:
 * checkers of memory do not look at what the driver still has there. */
static int call_in_child(lua_State *L) {
  int status = 0;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    if (lua_pcall(L, 0, 0, 0) == 0) execlp("true", "true", (char *)NULL);
    if (luaL_callmeta(L, -1, "__tostring")) fprintf(stderr, "a child: %s\n", lua_tostring(L, -1));
    _exit(1);
  }
  const bool is_well = child > 0 && waitpid(child, &status, 0) == child && status == 0;
  return is_well ? 0 : luaL_error(L, "a forked child ended with status %d", status);
}

static void spec_forks(const char *last) {
  const char *const both[2][2] = {{"cuda:0", last}, {"cuda:0", last}};
  run_threads("a thread forks while two others wait for a device", 3, forking, both, scaled(1000));
  check_nothing_left();
}

/* {=== arrays of both ===} */

/* Who holds a slot uses its array, which has this value throughout; work may still be in flight
 * when it lets go. */
static struct {
  pthread_mutex_t lock;
  nd_view view;
  lua_Number value;
} slots[SLOTS];

/* slot(i, fn): fn(array or nil, value) -> array, value, while no other thread has it. */
static int push_slot(lua_State *L) {
  const size_t i = (size_t)luaL_checkinteger(L, 1);
  pthread_mutex_lock(&slots[i].lock);
  lua_settop(L, 2);
  if (slots[i].view.storage) nd_push_array(L, &slots[i].view, ND_ABI);
  else lua_pushnil(L);
  lua_pushnumber(L, slots[i].value);
  const int status = lua_pcall(L, 2, 2, 0);
  if (status == 0) {
    nd_view former = slots[i].view;
    nd_view_copy(nd_check_array(L, -2, ND_ABI), &slots[i].view);
    slots[i].value = lua_tonumber(L, -1);
    if (former.storage) nd_view_drop(&former);
  }
  pthread_mutex_unlock(&slots[i].lock);
  return status == 0 ? 0 : lua_error(L);
}

/* shared(i): slot i's array, which others use at the same time. */
static int push_shared(lua_State *L) {
  const size_t i = (size_t)luaL_checkinteger(L, 1);
  nd_push_array(L, &slots[i].view, ND_ABI);
  return 1;
}

static const char sharing[] =
    "local number, seed, rounds, first, second = ...\n"
    "local rng = H.rng('sharing' .. seed + number)\n"
    "local gpus = {nd.device(first), nd.device(second)}\n"
    "local places = {first, first, second, 'pinned', 'managed:0'}\n"
    "local list, LENGTH = {}, 3000\n"
    "for i = 1, 4 do list[i] = gpus[(i - 1) % 2 + 1]:stream() end\n"
    "local function on(a, b)\n" /* a stream of the device of one of them */
    "  local names = {}\n"
    "  for _, place in ipairs {a, b} do\n"
    "    if place:find '%d' then names[place:gsub('managed', 'cuda')] = true end\n"
    "  end\n"
    "  while true do\n"
    "    local s = list[rng(#list)]\n"
    "    if not next(names) or names[s.device.name] then return s end\n"
    "  end\n"
    "end\n"
    "local function write(a, value)\n"
    "  local is_host = not a.device:find 'cuda'\n"
    "  if is_host and rng(2) == 1 then\n"
    "    for k = 1, LENGTH do a[k] = value end\n" /* compiled, or not */
    "  elseif is_host or rng(2) == 1 then\n"
    "    local s = on(a.device)\n"
    "    local there = {device = s.device, stream = s}\n"
    "    a:copy_from(nd.full({LENGTH}, value, 'f32', there), {stream = s})\n"
    "  else\n"
    "    a:narrow(1, 1, 999):fill(value, {stream = on(a.device)})\n"
    "    a:narrow(1, 1000, LENGTH - 999):fill(value, {stream = on(a.device)})\n"
    "  end\n"
    "end\n"
    "local function check(a, value)\n"
    "  local p = a\n"
    "  if a.device:find 'cuda' or rng(2) == 1 then\n"
    "    p = nd.empty({LENGTH}, 'f32', 'pinned')\n"
    "    p:copy_from(a, {stream = on(a.device)})\n"
    "  end\n"
    "  if rng(2) == 1 then return assert(p:to 'cpu':sum() == LENGTH * value) end\n"
    "  for k = 1, LENGTH do assert(p[k] == value, p[k]) end\n"
    "end\n"
    "local function use(i)\n"
    "  slot(i, function(a, value)\n"
    "    local new = rng(1000)\n"
    "    if a and rng(3) == 1 then check(a, value) end\n"
    "    if a and rng(4) == 1 then return a, value end\n"
    "    if a and rng(3) > 1 then write(a, new) return a, new end\n"
    "    local place = places[rng(#places)]\n"
    "    local b = nd.zeros({LENGTH}, 'f32', place, {stream = on(place)})\n"
    "    if not a then write(b, new) return b, new end\n"
    "    b:copy_from(a, {stream = on(b.device, a.device)})\n"
    "    return b, value\n"
    "  end)\n"
    "end\n"
    "for i = 1, rounds do\n"
    "  use(rng(4) - 1)\n"
    "  if i % 20 == 0 then collectgarbage() end\n"
    "end\n";

/* LuaJIT's fast path reads the epoch of a storage by a plain load, which is atomic on all
 * processors that it runs on; the checker of threads knows no such loads. */
#if defined(__SANITIZE_THREAD__)
#define VALUES "y:totable()"
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define VALUES "y:totable()"
#endif
#endif
#ifndef VALUES
#define VALUES "y"
#endif

/* Bytes that alternate between the threads by 100: neither waits for the other. */
static const char apart[] =
    "local number, seed, rounds, first = ...\n"
    "local rng = H.rng('apart' .. seed + number)\n"
    "local s = {nd.device(first):stream(), nd.device(first):stream()}\n"
    "local d, p = shared(0), shared(1)\n"
    "local value = {}\n"
    "for part = 1, 15 do value[part] = 0 end\n"
    "for i = 1, rounds do\n"
    "  local part = rng(15)\n"
    "  local lo, old, new = 200 * (part - 1) + 100 * number + 1, value[part], rng(1000)\n"
    "  local x, y = d:narrow(1, lo, 100), p:narrow(1, lo, 100)\n"
    "  y:copy_from(x, {stream = s[rng(2)]})\n"
    "  x:fill(new, {stream = s[rng(2)]})\n"
    "  local values = " VALUES "\n"
    "  for k = 1, 100 do assert(values[k] == old, values[k]) end\n"
    "  y:fill(-1)\n"
    "  value[part] = new\n"
    "end\n";

static void make_slots(const char *script) {
  char text[sizeof((worker *)0)->text] = "";
  lua_State *L = open_state();
  const bool fine = run(L, setup, 0, text) && run(L, script, 0, text);
  CHECK(fine, "%s", text);
  lua_close(L);
}

static void drop_slots(void) {
  for (int i = 0; i < SLOTS; i++) {
    if (slots[i].view.storage) nd_view_drop(&slots[i].view);
    slots[i].view.storage = NULL;
  }
}

static void spec_sharing(const char *last) {
  const char *const both[2][2] = {{"cuda:0", last}, {"cuda:0", last}};
  for (int i = 0; i < SLOTS; i++) pthread_mutex_init(&slots[i].lock, NULL);
  run_all("two states use the same arrays in turn, with work on them in flight", sharing, both,
          scaled(4000));
  drop_slots();
  check_nothing_left();
  make_slots("slot(0, function() return nd.zeros({3000}, 'f32', 'cuda'), 0 end)\n"
             "slot(1, function() return nd.zeros({3000}, 'f32', 'pinned'), 0 end)\n");
  run_all("two states use bytes of the same arrays side by side", apart, both, scaled(4000));
  drop_slots();
  check_nothing_left();
}

int main(void) {
  const char *driver = getenv("NDBUF_CUDA_DRIVER") ? getenv("NDBUF_CUDA_DRIVER") : CUDASIM;
  const char *seed_text = getenv("NDBUF_SEED");
  nd_error err;
  seed = seed_text ? strtoull(seed_text, NULL, 10) : (uint64_t)time(NULL);
  printf("# seed %" PRIu64 "\n", seed);
  setenv("NDBUF_CUDA_DRIVER", driver, 0);
  setenv("CUSIM_DEVICES", "2", 0);
  setenv("CUSIM_MODE", seed % 2 ? "lazy" : "shuffle", 0);
  setenv("CUSIM_HANDLES", "reuse", 0);
  alarm(60 * MINUTES); /* what hangs is ended */
  if (nd_init(NULL)) return 2;
  if (cuda_open(CUDASIM, &err)) {
    printf("skipped: %s\n", err.message);
    return 2;
  }
  find_simulator(driver);
  const char *const last = cuda_count() > 1 ? "cuda:1" : "cuda:0";
  spec_per_thread();
  spec_programs(last);
  check_nothing_left();
  spec_memory(last);
  spec_forks(last);
  spec_sharing(last);
  return finish();
}
