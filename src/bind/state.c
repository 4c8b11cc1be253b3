/* What the module keeps for a Lua state: the dispatcher, the collection debt, anchored values. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bind/bind.h"
#include "dev/cuda.h"

static const char registry_key = 's';

ndb_state *ndb_find_state(lua_State *L) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)&registry_key);
  lua_rawget(L, LUA_REGISTRYINDEX);
  ndb_state *S = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return S;
}

/* {=== anchors ===} Lua values that memory depends on. The release comes from any thread, perhaps
 * after the state was closed; it only moves the anchor to a list, which the next call in the state
 * works off. */

typedef struct anchor {
  struct anchor *next;
  ndb_anchors *list;
  int reference; /* in the registry */
} anchor;

struct ndb_anchors {
  _Atomic(anchor *) released;
  atomic_uint holds; /* the state and each anchor */
};

static void drop_anchors(ndb_anchors *list) {
  if (atomic_fetch_sub(&list->holds, 1) != 1) return;
  anchor *next, *at = atomic_load(&list->released);
  for (; at; at = next) next = at->next, free(at);
  free(list);
}

void *ndb_anchor(lua_State *L, ndb_state *S, int arg) {
  if (!S->anchors) ndb_fail(L, S, ND_UNSUPPORTED, NULL, "the Lua state is being closed");
  lua_pushvalue(L, arg);
  const int reference = luaL_ref(L, LUA_REGISTRYINDEX);
  anchor *a = malloc(sizeof *a);
  if (!a) {
    luaL_unref(L, LUA_REGISTRYINDEX, reference);
    ndb_fail(L, S, ND_OUT_OF_MEMORY, NULL, "no memory to keep the owner alive");
    return NULL;
  }
  a->list = S->anchors;
  a->reference = reference;
  atomic_fetch_add(&S->anchors->holds, 1);
  return a;
}

void ndb_anchor_release(void *at) {
  anchor *a = at;
  ndb_anchors *list = a->list;
  anchor *head = atomic_load(&list->released);
  do a->next = head;
  while (!atomic_compare_exchange_weak(&list->released, &head, a));
  drop_anchors(list);
}

void ndb_drop_released(lua_State *L, ndb_state *S) {
  if (!S->anchors || !atomic_load_explicit(&S->anchors->released, memory_order_relaxed)) return;
  anchor *next, *at = atomic_exchange(&S->anchors->released, NULL);
  for (; at; at = next) {
    next = at->next;
    luaL_unref(L, LUA_REGISTRYINDEX, at->reference);
    free(at);
  }
}

/* {=== collecting ===} The collector does not see external memory, so it is told: past a debt of
 * allocated bytes a full collection runs before the allocation. */

static int protected_collect(lua_State *L) {
  lua_gc(L, LUA_GCCOLLECT, 0);
  return 0;
}

/* collectgarbage "isrunning": LuaJIT has it, the headers of 5.1 do not name it. False in
 * finalizers. */
enum { GC_IS_RUNNING = 9 };
static bool is_running(lua_State *L) { return lua_gc(L, GC_IS_RUNNING, 0) != 0; }

/* A finalizer that raises ends the collection early; the next one goes on. On the state of the call
 * itself: LuaJIT would go on with the wrong one if we ran another and then raised. A collector that
 * the script stopped is stopped again. */
static void collect_on(lua_State *L, ndb_state *S) {
  lua_State *outer = S->L;
  const lua_Hook hook = S->hook_at_entry;
  const bool running = is_running(L);
  const nd_hooks *hooks = nd_hooks_set(NULL);
  S->is_collecting = true;
  if (lua_cpcall(L, protected_collect, NULL) != 0) lua_pop(L, 1);
  S->is_collecting = false;
  if (!running) lua_gc(L, LUA_GCSTOP, 0);
  S->L = outer, S->hook_at_entry = hook; /* finalizers may have called us */
  nd_hooks_set(hooks);
}

static void collect(ndb_state *S) {
  if (S->is_collecting) return; /* a finalizer allocates */
  const clock_t start = clock();
  S->collections++;
  collect_on(S->L, S);
  S->collecting_ms += (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC;
}

void ndb_stress(lua_State *L, ndb_state *S) {
  if (S->is_stressed && !S->is_collecting) collect_on(L, S);
}

static uint64_t live_bytes(const nd_resource *from) {
  nd_mem_stats stats;
  nd_resource_get_stats((nd_resource *)(uintptr_t)from, &stats);
  return stats.live.now;
}

static bool counts(const nd_resource *from, size_t bytes) {
  return bytes > 0 && from->kind != ND_MEM_FILE && from->kind != ND_MEM_FOREIGN &&
         from->device < NDB_DEVICES;
}

/* Each device has one, its managed memory another; pinned memory has the last. */
static size_t ledger_of(const nd_resource *from) {
  if (from->kind == ND_MEM_PINNED) return 2 * NDB_DEVICES;
  return from->kind == ND_MEM_MANAGED ? NDB_DEVICES + (size_t)from->device : from->device;
}

enum { DEBT_FLOOR = 64 << 20 };

static void before_take(void *context, const nd_resource *from, size_t bytes) {
  ndb_state *S = context;
  ndb_stress(S->L, S);
  if (!counts(from, bytes)) return;
  uint64_t *debt = &S->debt[ledger_of(from)], *live = &S->live_after[ledger_of(from)];
  const uint64_t allowed = *live / 2 > DEBT_FLOOR ? *live / 2 : DEBT_FLOOR;
  if (*debt + bytes > allowed && *debt > 0 && !S->is_collecting && is_running(S->L)) {
    collect(S);
    *debt = 0;
    *live = live_bytes(from);
  }
  *debt += bytes;
}

void ndb_forget_debt(ndb_state *S, const nd_resource *from, size_t bytes) {
  if (!counts(from, bytes)) return;
  uint64_t *debt = &S->debt[ledger_of(from)];
  *debt = *debt > bytes ? *debt - bytes : 0;
}

static bool collect_on_failure(void *context) {
  collect(context);
  return true;
}

/* luajit's SIGINT handler sets a debug hook; one that was not there at entry means: stop. */
static bool is_interrupted(void *context) {
  ndb_state *S = context;
  if (lua_gethook(S->L) == S->hook_at_entry) return false;
  lua_sethook(S->L, S->hook_at_entry, 0, 0);
  return true;
}

/* {=== calls ===} */

void ndb_spare_parking(lua_State *L, ndb_state *S, ndb_parking *parking) {
  if (S->registered == parking) lua_pop(L, 1);
  else lua_rawseti(L, LUA_REGISTRYINDEX, S->parking_ref);
  S->parking = S->registered = parking;
}

static int parking_gc(lua_State *L) {
  nd_view_drop(&((ndb_parking *)lua_touserdata(L, 1))->view);
  return 0;
}

void ndb_make_parking(lua_State *L, ndb_state *S) {
  if (S->parking) return;
  ndb_parking *parking = lua_newuserdata(L, sizeof *parking);
  parking->view.storage = NULL;
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, parking_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  ndb_spare_parking(L, S, parking);
}

/* A method of one dtype on an array of another. Values that are no arrays the method refuses. */
static void check_dtype(lua_State *L, ndb_state *S, int wanted) {
  const ndb_array *a = ndb_to_array(L, 1);
  if (a && a->view.dtype != wanted)
    ndb_fail(L, S, ND_TYPE_MISMATCH, "self", "expected an array of %s, got one of %s",
             nd_dtype_get((nd_dtype)wanted)->name, nd_dtype_get((nd_dtype)a->view.dtype)->name);
}

/* What a call replaces. */
typedef struct {
  ndb_state *S;
  lua_State *L;
  const char *function;
  lua_Hook hook;
  const nd_hooks *hooks;
} outer_call;

static void put_back(outer_call *outer) {
  nd_hooks_set(outer->hooks);
  outer->S->L = outer->L;
  outer->S->function = outer->function;
  outer->S->hook_at_entry = outer->hook;
}

int ndb_dispatch(lua_State *L) {
  ndb_state *S = lua_touserdata(L, lua_upvalueindex(1));
  const ndb_reg *row = lua_touserdata(L, lua_upvalueindex(2));
  const int wanted = (int)lua_tointeger(L, lua_upvalueindex(3));
  if (wanted >= 0) check_dtype(L, S, wanted);
  ndb_drop_released(L, S);
  if (nd_has_pending()) nd_reap(ND_REAP_POLL);
  ndb_make_parking(L, S);
  ND_AT_EXIT(put_back) /* when Lua raises, too: LuaJIT unwinds C frames */
  outer_call outer = {.S = S, .L = S->L, .function = S->function, .hook = S->hook_at_entry};
  S->L = L;
  S->function = row->name;
  S->hook_at_entry = lua_gethook(L);
  outer.hooks = nd_hooks_set(&S->hooks);
  if (row->most != NDB_ANY && lua_gettop(L) > row->most) ndb_end_arguments(L, S, row->most);
  return row->call(L, S);
}

void ndb_register_methods(lua_State *L, const ndb_reg *list, lua_CFunction by, int dtype) {
  for (; list->name; list++) {
    lua_pushlightuserdata(L, (void *)(uintptr_t)&registry_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    lua_pushlightuserdata(L, (void *)(uintptr_t)list);
    lua_pushinteger(L, dtype);
    lua_pushcclosure(L, by, 3);
    lua_setfield(L, -2, list->name);
  }
}

void ndb_register(lua_State *L, const ndb_reg *list, lua_CFunction by) {
  ndb_register_methods(L, list, by, NDB_ANY);
}

static atomic_int open_states;

static void give_all(void) {
  nd_reap(ND_REAP_WAIT);
  if (nd_has_pending()) nd_reap(ND_REAP_WAIT); /* once more what could not be freed */
}

void ndb_close_late(void) {
  if (atomic_load(&open_states) > 0) return;
  give_all();
  nd_cuda_close();
}

static int state_gc(lua_State *L) {
  ndb_state *S = lua_touserdata(L, 1);
  const nd_hooks *hooks = nd_hooks_set(NULL);
  if (hooks != &S->hooks) nd_hooks_set(hooks);
  if (S->anchors) drop_anchors(S->anchors);
  S->anchors = NULL;
  give_all();
  if (atomic_fetch_sub(&open_states, 1) == 1) nd_cuda_close();
  return 0;
}

static void set_hooks(ndb_state *S) {
  S->hooks = (nd_hooks){.context = S,
                        .before_take = before_take,
                        .collect = collect_on_failure,
                        .is_interrupted = is_interrupted};
}

ndb_state *ndb_open_state(lua_State *L) {
  ndb_state *S = lua_newuserdata(L, sizeof *S);
  memset(S, 0, sizeof *S);
  lua_newtable(L);
  lua_pushcfunction(L, state_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  atomic_fetch_add(&open_states, 1);
  S->anchors = calloc(1, sizeof *S->anchors);
  if (!S->anchors) luaL_error(L, "ndbuf: no memory");
  atomic_init(&S->anchors->holds, 1);
  S->classify = S->to_pointer = S->unknown_name = S->print = S->scope_ref = LUA_NOREF;
  for (int i = 0; i < ND_DTYPE_COUNT; i++) S->boxes[i] = S->fills[i] = LUA_NOREF;
  const char *stress = getenv("NDBUF_GC_STRESS");
  S->is_stressed = stress && strcmp(stress, "1") == 0;
  lua_pushboolean(L, 0);
  S->parking_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  S->L = L;
  set_hooks(S);
  lua_pushlightuserdata(L, (void *)(uintptr_t)&registry_key);
  lua_pushvalue(L, -2);
  lua_rawset(L, LUA_REGISTRYINDEX);
  lua_pop(L, 1);
  return S;
}
