/* Lua states on threads of one process: each works by itself, and arrays go from one to another. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../core/arrays.h"
#include "../core/check.h"
#include "states.h"

enum { THREADS = 2, ROUNDS = 10 };

static const char work[] =
    "local small = nd.array({0.5, -2, 448}, 'f16')\n"
    "for _, dtype in ipairs {'f16', 'bf16', 'f8e4m3', 'f8e5m2'} do\n"
    "  assert(nd.array({0.5, -2, 448}, dtype)[2] == -2)\n"
    "end\n"
    "local a = nd.arange(1000)\n"
    "for round = 1, 200 do\n"
    "  local sum = 0\n"
    "  for i = 1, 1000 do sum = sum + a[i] end\n"
    "  assert(sum == 500500)\n"
    "  local b = nd.scope(function() return a:reshape(10, 100):astype 'f32'[3]:clone() end)\n"
    "  assert(b[100] == 300 and small[3] == 448)\n"
    "  b:narrow(1, 1, 50):copy_from(b:narrow(1, 51, 50))\n"
    "end\n"
    "for i = 1, 20 do\n"
    "  local fine, e = pcall(nd.zeros, -i)\n"
    "  assert(not fine and e.code == 'invalid_argument' and tostring(e):find 'shape')\n"
    "  a:clone():free()\n"
    "end\n"
    "sweep()\n";

/* {=== each by itself ===} */

static pthread_barrier_t barrier;

static void *open_work_close(void *text) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_barrier_wait(&barrier);
    lua_State *L = open_state();
    if (run(L, setup, text, 256)) run(L, work, text, 256);
    if (L) lua_close(L);
  }
  return NULL;
}

static void spec_apart(void) {
  group("states on two threads are opened, work and are closed at the same time");
  pthread_t thread[THREADS];
  char text[THREADS][256] = {"", ""};
  const nd_mem_stats before = host_stats();
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, open_work_close, text[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  pthread_barrier_destroy(&barrier);
  for (int i = 0; i < THREADS; i++) CHECK(!text[i][0], "thread %d: %s", i, text[i]);
  const nd_mem_stats after = host_stats();
  CHECK(after.live_count.total - before.live_count.total > THREADS * ROUNDS * 400, "did nothing");
  CHECK(after.live_count.now == before.live_count.now, "%" PRIu64 " blocks are left",
        after.live_count.now - before.live_count.now);
}

/* {=== small arrays ===} */

enum { MANY = 8 };

/* Each array is i throughout, each kept one is checked when another takes its place. */
static const char work_small[] =
    "local seed, steps = ...\n"
    "math.randomseed(seed)\n"
    "local kept, value = {}, {}\n"
    "for i = 1, steps do\n"
    "  local n, at = math.random(300), math.random(100)\n"
    "  local a = nd.empty(n, 'f32'):fill(i)\n"
    "  local view = a:narrow(1, math.random(n), 1)\n"
    "  local twice = a + view\n"
    "  assert(twice[n] == 2 * i and a:sum() == n * i and twice:sub_(a):equal(a))\n"
    "  if kept[at] then assert(kept[at]:eq(value[at]):all(), 'another value') end\n"
    "  kept[at], value[at] = math.random(3) > 1 and (n % 2 == 0 and view or twice) or nil, i\n"
    "  if i % 50 == 0 then view:clone():free() end\n"
    "end\n"
    "return function() end\n";

/* Each state has all adaptors, and the figures of its own; one is collected before its arrays. */
static const char work_stacked[] =
    "local seed, steps = ...\n"
    "math.randomseed(seed)\n"
    "local told, kept = {}, {}\n"
    "local budget = nd.memory.budget(nd.memory.host(), '40KiB')\n"
    "local log = nd.memory.log(nd.memory.pool(budget), function(r)\n"
    "  told[r.action] = (told[r.action] or 0) + 1\n"
    "end)\n"
    "local mem = nd.memory.retry(nd.memory.guard(nd.memory.track(log)), function()\n"
    "  local at = next(kept)\n"
    "  if at then kept[at]:free() kept[at] = nil end\n"
    "  return at ~= nil\n"
    "end)\n"
    "local function step(i)\n"
    "  local at = math.random(20)\n"
    "  local a = nd.full({math.random(2000)}, i % 128, 'u8', mem)\n"
    "  assert(kept[at] == nil or kept[at][1] == kept[at][-1], 'another value')\n"
    "  kept[at] = a\n"
    "  if i % 20 == 0 then\n"
    "    assert(#mem:verify() == 0)\n"
    "    local s = budget:stats()\n"
    "    assert(s.live.bytes.peak <= 40960 and s.remaining >= 0)\n"
    "  end\n"
    "end\n"
    "for i = 1, steps do step(i) end\n"
    "return function()\n"
    "  sweep()\n"
    "  local left = #mem:outstanding()\n"
    "  local text = string.format('%d %d %d %d', told.allocate, told.free, steps, left)\n"
    "  assert(told.allocate == steps and told.free == steps - left, text)\n"
    "end\n";

typedef struct {
  pthread_t thread;
  const char *script;
  uint64_t seed;
  size_t steps;
  char text[256];
} worker;

/* The script returns a function that looks at what is left. It runs while all states rest: one that
 * is short of memory takes back what the guards of all keep. */
static void *work_by_itself(void *at) {
  worker *w = at;
  lua_State *L = open_state();
  bool fine = run(L, setup, w->text, sizeof w->text);
  pthread_barrier_wait(&barrier);
  if (fine) {
    fine = luaL_loadstring(L, w->script) == 0;
    lua_pushnumber(L, (lua_Number)(w->seed % 100000));
    lua_pushnumber(L, (lua_Number)w->steps);
    fine = fine && lua_pcall(L, 2, 1, 0) == 0;
  }
  pthread_barrier_wait(&barrier);
  if (fine) fine = lua_pcall(L, 0, 0, 0) == 0;
  pthread_barrier_wait(&barrier);
  if (!fine && !w->text[0]) snprintf(w->text, sizeof w->text, "%s", lua_tostring(L, -1));
  if (fine) run(L, "sweep() nd.memory.trim() sweep()", w->text, sizeof w->text);
  if (L) lua_close(L);
  return NULL;
}

static void spec_many(const char *name, const char *script, size_t steps, size_t arrays) {
  group(name);
  static worker workers[MANY];
  const nd_mem_stats before = host_stats();
  pthread_barrier_init(&barrier, NULL, MANY);
  for (int i = 0; i < MANY; i++) {
    workers[i] = (worker){.script = script, .seed = next_random(&rng), .steps = scaled(steps)};
    pthread_create(&workers[i].thread, NULL, work_by_itself, &workers[i]);
  }
  for (int i = 0; i < MANY; i++) pthread_join(workers[i].thread, NULL);
  pthread_barrier_destroy(&barrier);
  for (int i = 0; i < MANY; i++) CHECK(!workers[i].text[0], "thread %d: %s", i, workers[i].text);
  const nd_mem_stats after = host_stats();
  CHECK(after.live_count.total - before.live_count.total >= MANY * arrays, "too few");
  CHECK(after.live_count.now == before.live_count.now, "%" PRIu64 " blocks are left",
        after.live_count.now - before.live_count.now);
  CHECK(after.live.now == before.live.now, "bytes are left");
}

/* {=== from one to another ===} */

static const char make_shared[] =
    "weak = setmetatable({}, {__mode = 'v'})\n"
    "local owner = {memory = ffi.new('double[100]', 7)}\n"
    "weak[1] = owner\n"
    "return nd.wrap(owner.memory, 'f64', {100}, {owner = owner}), nd.full({1000}, 3)\n";

static const char use_shared[] = "local wrapped, plain = ...\n"
                                 "assert(wrapped[100] == 7 and plain[1000] == 3)\n"
                                 "wrapped[1], plain[1] = 8, 9\n"
                                 "assert(wrapped:clone()[1] == 8 and plain[{{1, 2}}][1] == 9)\n";

typedef struct {
  nd_view view[2];
  char text[256];
} parcel;

/* Another thread, another state: what it was given dies here, with the last hold. */
static void *receive(void *at) {
  parcel *p = at;
  lua_State *L = open_state();
  bool fine = run(L, setup, p->text, sizeof p->text);
  if (fine) {
    fine = luaL_loadstring(L, use_shared) == 0;
    for (int i = 0; i < 2; i++) nd_push_array(L, &p->view[i], ND_ABI);
    if (!fine || lua_pcall(L, 2, 0, 0) != 0)
      snprintf(p->text, sizeof p->text, "%s", lua_tostring(L, -1));
  }
  for (int i = 0; i < 2; i++) nd_view_drop(&p->view[i]);
  if (fine) run(L, "sweep()", p->text, sizeof p->text);
  if (L) lua_close(L);
  return NULL;
}

static void send(parcel *p) {
  pthread_t thread;
  pthread_create(&thread, NULL, receive, p);
  pthread_join(thread, NULL);
  CHECK(!p->text[0], "receiver: %s", p->text);
}

/* A state whose two new arrays only 'p' holds. */
static lua_State *make_parcel(parcel *p) {
  lua_State *L = open_state();
  const bool fine = run(L, setup, p->text, sizeof p->text) &&
                    run(L, make_shared, p->text, sizeof p->text);
  CHECK(fine, "sender: %s", p->text);
  if (!fine) exit(finish());
  for (int i = 0; i < 2; i++) nd_view_copy(nd_check_array(L, i - 2, ND_ABI), &p->view[i]);
  lua_settop(L, 0);
  return L;
}

static void spec_given(void) {
  group("an array that another state drops lets go of its owner here, with the next call");
  const nd_mem_stats before = host_stats();
  parcel p = {.text = ""};
  lua_State *L = make_parcel(&p);
  CHECK(run(L, "sweep() assert(weak[1])", p.text, sizeof p.text), "held: %s", p.text);
  send(&p);
  CHECK(run(L, "sweep() assert(not weak[1])", p.text, sizeof p.text), "dropped: %s", p.text);
  lua_close(L);
  CHECK(host_stats().live.now == before.live.now, "bytes are left");
}

static void spec_outlived(void) {
  group("an array may outlive the state that made it");
  const nd_mem_stats before = host_stats();
  static double memory[100];
  for (int i = 0; i < 100; i++) memory[i] = 7;
  parcel p = {.text = ""};
  lua_State *L = open_state();
  bool fine = run(L, setup, p.text, sizeof p.text);
  lua_pushlightuserdata(L, memory); /* the owner's cdata would be gone with its state */
  lua_setglobal(L, "memory");
  fine = fine && run(L,
                     "return nd.wrap(ffi.cast('double *', memory), 'f64', {100}, {owner = {}}), "
                     "nd.full({1000}, 3)",
                     p.text, sizeof p.text);
  CHECK(fine, "sender: %s", p.text);
  if (!fine) exit(finish());
  for (int i = 0; i < 2; i++) nd_view_copy(nd_check_array(L, i - 2, ND_ABI), &p.view[i]);
  lua_close(L);
  send(&p);
  CHECK(memory[0] == 8, "%g", memory[0]);
  CHECK(host_stats().live.now == before.live.now, "bytes are left");
}

/* A thread drops while the state of the owner works: the list of released anchors is between two
 * threads. */
enum { OWNED = 2000 };
static nd_view owned[OWNED];

static void *drop_owned(void *unused) {
  (void)unused;
  for (int i = 0; i < OWNED; i++) nd_view_drop(&owned[i]);
  return NULL;
}

static void spec_released(void) {
  group("owners are released by a thread while their state works");
  pthread_t thread;
  char text[256] = "";
  lua_State *L = open_state();
  const char *const make = "count = 0\n"
                           "memory = ffi.new 'double[1]'\n"
                           "function made()\n"
                           "  local owner = newproxy(true)\n"
                           "  getmetatable(owner).__gc = function() count = count + 1 end\n"
                           "  return nd.wrap(memory, 'f64', {1}, {owner = owner})\n"
                           "end\n";
  bool fine = run(L, setup, text, sizeof text) && run(L, make, text, sizeof text);
  for (int i = 0; fine && i < OWNED; i++) {
    lua_getglobal(L, "made");
    lua_call(L, 0, 1);
    nd_view_copy(nd_check_array(L, -1, ND_ABI), &owned[i]);
    lua_settop(L, 0);
  }
  CHECK(fine && run(L, "sweep() assert(count == 0)", text, sizeof text), "%s", text);
  pthread_create(&thread, NULL, drop_owned, NULL);
  for (int i = 0; fine && i < 50; i++)
    fine = run(L, "for i = 1, 100 do local _ = nd.zeros(10):clone() end sweep()", text,
               sizeof text);
  pthread_join(thread, NULL);
  CHECK(fine && run(L, "sweep() assert(count == 2000, count)", text, sizeof text), "%s", text);
  lua_close(L);
}

/* {=== threads that help ===} */

static void spec_helpers(void) {
  group("threads that help a state end with the last one");
  const char *const use = "nd.set_threads(4) assert(nd.ones(2^20):sum() == 2^20)";
  const int before = running_threads();
  for (int i = 0; i < ROUNDS; i++) {
    char text[256] = "";
    lua_State *L = open_state(), *other = open_state();
    const bool fine = run(L, setup, text, sizeof text) && run(other, setup, text, sizeof text) &&
                      run(L, use, text, sizeof text);
    CHECK(fine && running_threads() >= before + 3, "%d threads; %s", running_threads(), text);
    lua_close(L);
    CHECK(running_threads() >= before + 3, "%d threads with a state", running_threads());
    lua_close(other);
    CHECK(threads_become(before), "%d threads", running_threads());
  }
}

/* {=== what the environment asks for ===} */

enum { OPENERS = 8, TRIES = 20 };

static atomic_int unopened;

static void *open_at_once(void *unused) {
  lua_State *L = open_state();
  pthread_barrier_wait(&barrier);
  if (L && luaL_dostring(L, "require 'ndbuf.core'")) {
    fprintf(stderr, "%s\n", lua_tostring(L, -1));
    unopened++;
  }
  pthread_barrier_wait(&barrier);
  if (L) lua_close(L);
  return unused;
}

static void open_many(const char *log) {
  pthread_t thread[OPENERS];
  setenv("NDBUF_LOG", log, 1);
  pthread_barrier_init(&barrier, NULL, OPENERS);
  for (int i = 0; i < OPENERS; i++) pthread_create(&thread[i], NULL, open_at_once, NULL);
  for (int i = 0; i < OPENERS; i++) pthread_join(thread[i], NULL);
}

/* As another process that writes to it. */
static int take_log(const char *log) {
  const int fd = open(log, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  CHECK(fd >= 0 && flock(fd, LOCK_EX) == 0, "lock %s", log);
  return fd;
}

/* In processes of their own, as the log stays until the end. The first thing here, while there are
 * no other threads, which a fork would not copy. */
static void spec_log(void) {
  group(
      "states on eight threads that are opened at once have one log, with a number if it is taken");
  char log[64], numbered[64];
  int status = 0;
  snprintf(log, sizeof log, "/tmp/ndbuf-states-%d.csv", (int)getpid());
  for (int i = 0; i < TRIES; i++) {
    const int fd = i % 2 ? take_log(log) : -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) open_many(log), _exit(unopened != 0);
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0, "status %d", status);
    snprintf(numbered, sizeof numbered, "/tmp/ndbuf-states-%d.%d.csv", (int)getpid(), (int)child);
    CHECK(access(log, F_OK) == 0 && (access(numbered, F_OK) == 0) == (fd >= 0), "try %d", i);
    remove(log), remove(numbered);
    if (fd >= 0) close(fd);
  }
}

int main(void) {
  seed_from(20261124);
  spec_log();
  spec_apart();
  spec_helpers();
  spec_many("states on eight threads make, view, compute with and drop small arrays", work_small,
            20000, 2 * scaled(20000));
  spec_many("states on eight threads guard, log, track, pool and limit memory of their own",
            work_stacked, 2000, 1);
  spec_given();
  spec_outlived();
  spec_released();
  return finish();
}
