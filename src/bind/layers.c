/* Methods of memory objects that concern one layer of the stack: budgets, tracks, guards, logs. */
#include <stdlib.h>

#include "bind/memory.h"

/* {=== tracks ===} */

static void push_tracked(lua_State *L, const nd_tracked *seen) {
  lua_createtable(L, 0, 6);
  ndb_set_number(L, "address", (lua_Number)(uintptr_t)seen->address); /* as a:address() */
  ndb_set_number(L, "bytes", (lua_Number)seen->bytes);
  ndb_set_number(L, "tag", (lua_Number)seen->tag);
  ndb_set_number(L, "generation", (lua_Number)seen->generation);
  ndb_set_number(L, "age", seen->age);
  lua_pushstring(L, seen->trace);
  lua_setfield(L, -2, "traceback");
}

static void free_list(nd_tracked **list) { free(*list); }

/* Making tables may raise. */
static int memory_outstanding(lua_State *L, ndb_state *S) {
  nd_tracked *list;
  size_t count;
  nd_error err;
  ndb_check(L, S, nd_track_list(ndb_check_stack(L, S), &list, &count, &err), &err);
  ND_AT_EXIT(free_list) nd_tracked *kept = list;
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    push_tracked(L, &kept[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

/* {=== guards ===} */

static void push_finding(lua_State *L, const nd_finding *f) {
  lua_createtable(L, 0, 7);
  lua_pushstring(L, f->what);
  lua_setfield(L, -2, "what");
  ndb_set_number(L, "address", (lua_Number)(uintptr_t)f->address); /* as a:address() */
  ndb_set_number(L, "bytes", (lua_Number)f->bytes);
  ndb_set_number(L, "tag", (lua_Number)f->tag);
  ndb_set_number(L, "offset", (lua_Number)f->offset);
  ndb_set_number(L, "generation", (lua_Number)f->generation);
  lua_pushstring(L, f->trace);
  lua_setfield(L, -2, "traceback");
}

static void free_findings(nd_finding **list) { free(*list); }

/* Work on pinned memory may be any device's; no device works on ordinary memory. */
static void wait_for_devices(lua_State *L, ndb_state *S, const nd_resource *self) {
  nd_error err;
  if (self->kind == ND_MEM_HOST) return;
  ndb_check(L, S, nd_device_sync(nd_host_device(), &err), &err);
  for (uint16_t i = 1; i < ND_DEVICES && nd_device_get(i) != nd_host_device(); i++)
    ndb_check(L, S, nd_device_sync(nd_device_get(i), &err), &err);
}

/* verify(): waits, looks at all blocks, returns the findings and clears the list. */
static int memory_verify(lua_State *L, ndb_state *S) {
  nd_finding *list;
  size_t count;
  uint64_t lost;
  nd_error err;
  nd_resource *self = ndb_check_memory(L, S, 1, "self");
  wait_for_devices(L, S, self);
  ndb_check(L, S, nd_guard_verify(self, &list, &count, &lost, &err), &err);
  ND_AT_EXIT(free_findings) nd_finding *kept = list;
  lua_createtable(L, (int)count, 1);
  for (size_t i = 0; i < count; i++) {
    push_finding(L, &kept[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  if (lost > 0) ndb_set_number(L, "lost", (lua_Number)lost);
  return 1;
}

/* {=== logs ===} */

/* records(): what the ring of a log has, the oldest first. */
static int memory_records(lua_State *L, ndb_state *S) {
  ndi_log_ring *ring = nd_log_ring_of(ndb_check_stack(L, S), true);
  if (!ring)
    ndb_fail(L, S, ND_UNSUPPORTED, "records", "no layer of this memory is a log with a ring");
  const uint64_t end = ndi_log_ring_end(ring); /* making the list may be recorded as well */
  nd_log_record record;
  lua_newtable(L);
  uint64_t at = 0;
  for (int i = 1; ndi_log_ring_get(ring, &at, end, &record); i++) {
    ndb_push_record(L, &record);
    lua_rawseti(L, -2, i);
  }
  return 1;
}

/* flush(): calls the function of a log now. As every call does so when it begins, that is what is
 * recorded since: by the functions themselves. */
static int memory_flush(lua_State *L, ndb_state *S) {
  if (!nd_log_ring_of(ndb_check_stack(L, S), false))
    ndb_fail(L, S, ND_UNSUPPORTED, "flush", "no layer of this memory is a log with a function");
  ndb_call_listeners(L, S);
  return 0;
}

/* {=== budgets ===} */

/* check(bytes): true; or false and what would be raised. */
static int memory_check(lua_State *L, ndb_state *S) {
  nd_error err;
  nd_resource *self = ndb_check_stack(L, S);
  const nd_status status = nd_budget_check(self, ndb_check_size(L, S, 2, "bytes"), &err);
  lua_pushboolean(L, status == ND_OK);
  if (status == ND_OK) return 1;
  lua_pushstring(L, err.message);
  return 2;
}

static int memory_set_limit(lua_State *L, ndb_state *S) {
  nd_error err;
  nd_resource *self = ndb_check_stack(L, S);
  ndb_check(L, S, nd_budget_set_limit(self, ndb_check_limit(L, S, 2, "limit", self), &err), &err);
  return 0;
}

const ndb_reg ndb_layer_methods[] = {{"check", memory_check, 2},
                                     {"flush", memory_flush, 1},
                                     {"outstanding", memory_outstanding, 1},
                                     {"records", memory_records, 1},
                                     {"set_limit", memory_set_limit, 2},
                                     {"verify", memory_verify, 1},
                                     {NULL, NULL, 0}};
