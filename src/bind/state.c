/* What the module keeps for a Lua state: anchored values, and the dispatcher that every call from
 * Lua goes through. */
#include <stdlib.h>
#include <string.h>

#include "bind/memory.h"

static const char registry_key = 's'; /* its address is the state's key in the registry */

void ndb_push_state(lua_State *L) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)&registry_key);
  lua_rawget(L, LUA_REGISTRYINDEX);
}

ndb_state *ndb_find_state(lua_State *L) {
  ndb_push_state(L);
  ndb_state *S = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return S;
}

/* {=== anchors ===} Lua values that memory depends on, such as the owner of wrapped memory. The
 * last view of that memory may die on any thread, perhaps after the Lua state was closed, where no
 * Lua function may be called. So a release only pushes the anchor to a lock-free list, which the
 * next call in the state empties. The list is refcounted: the state and each anchor have a
 * reference. */

typedef struct anchor {
  struct anchor *next;
  ndb_anchors *list;
  int reference; /* in the registry */
} anchor;

struct ndb_anchors {
  _Atomic(anchor *) released; /* a stack, linked by 'next' */
  atomic_uint holds;          /* references: of the state, of each anchor */
};

/* The last one to drop frees the anchors that nobody will take off the list any more. */
static void drop_anchors(ndb_anchors *list) {
  if (atomic_fetch_sub(&list->holds, 1) != 1) return;
  anchor *next, *at = atomic_load(&list->released);
  for (; at; at = next) next = at->next, free(at);
  free(list);
}

void *ndb_anchor(lua_State *L, ndb_state *S, int arg) {
  if (!S->anchors) ndb_fail(L, S, ND_UNSUPPORTED, NULL, "the Lua state is being closed");
  lua_pushvalue(L, arg);
  const int reference = luaL_ref(L, LUA_REGISTRYINDEX); /* first: it may raise */
  anchor *a = malloc(sizeof *a); /* not by Lua: it may outlive the Lua state */
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

void ndb_anchor_push(lua_State *L, const void *at) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, ((const anchor *)at)->reference);
}

void ndb_anchor_release(void *at) {
  anchor *a = at;
  ndb_anchors *list = a->list;
  /* a plain push is safe, as the list is only ever taken as a whole: nobody pops one anchor */
  anchor *head = atomic_load(&list->released);
  do a->next = head;
  while (!atomic_compare_exchange_weak(&list->released, &head, a));
  drop_anchors(list); /* last: it may free the list and the anchor on it */
}

/* Relaxed, as the exchange below orders: an anchor that is missed is found by a later call. */
bool ndb_has_released(const ndb_state *S) {
  return S->anchors && atomic_load_explicit(&S->anchors->released, memory_order_relaxed);
}

void ndb_drop_released(lua_State *L, ndb_state *S) {
  if (!ndb_has_released(S)) return;
  anchor *next, *at = atomic_exchange(&S->anchors->released, NULL);
  for (; at; at = next) {
    next = at->next;
    luaL_unref(L, LUA_REGISTRYINDEX, at->reference);
    free(at);
  }
}

/* {=== calls ===} */

/* The core polls this in long operations. luajit's SIGINT handler cannot stop C code: it sets a
 * debug hook, which raises at the next Lua instruction. So a hook that was not there when the call
 * began means Ctrl-C. It is removed, as the call raises 'interrupted' itself. */
static bool is_interrupted(void *context) {
  ndb_state *S = context;
  if (lua_gethook(S->L) == S->hook_at_entry) return false;
  lua_sethook(S->L, S->hook_at_entry, 0, 0);
  return true;
}

void ndb_give_guard(lua_State *L, ndb_state *S, ndb_view_guard *guard) {
  if (S->registered_guard == guard) lua_pop(L, 1);
  else lua_rawseti(L, LUA_REGISTRYINDEX, S->guard_ref);
  S->guard = S->registered_guard = guard;
}

static int guard_gc(lua_State *L) {
  nd_view_drop(&((ndb_view_guard *)lua_touserdata(L, 1))->view);
  return 0;
}

void ndb_make_guard(lua_State *L, ndb_state *S) {
  if (S->guard) return;
  ndb_view_guard *guard = lua_newuserdata(L, sizeof *guard);
  guard->view.storage = NULL; /* before guard_gc may see it */
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, guard_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  ndb_give_guard(L, S, guard);
}

void ndb_return_guard(ndb_state *S) {
  if (S->guard) return;
  nd_view_drop(&S->registered_guard->view);
  S->guard = S->registered_guard;
}

void ndb_end_arguments(lua_State *L, ndb_state *S, int last) {
  for (int arg = last + 1; arg <= lua_gettop(L); arg++)
    if (!lua_isnil(L, arg))
      ndb_fail(L, S, ND_INVALID_ARGUMENT, S->function, "unexpected extra argument (%s)",
               luaL_typename(L, arg));
  lua_settop(L, last);
}

/* Refuse a method of one dtype on an array of another: it was taken from another metatable. Any
 * other value is left to the method's own check. */
static void check_dtype(lua_State *L, ndb_state *S, int wanted) {
  const ndb_array *a = ndb_to_array(L, 1);
  if (a && a->view.dtype != wanted)
    ndb_fail(L, S, ND_TYPE_MISMATCH, "self", "expected an array of %s, got one of %s",
             nd_dtype_get((nd_dtype)wanted)->name, nd_dtype_get((nd_dtype)a->view.dtype)->name);
}

/* {=== storages of finalized handles ===} A finalizer of the script may call __gc of the very array
 * that the call in progress works on, through the view in its handle or a copy of that without a
 * reference. So the last reference to a storage is dropped when no call is in progress any more.
 * The bytes do not wait that long where it matters: large ones, and those that a collection is to
 * find; as after a:free(), the core then refuses access to them. */

void ndb_drop_late(ndb_state *S, nd_storage *storage) {
  if (nd_storage_drop_shared(storage)) return;
  if (!storage->is_small || S->is_collecting) nd_storage_free(storage, NULL);
  storage->next = S->late;
  S->late = storage;
}

static void drop_late(ndb_state *S) {
  nd_storage *next, *at = S->late;
  S->late = NULL;
  for (; at; at = next) next = at->next, nd_storage_drop(at);
  ndb_close_late();
}

void ndb_drop_now(ndb_state *S) {
  if (S->calls == 1) drop_late(S);
}

int ndb_call_script(lua_State *L, ndb_state *S, int arguments) {
  const int calls = S->calls;
  S->calls = calls - 1;
  const int status = lua_pcall(L, arguments, LUA_MULTRET, 0);
  S->calls = calls;
  return status;
}

/* {=== which memory ===} */

/* Nothing is chosen for files and foreign memory. */
nd_resource *ndb_memory_for(const ndb_state *S, nd_resource *own) {
  if (S->chosen_count == 0 || own->kind == ND_MEM_FILE || own->kind == ND_MEM_FOREIGN) return own;
  nd_resource *chosen = S->chosen[ndb_ledger_of(own)];
  return chosen ? chosen : own;
}

/* The driver's page-locked memory itself is asked for by staging buffers: they are under what the
 * environment says. The stack stays for the process, so no reference is kept. */
static nd_resource *memory_for(void *context, nd_resource *own) {
  nd_resource *found = ndb_memory_for(context, own), *stack;
  if (found != own || own->up || own->kind != ND_MEM_PINNED || !ndb_has_default_layers() ||
      ndb_default_stack(own, &stack, NULL) != ND_OK)
    return found;
  nd_resource_drop(stack);
  return stack;
}

void ndb_choose_memory(ndb_state *S, size_t ledger, nd_resource *chosen) {
  nd_resource *former = S->chosen[ledger];
  S->chosen_count += (chosen != NULL) - (former != NULL);
  S->chosen[ledger] = chosen ? nd_resource_hold(chosen) : NULL;
  nd_resource_drop(former);
}

/* {=== the dispatcher ===} */

/* What a call replaces and restores when it ends, as calls nest: a finalizer, nd.scope's
 * function. */
typedef struct {
  ndb_state *S;
  lua_State *L;
  const char *function;
  lua_Hook hook;
  const nd_call *call;
  uint32_t queue; /* this and the next: of an outer call in this state */
  uint32_t forbidden;
  const nd_promises *promises;
} outer_call;

static void restore_outer(outer_call *outer) {
  ndb_state *S = outer->S;
  ndb_return_guard(S);
  if (--S->calls == 0 && S->late) drop_late(S);
  nd_call_set(outer->call);
  S->call.queue = outer->queue;
  S->call.promises = outer->promises;
  S->call.forbidden = outer->forbidden;
  outer->S->L = outer->L;
  outer->S->function = outer->function;
  outer->S->hook_at_entry = outer->hook;
}

static void settle_guards(ndb_state *S, bool waits) {
  ndb_settle_guards(S, waits);
  if (S->is_guarded) ndb_settle_defaults(waits);
}

int ndb_dispatch(lua_State *L) {
  const ndb_bound *bound = ndb_bound_to(L);
  ndb_state *S = bound->state;
  const ndb_reg *row = bound->row;
  if (S->calls == 0 && ndb_has_records(S)) ndb_call_listeners(L, S);
  if (bound->dtype >= 0) check_dtype(L, S, bound->dtype);
  ndb_drop_released(L, S);
  /* frees what is finished, without waiting */
  S->reaped = nd_has_pending() ? nd_reap(ND_REAP_POLL) : 0;
  if (S->calls == 0 && (S->is_guarded || ndb_has_steps(S))) settle_guards(S, false);
  ndb_make_guard(L, S);
  ND_AT_EXIT(restore_outer) /* runs after errors, too: LuaJIT unwinds C frames */
  outer_call outer = {.S = S,
                      .L = S->L,
                      .function = S->function,
                      .hook = S->hook_at_entry,
                      .queue = S->call.queue,
                      .forbidden = S->call.forbidden,
                      .promises = S->call.promises};
  S->call.queue = S->stream_queue;
  S->call.promises = S->promises;
  S->call.forbidden = S->forbidden;
  S->calls++;
  S->L = L;
  S->function = row->name;
  S->hook_at_entry = lua_gethook(L);
  outer.call = nd_call_set(&S->call);
  if (row->most != NDB_ANY && lua_gettop(L) > row->most) ndb_end_arguments(L, S, row->most);
  return row->call(L, S);
}

void ndb_register_methods(lua_State *L, const ndb_reg *list, lua_CFunction by(const char *name),
                          int dtype) {
  int count = 0;
  while (list[count].name) count++;
  ndb_bound *bound = lua_newuserdata(L, (size_t)count * sizeof *bound);
  ndb_state *S = ndb_find_state(L);
  for (int i = 0; i < count; i++) {
    bound[i] = (ndb_bound){.state = S, .row = &list[i], .dtype = dtype};
    lua_pushlightuserdata(L, &bound[i]);
    lua_pushvalue(L, -2); /* this and the next keep alive what the first points to */
    ndb_push_state(L);
    lua_pushcclosure(L, by(list[i].name), 3);
    lua_setfield(L, -3, list[i].name);
  }
  lua_pop(L, 1);
}

static lua_CFunction dispatch(const char *name) {
  (void)name;
  return ndb_dispatch;
}

void ndb_register(lua_State *L, const ndb_reg *list) {
  ndb_register_methods(L, list, dispatch, NDB_ANY);
}

static atomic_int open_states; /* in all threads */
static atomic_uint_fast64_t last_number;

/* Wait for pending frees and finish them. */
static void free_pending(void) {
  nd_reap(ND_REAP_WAIT);
  if (nd_has_pending()) nd_reap(ND_REAP_WAIT); /* what a driver refused is tried once more */
}

void ndb_close_late(void) {
  if (atomic_load(&open_states) > 0) return;
  free_pending();
  ndb_settle_defaults(true);
  free_pending();                                          /* what those kept */
  if (atomic_load(&open_states) == 0) nd_backends_close(); /* none was opened during the wait */
}

/* When the Lua state closes. Arrays may be finalized later than this, and may even be made by other
 * finalizers: see ndb_close_late. The call is unset, as its callbacks use the state. */
static int state_gc(lua_State *L) {
  ndb_state *S = lua_touserdata(L, 1);
  const nd_call *call = nd_call_set(NULL);
  if (call != &S->call) nd_call_set(call); /* another state's: closed from inside its call */
  S->calls = 0; /* a call that closes the state, as os.exit may do, never ends */
  drop_late(S);
  /* anchors that are left keep the list */
  if (S->anchors) drop_anchors(S->anchors);
  S->anchors = NULL;
  ndb_drop_listeners(S);
  for (size_t i = 0; i < NDB_LEDGERS; i++) ndb_choose_memory(S, i, NULL);
  free_pending();
  settle_guards(S, true);
  free_pending(); /* what those kept */
  ndb_report_leaks(S);
  if (atomic_fetch_sub(&open_states, 1) == 1) nd_backends_close();
  return 0;
}

static void set_call(ndb_state *S) {
  S->call = (nd_call){.context = S,
                      .before_take = ndb_before_take,
                      .collect = ndb_collect_on_failure,
                      .trace = ndb_trace,
                      .is_interrupted = is_interrupted,
                      .memory = memory_for};
}

void ndb_choose_default(lua_State *L, ndb_state *S, size_t ledger) {
  nd_resource *stack = NULL;
  nd_error err;
  if (ledger == ndb_ledger_of(nd_host_resource()) && ndb_has_default_layers() &&
      ndb_default_stack(nd_host_resource(), &stack, &err) != ND_OK)
    luaL_error(L, "ndbuf: %s", err.message);
  ndb_choose_memory(S, ledger, stack);
  nd_resource_drop(stack);
}

ndb_state *ndb_open_state(lua_State *L) {
  ndb_state *S = lua_newuserdata(L, sizeof *S);
  memset(S, 0, sizeof *S); /* before state_gc may see it */
  lua_newtable(L);
  lua_pushcfunction(L, state_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  atomic_fetch_add(&open_states, 1); /* from here on state_gc runs, whatever raises */
  S->is_guarded = ndb_wants_guard();
  S->anchors = calloc(1, sizeof *S->anchors);
  if (!S->anchors) luaL_error(L, "ndbuf: no memory");
  atomic_init(&S->anchors->holds, 1);
  S->classify = S->to_pointer = S->unknown_name = S->print = S->scope_ref = LUA_NOREF;
  for (int i = 0; i < ND_DTYPE_COUNT; i++) S->boxes[i] = S->fills[i] = LUA_NOREF;
  const char *stress = getenv("NDBUF_GC_STRESS");
  S->is_stressed = stress && strcmp(stress, "1") == 0;
  lua_createtable(L, NDB_WORDS, 0); /* nothing is allocated as they are set */
  S->words_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_pushboolean(L, 0); /* only reserves the reference */
  S->guard_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  S->L = L;
  S->number = atomic_fetch_add(&last_number, 1) + 1;
  set_call(S);
  ndb_choose_default(L, S, ndb_ledger_of(nd_host_resource()));
  lua_pushlightuserdata(L, (void *)(uintptr_t)&registry_key);
  lua_pushvalue(L, -2);
  lua_rawset(L, LUA_REGISTRYINDEX);
  lua_pop(L, 1);
  return S;
}
