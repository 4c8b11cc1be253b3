/* The collection debt: when an allocation makes Lua collect. To Lua's collector an array is a
 * userdata of some hundred bytes, so garbage arrays could pile up until memory runs out. So the
 * bytes allocated since the last collection, less those freed explicitly, are counted as a debt;
 * when it exceeds its limit, a full collection runs before the next allocation (docs/internals.md,
 * The collection debt). */
#include <time.h>

#include "bind/bind.h"

static int protected_collect(lua_State *L) {
  lua_gc(L, LUA_GCCOLLECT, 0);
  return 0;
}

/* collectgarbage "isrunning": LuaJIT has it, the headers of 5.1 do not name it. False in
 * finalizers. */
enum { GC_IS_RUNNING = 9 };
static bool is_running(lua_State *L) { return lua_gc(L, GC_IS_RUNNING, 0) != 0; }

/* Run a full collection on the coroutine of the call in progress: LuaJIT would continue on the
 * wrong one if it ran on another and an error followed. Finalizers run without the call's
 * callbacks, and may call the module, so what such a call replaces is put back. One that raises
 * ends the collection early; the next collection goes on. */
static void collect_on(lua_State *L, ndb_state *S) {
  lua_State *outer = S->L;
  const lua_Hook hook = S->hook_at_entry;
  const bool running = is_running(L);
  const nd_call *call = nd_call_set(NULL);
  S->is_collecting = true;
  if (lua_cpcall(L, protected_collect, NULL) != 0) lua_pop(L, 1);
  S->is_collecting = false;
  /* a full collection restarts a collector that was stopped */
  if (!running) lua_gc(L, LUA_GCSTOP, 0);
  S->L = outer, S->hook_at_entry = hook; /* finalizers may have called us */
  nd_call_set(call);
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

/* Of the memory itself: of adaptors on it, a scope may count less than nothing. */
static uint64_t live_bytes(const nd_resource *from) {
  if (from->kind == ND_MEM_FOREIGN) return nd_foreign_bytes();
  nd_mem_stats stats;
  nd_resource_get_stats((nd_resource *)(uintptr_t)nd_resource_leaf(from), &stats);
  return stats.live.now;
}

/* Whether memory adds to the debt. What other libraries gave us does, as they keep it until it is
 * collected; mapped files, and memory whose owner is a Lua object, do not. */
static bool counts(const nd_resource *from, size_t bytes) {
  return bytes > 0 && from->kind != ND_MEM_FILE && !from->is_lent && from->device < ND_DEVICES;
}

/* Ledgers: one for each device (the host is device 0), one for each device's managed memory, one
 * for pinned memory, the last for what other libraries gave us. Separate ones, as a full GPU says
 * nothing about the host's memory. */
size_t ndb_ledger_of(const nd_resource *from) {
  if (from->kind == ND_MEM_FOREIGN) return 2 * ND_DEVICES + 1;
  if (from->kind == ND_MEM_PINNED) return 2 * ND_DEVICES;
  return from->kind == ND_MEM_MANAGED ? ND_DEVICES + (size_t)from->device : from->device;
}

enum { DEBT_FLOOR = 64 << 20 }; /* bytes; less is not worth a full collection */

/* Whether 'bytes' more would exceed the limit, which grows with what the last collection left
 * alive, so that the collections' cost per allocated byte stays bounded. */
static bool exceeds(const ndb_state *S, size_t ledger, size_t bytes) {
  const uint64_t debt = S->debt[ledger], live = S->live_after[ledger];
  const uint64_t allowed = live / 2 > DEBT_FLOOR ? live / 2 : DEBT_FLOOR;
  return debt + bytes > allowed && debt > 0;
}

bool ndb_add_debt(ndb_state *S, const nd_resource *from, size_t bytes) {
  if (!counts(from, bytes)) return true;
  if (exceeds(S, ndb_ledger_of(from), bytes)) return false;
  S->debt[ndb_ledger_of(from)] += bytes;
  return true;
}

/* A collector that the script stopped is left alone. */
void ndb_before_take(void *context, const nd_resource *from, size_t bytes) {
  ndb_state *S = context;
  ndb_stress(S->L, S);
  if (!counts(from, bytes)) return;
  const size_t ledger = ndb_ledger_of(from);
  if (exceeds(S, ledger, bytes) && !S->is_collecting && is_running(S->L)) {
    collect(S);
    S->debt[ledger] = 0;
    S->live_after[ledger] = live_bytes(from);
  }
  S->debt[ledger] += bytes;
}

void ndb_forget_debt(ndb_state *S, const nd_resource *from, size_t bytes) {
  if (!counts(from, bytes)) return;
  uint64_t *debt = &S->debt[ndb_ledger_of(from)];
  *debt = *debt > bytes ? *debt - bytes : 0;
}

void ndb_forget_freed(ndb_state *S, nd_storage *s) {
  if (nd_storage_get_state(s) == ND_STORAGE_LIVE && !nd_storage_has_exports(s))
    ndb_forget_debt(S, s->resource, s->bytes);
}

bool ndb_collect_on_failure(void *context) {
  collect(context);
  return true;
}
