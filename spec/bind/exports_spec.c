/* What other states and other code have of arrays outlives the state that made them, and is let go
 * on any thread. */
#include <pthread.h>
#include <string.h>

#include "../core/check.h"
#include "states.h"
#include "xchg/arrow.h"
#include "xchg/dlpack.h"

enum { MANY = 8 };

/* {=== by name ===} */

typedef struct {
  pthread_t thread;
  int number;
  char name[64], text[256];
} attaching;

/* Writes to elements of its own, in arrays that go at once. */
static void *attach(void *at) {
  attaching *a = at;
  lua_State *L = open_state();
  if (run(L, setup, a->text, sizeof a->text)) {
    lua_pushstring(L, a->name);
    lua_setglobal(L, "name");
    lua_pushnumber(L, a->number);
    lua_setglobal(L, "number");
    run(L,
        "for i = 1, 200 do\n"
        "  local shared = nd.attach(name)\n"
        "  shared[number + 1] = shared[number + 1] + 1\n"
        "  if i % 50 == 0 then collectgarbage() end\n"
        "end\n",
        a->text, sizeof a->text);
  }
  if (L) lua_close(L);
  return NULL;
}

/* The name that a script returns. */
static lua_State *share(const char *script, char *name, size_t bytes) {
  char text[256] = "";
  lua_State *L = open_state();
  const bool fine = run(L, setup, text, sizeof text) && run(L, script, text, sizeof text);
  CHECK(fine && lua_isstring(L, -1), "%s", text);
  snprintf(name, bytes, "%s", fine ? lua_tostring(L, -1) : "");
  lua_settop(L, 0);
  return L;
}

static void spec_shared(void) {
  group("states on eight threads attach to an array by its name");
  static attaching all[MANY];
  char text[256] = "";
  const nd_mem_stats before = host_stats();
  lua_State *L = share("kept = nd.zeros(8) return nd.share(kept)", all[0].name, sizeof all[0].name);
  for (int i = 0; i < MANY; i++) {
    all[i].number = i;
    memcpy(all[i].name, all[0].name, sizeof all[i].name);
    pthread_create(&all[i].thread, NULL, attach, &all[i]);
  }
  for (int i = 0; i < MANY; i++) pthread_join(all[i].thread, NULL);
  for (int i = 0; i < MANY; i++) CHECK(!all[i].text[0], "thread %d: %s", i, all[i].text);
  CHECK(run(L, "assert(kept:eq(200):all())", text, sizeof text), "%s", text);
  lua_close(L);
  group("a name that is good once keeps the memory until then, whatever becomes of its state");
  char name[64];
  lua_close(share("return nd.share(nd.arange(1, 1000), {once = true})", name, sizeof name));
  L = open_state();
  bool fine = run(L, setup, text, sizeof text);
  lua_pushstring(L, name);
  lua_setglobal(L, "name");
  fine = fine && run(L, "assert(nd.attach(name):sum() == 500500)", text, sizeof text) &&
         run(L, "assert(not pcall(nd.attach, name)) sweep()", text, sizeof text);
  CHECK(fine, "%s", text);
  lua_close(L);
  CHECK(host_stats().live.now == before.live.now, "bytes are left");
}

/* {=== what other code has ===} */

/* A tensor and Arrow's structures, of one array. */
typedef struct {
  struct ArrowSchema schema;
  struct ArrowArray array;
  nd_dlpack_versioned *tensor;
} exported;

static pthread_barrier_t barrier;

/* Both return NULL where the bytes were there. */
static void *delete_tensor(void *at) {
  nd_dlpack_versioned *t = ((exported *)at)->tensor;
  pthread_barrier_wait(&barrier);
  const bool is_there = ((double *)t->tensor.data)[999] == 1000;
  t->deleter(t);
  return is_there ? NULL : at;
}

static void *release_array(void *at) {
  exported *e = at;
  pthread_barrier_wait(&barrier);
  const bool is_there = ((const double *)e->array.buffers[1])[999] == 1000;
  e->array.release(&e->array);
  e->schema.release(&e->schema);
  return is_there ? NULL : at;
}

static void spec_exported(void) {
  group("exports are let go on two threads at once, their state closed, its collector stopped");
  const nd_mem_stats before = host_stats();
  for (int i = 0; i < 50; i++) {
    exported e = {.tensor = NULL};
    pthread_t thread[2];
    char text[256] = "";
    lua_State *L = open_state();
    bool fine = run(L, "collectgarbage 'stop'", text, sizeof text) &&
                run(L, setup, text, sizeof text);
    lua_pushlightuserdata(L, &e.schema), lua_setglobal(L, "schema");
    lua_pushlightuserdata(L, &e.array), lua_setglobal(L, "array");
    lua_pushboolean(L, i % 2), lua_setglobal(L, "is_freed");
    fine = fine && run(L,
                       "local a = nd.arange(1, 1000)\n"
                       "core.arrow_out(a, schema, array, false)\n"
                       "local tensor = nd.to_dlpack(a)\n"
                       "if is_freed then a:free() end\n"
                       "return tonumber(ffi.cast('uintptr_t', tensor))",
                       text, sizeof text);
    CHECK(fine, "%s", text);
    e.tensor = fine ? (nd_dlpack_versioned *)(uintptr_t)lua_tonumber(L, -1) : NULL;
    lua_close(L);
    if (!fine) return;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread[0], NULL, delete_tensor, &e);
    pthread_create(&thread[1], NULL, release_array, &e);
    for (int k = 0; k < 2; k++) {
      void *gone;
      pthread_join(thread[k], &gone);
      CHECK(!gone, "the bytes are gone");
    }
    pthread_barrier_destroy(&barrier);
  }
  const nd_mem_stats after = host_stats();
  CHECK(after.live.now == before.live.now && after.held.now == before.held.now, "bytes are left");
}

int main(void) {
  spec_shared();
  spec_exported();
  return finish();
}
