/* nd.memory's adaptors: functions that make a resource of another one. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/call.h"
#include "base/size.h"
#include "bind/memory.h"
#include "mem/host.h"
#include "mem/reap.h"

/* budget(up, limit) */
static int memory_budget(lua_State *L, ndb_state *S) {
  char text[PATH_MAX + 16];
  nd_error err;
  nd_resource *up = ndb_check_memory(L, S, 1, "up");
  const uint64_t limit = ndb_check_limit(L, S, 2, "limit", up);
  const nd_place place = nd_resource_place(up);
  ndb_memory *m = ndb_push_memory(L, S);
  nd_place_text(&place, text, sizeof text);
  ndb_check(L, S, nd_budget_make(up, limit, text, &m->resource, &err), &err);
  return 1;
}

/* {=== logs ===} log(up, path | fn | {path =, cap =} | {ring =}) */

enum { WAITING_MOST = 4096 }; /* records for a function; more are lost */

/* Is it worth a second try? Of logs that are garbage the descriptors and the files are in use. */
static bool collect_for(ndb_state *S, const nd_error *err) {
  if (!ndb_has_errno(err, EMFILE) && !ndb_has_errno(err, ENFILE) &&
      !ndb_has_errno(err, EWOULDBLOCK))
    return false;
  if (nd_call_collect()) nd_call_collect();
  nd_reap(ND_REAP_DONE);
  ndb_drop_now(S); /* arrays hold their memory */
  return true;
}

static int log_to_file(lua_State *L, ndb_state *S, nd_resource *up, const char *path,
                       uint64_t cap) {
  nd_error err;
  ndb_memory *m = ndb_push_memory(L, S);
  nd_status status = nd_log_make_file(up, path, cap, &m->resource, &err);
  if (status != ND_OK && collect_for(S, &err))
    status = nd_log_make_file(up, path, cap, &m->resource, &err);
  ndb_check(L, S, status, &err);
  return 1;
}

/* To the collector a ring is an object of a few bytes, so it counts as an array of its size. */
static int log_to_ring(lua_State *L, ndb_state *S, nd_resource *up, size_t room, bool keeps_last) {
  nd_error err;
  size_t bytes;
  if (!ndi_size_mul(room, sizeof(nd_log_record), &bytes)) bytes = 0; /* it is refused */
  ndb_memory *m = ndb_push_memory(L, S);
  ndb_before_take(S, nd_host_resource(), bytes);
  const nd_status status = nd_log_make_ring(up, room, keeps_last, &m->resource, &err);
  if (status != ND_OK) ndb_forget_debt(S, nd_host_resource(), bytes);
  ndb_check(L, S, status, &err);
  return 1;
}

static int log_to_function(lua_State *L, ndb_state *S, nd_resource *up) {
  log_to_ring(L, S, up, WAITING_MOST, false);
  ndb_listen(L, S, 2, nd_log_ring_of(((ndb_memory *)lua_touserdata(L, -1))->resource, false));
  return 1;
}

static size_t check_ring(lua_State *L, ndb_state *S, int arg) {
  const int64_t room = ndb_check_integer(L, S, arg, "ring");
  if (room < 1)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "ring", ND_NUMBERS({"value", room}, {"limit", 1}),
                  "a ring of %lld records; the least is 1", (long long)room);
  return (size_t)room;
}

static int log_by_options(lua_State *L, ndb_state *S, nd_resource *up) {
  ndb_options options;
  ndb_read_options(L, S, 2, NDB_BIT(PATH) | NDB_BIT(CAP) | NDB_BIT(RING), &options);
  const int path = options.at[NDB_PATH], cap = options.at[NDB_CAP], ring = options.at[NDB_RING];
  if (!path == !ring || (cap && ring))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "sink",
             "expected {path = …}, {path = …, cap = …} or {ring = …}");
  if (ring) return log_to_ring(L, S, up, check_ring(L, S, ring), true);
  return log_to_file(L, S, up, ndb_check_path(L, S, path, "path"),
                     cap ? ndb_check_size(L, S, cap, "cap") : UINT64_MAX);
}

static int memory_log(lua_State *L, ndb_state *S) {
  nd_resource *up = ndb_check_memory(L, S, 1, "up");
  switch (lua_type(L, 2)) {
    case LUA_TSTRING: return log_to_file(L, S, up, ndb_check_path(L, S, 2, "sink"), UINT64_MAX);
    case LUA_TFUNCTION: return log_to_function(L, S, up);
    case LUA_TTABLE: return log_by_options(L, S, up);
  }
  return ndb_fail_type(L, S, 2, "sink", "a path, a function or a table of options"), 0;
}

/* {=== pools, counters ===} */

/* pool(up [, {cap =}]) */
static int memory_pool(lua_State *L, ndb_state *S) {
  nd_error err;
  ndb_options options;
  nd_resource *up = ndb_check_memory(L, S, 1, "up");
  ndb_read_options(L, S, 2, NDB_BIT(CAP), &options);
  const int at = options.at[NDB_CAP];
  const uint64_t cap = at ? ndb_check_limit(L, S, at, "cap", up) : UINT64_MAX;
  ndb_memory *m = ndb_push_memory(L, S);
  ndb_check(L, S, nd_pool_make(up, cap, &m->resource, &err), &err);
  return 1;
}

static int memory_stats(lua_State *L, ndb_state *S) {
  nd_error err;
  nd_resource *up = ndb_check_memory(L, S, 1, "up");
  ndb_memory *m = ndb_push_memory(L, S);
  ndb_check(L, S, nd_stats_make(up, &m->resource, &err), &err);
  return 1;
}

/* {=== retry ===} */

/* What the hook of a retry layer has. */
typedef struct {
  uint64_t owner; /* number of the state */
  void *function; /* an anchor */
} asked;

/* The text of an error at the top, which is replaced by it if it is an object. */
static const char *error_text(lua_State *L) {
  if (lua_istable(L, -1)) {
    lua_pushliteral(L, "message");
    lua_rawget(L, -2);
    lua_replace(L, -2);
  }
  const char *text = lua_tostring(L, -1);
  return text ? text : "with another value than a text";
}

/* At the top of the stack: what the function said, or its error. */
static nd_answer read_answer(lua_State *L, int status, nd_error *err) {
  const bool again = lua_toboolean(L, -1);
  if (err && status != 0) {
    const size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used,
             "; the function of nd.memory.retry failed: %s", error_text(L));
  }
  lua_pop(L, 1);
  if (status != 0) return ND_ANSWER_STOP;
  return again ? ND_ANSWER_AGAIN : ND_ANSWER_NO;
}

/* Only in the state that the function belongs to, and not for what it takes itself. */
static nd_answer ask(void *context, size_t bytes, nd_error *err) {
  const asked *a = context;
  ndb_state *S = (ndb_state *)(uintptr_t)nd_call_context();
  if (!S || S->number != a->owner || !S->anchors || S->is_asking) return ND_ANSWER_NO;
  lua_State *L = S->L;
  if (!lua_checkstack(L, 4)) return ND_ANSWER_NO;
  ndb_anchor_push(L, a->function);
  lua_pushnumber(L, (lua_Number)bytes);
  lua_pushstring(L, err ? err->message : "");
  const nd_call *call = nd_call_set(NULL);
  const lua_Hook hook = S->hook_at_entry;
  S->is_asking = true;
  const int status = lua_pcall(L, 2, 1, 0);
  S->is_asking = false;
  S->L = L, S->hook_at_entry = hook;
  nd_call_set(call);
  return read_answer(L, status, err);
}

static void release(void *context) {
  ndb_anchor_release(((asked *)context)->function);
  free(context);
}

/* retry(up, fn): fn(bytes, message) is called where memory ran out; true: try again. */
static int memory_retry(lua_State *L, ndb_state *S) {
  nd_error err;
  nd_resource *up = ndb_check_memory(L, S, 1, "up");
  if (!lua_isfunction(L, 2)) ndb_fail_type(L, S, 2, "fn", "a function");
  ndb_memory *m = ndb_push_memory(L, S);
  void *const function = ndb_anchor(L, S, 2);
  asked *a = malloc(sizeof *a);
  nd_status status = ND_OUT_OF_MEMORY;
  if (a) {
    *a = (asked){S->number, function};
    status = nd_retry_make(up, &(nd_retry_hook){ask, release, a}, &m->resource, &err);
  } else {
    nd_fail(&err, status, "no memory for the record of a resource");
  }
  if (status != ND_OK) ndb_anchor_release(function), free(a);
  ndb_check(L, S, status, &err);
  return 1;
}

/* track(up [, {report =}]) */
static int memory_track(lua_State *L, ndb_state *S) {
  nd_error err;
  ndb_options options;
  nd_resource *up = ndb_check_memory(L, S, 1, "up");
  ndb_read_options(L, S, 2, NDB_BIT(REPORT), &options);
  ndb_memory *m = ndb_push_memory(L, S);
  ndb_check(L, S, nd_track_make(up, &m->resource, &err), &err);
  if (ndb_option_boolean(L, S, &options, NDB_REPORT, false))
    ndb_check(L, S, ndb_report_at_end(S, m->resource, &err), &err);
  return 1;
}

/* guard(up) */
static int memory_guard(lua_State *L, ndb_state *S) {
  nd_error err;
  nd_resource *up = ndb_check_memory(L, S, 1, "up");
  ndb_memory *m = ndb_push_memory(L, S);
  ndb_check(L, S, ndb_guard_make(up, &m->resource, &err), &err);
  ndb_check(L, S, ndb_settle_at_end(S, m->resource, &err), &err);
  return 1;
}

const ndb_reg ndb_adaptor_functions[] = {{"budget", memory_budget, 2}, {"guard", memory_guard, 1},
                                         {"log", memory_log, 2},       {"pool", memory_pool, 2},
                                         {"retry", memory_retry, 2},   {"stats", memory_stats, 1},
                                         {"track", memory_track, 2},   {NULL, NULL, 0}};
