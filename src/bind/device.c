/* Device objects. The userdata contains the canonical name, and the place that it names. There is
 * at most one object for each name (a weak table caches them), so that two objects of the same
 * device are equal and the same key. An object holds nothing of the device itself: each access asks
 * the core about the place, so there is nothing to free. */
#include <string.h>
#include <unistd.h>

#include "bind/bind.h"
#include "dev/threads.h"

enum { NAME = 4096 + 16 }; /* bytes: "disk:" and the longest path */

/* {=== objects ===} */

/* The canonical name of the object at 'arg'. ndb_to_device_name takes text, too. */
static const char *check_object(lua_State *L, ndb_state *S, int arg) {
  const char *name = lua_type(L, arg) == LUA_TUSERDATA ? ndb_to_device_name(L, S, arg) : NULL;
  if (!name) ndb_fail_type(L, S, arg, "self", "a device");
  return name;
}

static const char *check_name(lua_State *L, ndb_state *S) { return check_object(L, S, 1); }

nd_place ndb_check_device(lua_State *L, ndb_state *S, int arg) {
  check_object(L, S, arg);
  return ((const ndb_device *)lua_touserdata(L, arg))->place;
}

static nd_place check_self(lua_State *L, ndb_state *S) { return ndb_check_device(L, S, 1); }

/* Memory of a GPU. For all other kinds, files included, the sizes are those of the machine's
 * memory. */
static bool is_device_memory(const nd_place *place) {
  return place->kind == ND_MEM_DEVICE || place->kind == ND_MEM_MANAGED;
}

static void make_device(lua_State *L, ndb_state *S, const char *name) {
  const size_t bytes = strlen(name) + 1;
  nd_error err;
  ndb_stress(L, S);
  ndb_device *d = lua_newuserdata(L, sizeof *d + bytes);
  memcpy(d->name, name, bytes);
  ndb_check(L, S, nd_place_parse(d->name, &d->place, &err), &err);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->device_metatable);
  lua_setmetatable(L, -2);
}

/* Push the object for a canonical name: the cached one, unless the collector has taken it. */
void ndb_push_device(lua_State *L, ndb_state *S, const char *name) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->devices);
  lua_getfield(L, -1, name);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    make_device(L, S, name);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, name);
  }
  lua_remove(L, -2);
}

/* Make the weak table of device objects by name. */
static void open_cache(lua_State *L, ndb_state *S) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v"); /* weak values: else an object for each path ever named would stay */
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  S->devices = luaL_ref(L, LUA_REGISTRYINDEX);
}

static int device_tostring(lua_State *L, ndb_state *S) {
  lua_pushstring(L, check_name(L, S));
  return 1;
}

/* {=== fields ===} */

static nd_properties properties_of(lua_State *L, ndb_state *S, const nd_place *place) {
  nd_properties properties;
  nd_error err;
  ndb_check(L, S, nd_place_properties(place, &properties, &err), &err);
  return properties;
}

static nd_usage usage_of(lua_State *L, ndb_state *S, const nd_place *place) {
  nd_usage usage;
  nd_error err;
  ndb_check(L, S, nd_place_usage(place, &usage, &err), &err);
  return usage;
}

/* Bytes of as many pages as sysconf gives for 'which'. */
static lua_Number pages(int which) {
  return (lua_Number)sysconf(which) * (lua_Number)sysconf(_SC_PAGESIZE);
}

/* Each of these pushes one field of the device at 'place', or nil where it has none. */
static void push_ordinal(lua_State *L, ndb_state *S, const nd_place *place) {
  (void)S;
  lua_pushinteger(L, (lua_Integer)place->ordinal);
}

static void push_total(lua_State *L, ndb_state *S, const nd_place *place) {
  lua_pushnumber(L, is_device_memory(place) ? (lua_Number)properties_of(L, S, place).total
                                            : pages(_SC_PHYS_PAGES));
}

static void push_free(lua_State *L, ndb_state *S, const nd_place *place) {
  lua_pushnumber(L, is_device_memory(place) ? (lua_Number)usage_of(L, S, place).free
                                            : pages(_SC_AVPHYS_PAGES));
}

/* {major, minor}; nil for the host. */
static void push_capability(lua_State *L, ndb_state *S, const nd_place *place) {
  if (!is_device_memory(place)) {
    lua_pushnil(L);
    return;
  }
  const nd_properties properties = properties_of(L, S, place);
  lua_createtable(L, 2, 0);
  lua_pushinteger(L, properties.major);
  lua_rawseti(L, -2, 1);
  lua_pushinteger(L, properties.minor);
  lua_rawseti(L, -2, 2);
}

static void push_model(lua_State *L, ndb_state *S, const nd_place *place) {
  if (is_device_memory(place)) lua_pushstring(L, properties_of(L, S, place).name);
  else lua_pushnil(L);
}

/* Functions rather than values: most open the GPU, and the free memory changes. */
static const struct {
  const char *name;
  void (*push)(lua_State *L, ndb_state *S, const nd_place *place);
} fields[] = {{"ordinal", push_ordinal},
              {"total_memory", push_total},
              {"free_memory", push_free},
              {"capability", push_capability},
              {"model", push_model}};

/* dev.name: a field, else a method from the metatable's table "methods". */
static int refuse_field(lua_State *L, ndb_state *S) {
  return ndb_fail(L, S, ND_INVALID_ARGUMENT, "device", "\"%.40s\" cannot be assigned",
                  ndb_check_string(L, S, 2, "field", NULL));
}

static int device_index(lua_State *L, ndb_state *S) {
  const nd_place place = check_self(L, S);
  const char *field = ndb_check_string(L, S, 2, "field", NULL);
  if (strcmp(field, "name") == 0) return device_tostring(L, S);
  for (size_t i = 0; i < ND_COUNTOF(fields); i++)
    if (strcmp(field, fields[i].name) == 0) return fields[i].push(L, S, &place), 1;
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->device_metatable);
  lua_getfield(L, -1, "methods");
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "device",
             "there is no field \"%.40s\"; known are name, ordinal, total_memory, free_memory, "
             "capability, model, synchronize, memory_info, enable_peer, stream, timeline",
             field);
  return 1;
}

/* {=== methods ===} */

static int device_synchronize(lua_State *L, ndb_state *S) {
  const nd_place place = check_self(L, S);
  nd_device *device;
  nd_error err;
  if (!is_device_memory(&place)) return 0; /* the host has no queue to wait for */
  ndb_check(L, S, nd_place_device(&place, &device, &err), &err);
  ndb_check(L, S, nd_device_sync(device, &err), &err);
  nd_reap(ND_REAP_WAIT); /* blocks that were freed while that work used them */
  return 0;
}

static void set_number(lua_State *L, const char *name, lua_Number value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

/* The fields of memory_info that every kind of memory has: bytes, and the number of blocks. */
static void set_stats(lua_State *L, const nd_mem_stats *stats) {
  set_number(L, "live", (lua_Number)stats->live.now);
  set_number(L, "peak", (lua_Number)stats->live.peak);
  set_number(L, "count", (lua_Number)stats->live_count.now);
  set_number(L, "cached", (lua_Number)stats->cached.now);
  set_number(L, "pending", (lua_Number)stats->pending.now);
  set_number(L, "held", (lua_Number)stats->held.now);
}

/* Add the counters of a device's second allocator. Peaks add up to an upper bound: they need not
 * have been at the same time. */
static void add_stats(nd_mem_stats *to, const nd_mem_stats *more) {
  to->live.now += more->live.now, to->live.peak += more->live.peak;
  to->live_count.now += more->live_count.now, to->pending.now += more->pending.now;
  to->held.now += more->held.now;
}

/* What pools keep is cached, not in use. */
static void move_kept(uint16_t device, nd_memkind kind, nd_mem_stats *stats) {
  uint64_t bytes, blocks;
  nd_caches_kept(device, kind, &bytes, &blocks);
  stats->live.now -= bytes, stats->cached.now += bytes;
  stats->live_count.now -= blocks;
}

/* Pinned memory has counters of its own; a file, like ordinary memory, is given those of the host.
 * References to the host's resource need not be counted (mem/host.h). */
static void read_host_stats(lua_State *L, ndb_state *S, const nd_place *place, nd_mem_stats *out) {
  nd_resource *resource = nd_resource_hold(nd_host_resource());
  nd_error err;
  if (place->kind == ND_MEM_PINNED)
    ndb_check(L, S, nd_place_resource(place, (nd_place_options){0}, &resource, &err), &err);
  nd_resource_get_stats(resource, out);
  nd_resource_drop(resource);
}

static int device_memory_info(lua_State *L, ndb_state *S) {
  const nd_place place = check_self(L, S);
  nd_mem_stats stats;
  nd_device *device;
  nd_error err;
  lua_newtable(L);
  if (!is_device_memory(&place)) {
    read_host_stats(L, S, &place, &stats);
    move_kept(0, place.kind == ND_MEM_PINNED ? ND_MEM_PINNED : ND_MEM_HOST, &stats);
    set_stats(L, &stats);
    set_number(L, "total", pages(_SC_PHYS_PAGES));
    set_number(L, "free", pages(_SC_AVPHYS_PAGES));
    return 1;
  }
  const nd_usage usage = usage_of(L, S, &place);
  stats = place.kind == ND_MEM_MANAGED ? usage.managed : usage.device;
  /* from the pool, and from the driver directly: to a script both are memory of the device */
  if (place.kind == ND_MEM_DEVICE) add_stats(&stats, &usage.plain);
  ndb_check(L, S, nd_place_device(&place, &device, &err), &err);
  move_kept(device->number, place.kind, &stats);
  set_stats(L, &stats);
  set_number(L, "total", (lua_Number)usage.total);
  set_number(L, "free", (lua_Number)usage.free);
  set_number(L, "managed", (lua_Number)usage.managed.live.now);
  set_number(L, "staging", (lua_Number)usage.staging);
  set_number(L, "lost", (lua_Number)usage.lost);
  set_number(L, "lost_count", (lua_Number)usage.lost_count);
  return 1;
}

/* The device named at 'arg', which has to be a GPU. */
static nd_place check_gpu(lua_State *L, ndb_state *S, int arg, const char *what) {
  const nd_place place = ndb_check_place(L, S, arg, what);
  if (place.kind != ND_MEM_DEVICE)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "expected cuda:n, got %.40s",
             ndb_to_device_name(L, S, arg));
  return place;
}

static int device_enable_peer(lua_State *L, ndb_state *S) {
  nd_error err;
  check_name(L, S); /* check_gpu would accept text as self */
  const nd_place from = check_gpu(L, S, 1, "self"), to = check_gpu(L, S, 2, "peer");
  ndb_check(L, S, nd_place_peer(&from, &to, &err), &err);
  return 0;
}

/* Set core.device_metatable (core is at the top). */
void ndb_open_devices(lua_State *L, ndb_state *S) {
  static const ndb_reg list[] = {{"__tostring", device_tostring, NDB_ANY},
                                 {"__index", device_index, NDB_ANY},
                                 {"__newindex", refuse_field, NDB_ANY},
                                 {NULL, NULL, 0}};
  static const ndb_reg methods[] = {{"synchronize", device_synchronize, 1},
                                    {"memory_info", device_memory_info, 1},
                                    {"enable_peer", device_enable_peer, 2},
                                    {NULL, NULL, 0}};
  open_cache(L, S);
  lua_newtable(L);
  ndb_register(L, list);
  lua_newtable(L);
  ndb_register(L, methods);
  lua_setfield(L, -2, "methods");
  lua_pushliteral(L, "ndbuf.device");
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "device_metatable");
  S->device_metatable = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* {=== the module's functions ===} */

/* nd.device(name). The device is opened, so that an absent one is refused here; a file is not, as
 * that would create it. */
static int module_device(lua_State *L, ndb_state *S) {
  char text[NAME];
  const nd_place place = ndb_check_place(L, S, 1, "device");
  if (place.kind != ND_MEM_FILE) nd_resource_drop(ndb_open_resource(L, S, &place, false));
  ndb_push_device(L, S, nd_place_text(&place, text, sizeof text));
  return 1;
}

/* How many devices a backend has; 0 for one without device memory or that does not open. */
static int count_devices(const nd_backend *backend) {
  nd_backend_facts facts;
  for (const nd_place_kind *kind = backend->kinds; kind->name; kind++)
    if (kind->kind == ND_MEM_DEVICE && nd_backend_open(backend, &facts, NULL) == ND_OK)
      return facts.devices;
  return 0;
}

/* nd.devices(): the host, then the devices of each backend. */
static int module_devices(lua_State *L, ndb_state *S) {
  const nd_backend *backend;
  char text[32]; /* "cuda:9999" at most: no paths */
  int at = 1;
  lua_newtable(L);
  ndb_push_device(L, S, "cpu");
  lua_rawseti(L, -2, at++);
  for (int i = 0; (backend = nd_backend_get(i)) != NULL; i++) {
    nd_place place = {.backend = backend, .kind = ND_MEM_DEVICE};
    for (const int count = count_devices(backend); place.ordinal < count; place.ordinal++) {
      ndb_push_device(L, S, nd_place_text(&place, text, sizeof text));
      lua_rawseti(L, -2, at++);
    }
  }
  return 1;
}

/* nd.set_threads(n): returns the previous number. */
static int module_set_threads(lua_State *L, ndb_state *S) {
  const int former = nd_threads_get();
  const int64_t count = ndb_check_integer(L, S, 1, "n");
  if (count < 1 || count > ND_MAX_THREADS)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "n",
                  ND_NUMBERS({"value", count}, {"limit", ND_MAX_THREADS}),
                  "%lld threads; the limits are 1 and %d", (long long)count, ND_MAX_THREADS);
  nd_threads_set((int)count);
  lua_pushinteger(L, former);
  return 1;
}

/* open_devices(): the names of those, the host excepted, that were opened. */
static int module_open_devices(lua_State *L, ndb_state *S) {
  (void)S;
  lua_newtable(L);
  for (int i = 1, count = 0; i < ND_DEVICES; i++) {
    const nd_device *device = nd_device_get((uint16_t)i);
    if (device == nd_host_device()) break;
    lua_pushstring(L, device->name);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

const ndb_reg ndb_device_functions[] = {{"device", module_device, 1},
                                        {"open_devices", module_open_devices, 0},
                                        {"devices", module_devices, 0},
                                        {"set_threads", module_set_threads, 1},
                                        {NULL, NULL, 0}};
