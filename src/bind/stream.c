/* Methods of streams and events, and the functions that make them current. Timelines are made of
 * events in lua/ndbuf/timeline.lua. */
#include <string.h>
#include <time.h>

#include "base/call.h"
#include "bind/stream.h"

static nd_stream *check_self(lua_State *L, ndb_state *S) {
  return &ndb_check_stream(L, S, 1, "self")->stream;
}

static nd_place place_of(const nd_stream *s) {
  return (nd_place){.backend = s->backend, .kind = ND_MEM_DEVICE, .ordinal = s->ordinal};
}

/* {=== fields ===} */

static int stream_tostring(lua_State *L, ndb_state *S) {
  char text[32];
  const nd_stream *s = check_self(L, S);
  const nd_place place = place_of(s);
  lua_pushfstring(L, "stream %d of %s", (int)s->id, nd_place_text(&place, text, sizeof text));
  return 1;
}

static void push_handle(lua_State *L, ndb_state *S, const nd_stream *s) {
  void *handle;
  nd_error err;
  ndb_check(L, S, nd_stream_handle(s, &handle, &err), &err);
  lua_pushnumber(L, (lua_Number)(uintptr_t)handle);
}

static bool push_field(lua_State *L, ndb_state *S, const nd_stream *s, const char *field) {
  char text[32];
  const nd_place place = place_of(s);
  if (strcmp(field, "id") == 0) lua_pushnumber(L, (lua_Number)s->id);
  else if (strcmp(field, "priority") == 0) lua_pushinteger(L, s->priority);
  else if (strcmp(field, "handle") == 0) push_handle(L, S, s);
  else if (strcmp(field, "device") == 0)
    ndb_push_device(L, S, nd_place_text(&place, text, sizeof text));
  else return false;
  return true;
}

/* Push the method named at 2 from the table "methods" of the metatable at 'reference'; raises where
 * there is none. */
static int push_method(lua_State *L, ndb_state *S, int reference, const char *what,
                       const char *known) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_getfield(L, -1, "methods");
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "there is no field \"%.40s\"; known are %s",
             lua_tostring(L, 2), known);
  return 1;
}

static int stream_index(lua_State *L, ndb_state *S) {
  const nd_stream *s = check_self(L, S);
  if (push_field(L, S, s, ndb_check_string(L, S, 2, "field", NULL))) return 1;
  return push_method(L, S, S->stream_metatable, "stream",
                     "id, device, priority, handle, synchronize, query, record, wait");
}

static int stream_eq(lua_State *L, ndb_state *S) {
  const ndb_stream *a = ndb_to_stream(L, S, 1), *b = ndb_to_stream(L, S, 2);
  lua_pushboolean(L, a && b && a->stream.id == b->stream.id);
  return 1;
}

/* Of both. */
static int refuse_field(lua_State *L, ndb_state *S) {
  return ndb_fail(L, S, ND_INVALID_ARGUMENT, ndb_to_stream(L, S, 1) ? "stream" : "event",
                  "\"%.40s\" cannot be assigned", ndb_check_string(L, S, 2, "field", NULL));
}

static int event_tostring(lua_State *L, ndb_state *S) {
  char text[32];
  const nd_event *e = ndb_check_event(L, S, 1, "self")->event;
  const nd_place place = {.backend = e->backend, .kind = ND_MEM_DEVICE, .ordinal = e->ordinal};
  lua_pushfstring(L, "event of %s", nd_place_text(&place, text, sizeof text));
  return 1;
}

static int event_index(lua_State *L, ndb_state *S) {
  const nd_event *e = ndb_check_event(L, S, 1, "self")->event;
  if (strcmp(ndb_check_string(L, S, 2, "field", NULL), "handle") == 0)
    return lua_pushnumber(L, (lua_Number)(uintptr_t)nd_event_handle(e)), 1;
  return push_method(L, S, S->event_metatable, "event", "handle, query, synchronize, elapsed");
}

/* {=== methods ===} */

static int stream_synchronize(lua_State *L, ndb_state *S) {
  nd_error err;
  ndb_check(L, S, nd_stream_wait(check_self(L, S), &err), &err);
  return 0;
}

static int stream_query(lua_State *L, ndb_state *S) {
  bool is_done;
  nd_error err;
  ndb_check(L, S, nd_stream_query(check_self(L, S), &is_done, &err), &err);
  lua_pushboolean(L, is_done);
  return 1;
}

static int stream_record(lua_State *L, ndb_state *S) {
  ndb_options options;
  nd_error err;
  const nd_stream *s = check_self(L, S);
  ndb_read_options(L, S, 2, NDB_BIT(TIMING), &options);
  const bool has_timing = ndb_option_boolean(L, S, &options, NDB_TIMING, false);
  ndb_event *e = ndb_push_event(L, S);
  ndb_check(L, S, nd_stream_record(s, has_timing, &e->event, &err), &err);
  return 1;
}

static int stream_wait(lua_State *L, ndb_state *S) {
  nd_error err;
  const nd_stream *s = check_self(L, S);
  const nd_event *event = ndb_check_event(L, S, 2, "event")->event;
  ndb_check(L, S, nd_stream_wait_event(s, event, &err), &err);
  return 0;
}

static int event_query(lua_State *L, ndb_state *S) {
  bool is_done;
  nd_error err;
  ndb_check(L, S, nd_event_query(ndb_check_event(L, S, 1, "self")->event, &is_done, &err), &err);
  lua_pushboolean(L, is_done);
  return 1;
}

static int event_synchronize(lua_State *L, ndb_state *S) {
  nd_error err;
  ndb_check(L, S, nd_event_wait(ndb_check_event(L, S, 1, "self")->event, &err), &err);
  return 0;
}

static int event_elapsed(lua_State *L, ndb_state *S) {
  double milliseconds;
  nd_error err;
  const nd_event *first = ndb_check_event(L, S, 1, "self")->event;
  const nd_event *last = ndb_check_event(L, S, 2, "event")->event;
  ndb_check(L, S, nd_event_elapsed(first, last, &milliseconds, &err), &err);
  lua_pushnumber(L, milliseconds);
  return 1;
}

/* {=== making them ===} */

/* Is it worth a second try? The script may have let go of some. */
static bool collect_for(lua_State *L, nd_status status) {
  if (status != ND_CAPACITY) return false;
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_gc(L, LUA_GCCOLLECT, 0);
  return true;
}

/* dev:stream{priority =}. */
static int device_stream(lua_State *L, ndb_state *S) {
  ndb_options options;
  nd_error err;
  const nd_place place = ndb_check_device(L, S, 1);
  ndb_read_options(L, S, 2, NDB_BIT(PRIORITY), &options);
  const int at = options.at[NDB_PRIORITY];
  const int64_t priority = at ? ndb_check_integer(L, S, at, "priority") : 0;
  if (priority < INT32_MIN || priority > INT32_MAX)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "priority", ND_NUMBERS({"value", priority}),
                  "%lld is no priority; those of a GPU are few, and have 32 bits",
                  (long long)priority);
  ndb_stream *s = ndb_push_stream(L, S);
  nd_status status = nd_stream_open(&place, (int)priority, &s->stream, &err);
  if (collect_for(L, status)) status = nd_stream_open(&place, (int)priority, &s->stream, &err);
  if (status == ND_INVALID_ARGUMENT) ndb_raise(L, S, &err, "priority"); /* the only argument */
  ndb_check(L, S, status, &err);
  s->is_own = true;
  return 1;
}

/* Argument 2, or the first GPU. */
static nd_place check_gpu(lua_State *L, ndb_state *S) {
  nd_place place;
  nd_error err;
  if (!lua_isnoneornil(L, 2)) return ndb_check_place(L, S, 2, "device");
  ndb_check(L, S, nd_place_parse("cuda:0", &place, &err), &err);
  return place;
}

/* nd.cuda.event(handle [, device]). */
static int cuda_event(lua_State *L, ndb_state *S) {
  nd_error err;
  void *handle = ndb_check_event_handle(L, S, 1, "handle");
  const nd_place place = check_gpu(L, S);
  ndb_event *e = ndb_push_event(L, S);
  ndb_check(L, S, nd_event_adopt(&place, handle, &e->event, &err), &err);
  return 1;
}

/* nd.cuda.stream(handle [, device]). */
static int cuda_stream(lua_State *L, ndb_state *S) {
  nd_error err;
  void *handle = ndb_check_stream_handle(L, S, 1, "handle");
  const nd_place place = check_gpu(L, S);
  ndb_stream *s = ndb_push_stream(L, S);
  nd_status status = nd_stream_adopt(&place, handle, &s->stream, &err);
  if (collect_for(L, status)) status = nd_stream_adopt(&place, handle, &s->stream, &err);
  ndb_check(L, S, status, &err);
  s->is_own = true;
  return 1;
}

const ndb_reg ndb_stream_cuda_functions[] = {
    {"stream", cuda_stream, 2}, {"event", cuda_event, 2}, {NULL, NULL, 0}};

/* {=== the current one ===} */

static void push_default(lua_State *L, ndb_state *S, const nd_place *place) {
  nd_error err;
  ndb_stream *s = ndb_push_stream(L, S);
  ndb_check(L, S, nd_stream_default(place, &s->stream, &err), &err);
}

/* nd.current_stream([device]): nil where none is set and there is no GPU. */
static int module_current_stream(lua_State *L, ndb_state *S) {
  nd_place place;
  nd_error err;
  const bool is_any = lua_isnoneornil(L, 1);
  if (!is_any) place = ndb_check_place(L, S, 1, "device");
  else ndb_check(L, S, nd_place_parse("cuda:0", &place, &err), &err);
  if (S->stream_ref != LUA_NOREF) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, S->stream_ref);
    const nd_stream *s = &ndb_check_stream(L, S, -1, "stream")->stream;
    if (is_any || (place.backend == s->backend && place.ordinal == s->ordinal)) return 1;
  }
  if (is_any && !ndb_has_gpu()) return lua_pushnil(L), 1;
  push_default(L, S, &place);
  return 1;
}

/* nd.with_stream(s, fn, …). fn may not yield: a coroutine that is never resumed would leave the
 * stream in place for ever. */
static int module_with_stream(lua_State *L, ndb_state *S) {
  const nd_stream *s = &ndb_check_stream(L, S, 1, "stream")->stream;
  const int outer = S->stream_ref, arguments = lua_gettop(L) - 2;
  const uint32_t outer_queue = S->stream_queue;
  if (!lua_isfunction(L, 2)) ndb_fail_type(L, S, 2, "fn", "a function");
  lua_pushvalue(L, 1);
  const int reference = luaL_ref(L, LUA_REGISTRYINDEX);
  S->stream_ref = reference;
  S->stream_queue = s->queue;
  const int status = ndb_call_script(L, S, arguments);
  S->stream_ref = outer;
  S->stream_queue = outer_queue;
  luaL_unref(L, LUA_REGISTRYINDEX, reference);
  if (status != 0) return lua_error(L);
  return lua_gettop(L) - 1;
}

/* {=== waiting with a limit ===} */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* wait_event(event or nil, seconds): is the event reached in time? Asks ever more rarely, 20 times
 * within the time that has passed. For timelines; nil waits all the time. */
static int core_wait_event(lua_State *L, ndb_state *S) {
  const double start = now(), seconds = lua_tonumber(L, 2);
  const nd_event *event = lua_isnil(L, 1) ? NULL : ndb_check_event(L, S, 1, "event")->event;
  bool is_done = false;
  nd_error err;
  for (double passed = 0;; passed = now() - start) {
    if (event) ndb_check(L, S, nd_event_query(event, &is_done, &err), &err);
    if (is_done || passed >= seconds) break;
    ndb_check(L, S, nd_check_interrupt(&err), &err);
    double pause = 1e-5 + passed / 20;
    if (pause > 0.01) pause = 0.01;
    if (pause > seconds - passed) pause = seconds - passed;
    const struct timespec t = {.tv_nsec = (long)(pause * 1e9)};
    nanosleep(&t, NULL);
  }
  lua_pushboolean(L, is_done);
  return 1;
}

/* now(): seconds of a clock that never falls. */
static int core_now(lua_State *L, ndb_state *S) {
  (void)S;
  lua_pushnumber(L, now());
  return 1;
}

const ndb_reg ndb_stream_functions[] = {{"current_stream", module_current_stream, 1},
                                        {"with_stream", module_with_stream, NDB_ANY},
                                        {NULL, NULL, 0}};

/* Fill the metatable at 'reference', and set field 'name' of core (at the top) to it. */
static void fill_metatable(lua_State *L, int reference, const ndb_reg *list, const ndb_reg *methods,
                           const char *type, const char *name) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  ndb_register(L, list);
  lua_newtable(L);
  ndb_register(L, methods);
  lua_setfield(L, -2, "methods");
  lua_pushstring(L, type);
  lua_setfield(L, -2, "__metatable");
  lua_setfield(L, -2, name);
}

void ndb_open_streams(lua_State *L, ndb_state *S) {
  static const ndb_reg stream_list[] = {{"__tostring", stream_tostring, NDB_ANY},
                                        {"__index", stream_index, NDB_ANY},
                                        {"__newindex", refuse_field, NDB_ANY},
                                        {"__eq", stream_eq, NDB_ANY},
                                        {NULL, NULL, 0}};
  static const ndb_reg stream_methods[] = {{"synchronize", stream_synchronize, 1},
                                           {"query", stream_query, 1},
                                           {"record", stream_record, 2},
                                           {"wait", stream_wait, 2},
                                           {NULL, NULL, 0}};
  static const ndb_reg event_list[] = {{"__tostring", event_tostring, NDB_ANY},
                                       {"__index", event_index, NDB_ANY},
                                       {"__newindex", refuse_field, NDB_ANY},
                                       {NULL, NULL, 0}};
  static const ndb_reg event_methods[] = {{"query", event_query, 1},
                                          {"synchronize", event_synchronize, 1},
                                          {"elapsed", event_elapsed, 2},
                                          {NULL, NULL, 0}};
  static const ndb_reg device_methods[] = {{"stream", device_stream, 2}, {NULL, NULL, 0}};
  static const ndb_reg clock[] = {
      {"now", core_now, 0}, {"wait_event", core_wait_event, 2}, {NULL, NULL, 0}};
  lua_newtable(L);
  ndb_register(L, clock);
  lua_setfield(L, -2, "clock");
  lua_getfield(L, -1, "device_metatable");
  lua_getfield(L, -1, "methods");
  ndb_register(L, device_methods);
  lua_pop(L, 2);
  ndb_open_stream_objects(L, S);
  fill_metatable(L, S->stream_metatable, stream_list, stream_methods, "ndbuf.stream",
                 "stream_metatable");
  fill_metatable(L, S->event_metatable, event_list, event_methods, "ndbuf.event",
                 "event_metatable");
}
