/* Stream and event objects: userdata that own what the core gave them, and the stream of a call. */
#include "bind/stream.h"

/* {=== objects ===} */

/* Both are finalized on any thread that closes the Lua state: closing calls no driver. */
static int stream_gc(lua_State *L) {
  ndb_stream *s = lua_touserdata(L, 1);
  if (s && lua_objlen(L, 1) == sizeof *s && s->is_own)
    nd_stream_close(&s->stream), s->is_own = false;
  return 0;
}

static int event_gc(lua_State *L) {
  ndb_event *e = lua_touserdata(L, 1);
  if (!e || lua_objlen(L, 1) != sizeof *e) return 0;
  nd_event_close(e->event);
  e->event = NULL;
  ndb_close_late();
  return 0;
}

/* An empty object first: nothing is owned yet where memory runs out. */
ndb_stream *ndb_push_stream(lua_State *L, ndb_state *S) {
  ndb_stress(L, S);
  ndb_stream *s = lua_newuserdata(L, sizeof *s);
  *s = (ndb_stream){.is_own = false};
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->stream_metatable);
  lua_setmetatable(L, -2);
  return s;
}

ndb_event *ndb_push_event(lua_State *L, ndb_state *S) {
  ndb_stress(L, S);
  ndb_event *e = lua_newuserdata(L, sizeof *e);
  e->event = NULL;
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->event_metatable);
  lua_setmetatable(L, -2);
  return e;
}

/* The userdata at 'arg' if its metatable is the one at 'reference'. */
static void *to_object(lua_State *L, int arg, int reference) {
  if (lua_type(L, arg) != LUA_TUSERDATA || !lua_getmetatable(L, arg)) return NULL;
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  const bool is_it = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return is_it ? lua_touserdata(L, arg) : NULL;
}

ndb_stream *ndb_to_stream(lua_State *L, ndb_state *S, int arg) {
  return to_object(L, arg, S->stream_metatable);
}

ndb_stream *ndb_check_stream(lua_State *L, ndb_state *S, int arg, const char *what) {
  ndb_stream *s = ndb_to_stream(L, S, arg);
  if (!s) ndb_fail_type(L, S, arg, what, "a stream");
  if (!s->stream.backend) ndb_fail(L, S, ND_STREAM_MISUSE, what, "the stream was finalized");
  return s;
}

ndb_event *ndb_check_event(lua_State *L, ndb_state *S, int arg, const char *what) {
  ndb_event *e = to_object(L, arg, S->event_metatable);
  if (!e) ndb_fail_type(L, S, arg, what, "an event");
  if (!e->event) ndb_fail(L, S, ND_STREAM_MISUSE, what, "the event was finalized");
  return e;
}

void ndb_open_stream_objects(lua_State *L, ndb_state *S) {
  lua_newtable(L);
  lua_pushcfunction(L, stream_gc);
  lua_setfield(L, -2, "__gc");
  S->stream_metatable = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  lua_pushcfunction(L, event_gc);
  lua_setfield(L, -2, "__gc");
  S->event_metatable = luaL_ref(L, LUA_REGISTRYINDEX);
  S->stream_ref = LUA_NOREF;
}

/* {=== the stream of a call ===} */

static bool is_on(const nd_view *v, const nd_stream *s) {
  const nd_device *device = nd_device_of(v);
  return device->backend == s->backend && device->ordinal == s->ordinal;
}

static const char *place_text(const nd_stream *s, char *text, size_t bytes) {
  const nd_place place = {.backend = s->backend, .kind = ND_MEM_DEVICE, .ordinal = s->ordinal};
  return nd_place_text(&place, text, bytes);
}

ND_NORETURN static void fail_device(lua_State *L, ndb_state *S, const nd_stream *s,
                                    const char *other) {
  char text[32];
  ndb_fail(L, S, ND_STREAM_MISUSE, "stream", "it is a stream of %s, the work is on %s",
           place_text(s, text, sizeof text), other);
}

/* Memory of the host may be worked on with any stream. */
void ndb_use_stream(lua_State *L, ndb_state *S, const ndb_options *options, const nd_view *a,
                    const nd_view *b) {
  if (!options->at[NDB_STREAM]) return;
  const nd_stream *s = &ndb_check_stream(L, S, options->at[NDB_STREAM], "stream")->stream;
  const nd_view *views[] = {a, b}, *elsewhere = NULL;
  bool is_its = false;
  for (int i = 0; i < 2; i++) {
    if (!views[i]) continue;
    if (is_on(views[i], s)) is_its = true;
    else if (nd_device_of(views[i]) != nd_host_device()) elsewhere = views[i];
  }
  if (elsewhere && !is_its) fail_device(L, S, s, nd_device_of(elsewhere)->name);
  S->call.queue = s->queue;
}

void ndb_use_stream_at(lua_State *L, ndb_state *S, const ndb_options *options, const nd_view *a,
                       const nd_place *place) {
  char text[4096 + 16];
  if (!options->at[NDB_STREAM]) return;
  const nd_stream *s = &ndb_check_stream(L, S, options->at[NDB_STREAM], "stream")->stream;
  const bool is_gpu = place->kind == ND_MEM_DEVICE || place->kind == ND_MEM_MANAGED;
  const bool is_its = is_gpu && place->backend == s->backend && place->ordinal == s->ordinal;
  if (is_gpu && !is_its && !(a && is_on(a, s)))
    fail_device(L, S, s, nd_place_text(place, text, sizeof text));
  if (!is_gpu && a) ndb_use_stream(L, S, options, a, NULL);
  S->call.queue = s->queue;
}
