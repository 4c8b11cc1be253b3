/* What the Lua files ask of C: errors, set-up, tables for small floats, layouts, counters. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/half.h"
#include "bind/bind.h"
#include "dev/threads.h"

/* fail(code, argument|nil, message): raise an error object. */
static int core_fail(lua_State *L, ndb_state *S) {
  const char *name = ndb_check_string(L, S, 1, "code", NULL);
  const char *argument = lua_isnoneornil(L, 2) ? NULL : ndb_check_string(L, S, 2, "argument", NULL);
  size_t length;
  const char *message = ndb_check_string(L, S, 3, "message", &length);
  int code = 1; /* past ok */
  while (code < ND_STATUS_COUNT && strcmp(nd_status_name((nd_status)code), name) != 0) code++;
  if (code == ND_STATUS_COUNT)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "code", "there is no code \"%.40s\"", name);
  return ndb_fail(L, S, (nd_status)code, argument, "%s", message);
}

/* Push the field of setup's table, which must have this type. */
static void push_field(lua_State *L, ndb_state *S, const char *field, int type) {
  lua_pushstring(L, field);
  lua_rawget(L, 1);
  if (lua_type(L, -1) != type) ndb_fail_type(L, S, -1, field, lua_typename(L, type));
}

static void take_reference(lua_State *L, ndb_state *S, const char *field, int *reference) {
  push_field(L, S, field, LUA_TFUNCTION);
  luaL_unref(L, LUA_REGISTRYINDEX, *reference);
  *reference = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Functions by dtype in a table; those that are not there stay LUA_NOREF. */
static void take_by_dtype(lua_State *L, ndb_state *S, const char *field, int *references) {
  push_field(L, S, field, LUA_TTABLE);
  for (int i = 0; i < ND_DTYPE_COUNT; i++) {
    lua_pushstring(L, nd_dtype_get((nd_dtype)i)->name);
    lua_rawget(L, -2);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      continue;
    }
    if (!lua_isfunction(L, -1)) ndb_fail_type(L, S, -1, field, "functions");
    luaL_unref(L, LUA_REGISTRYINDEX, references[i]);
    references[i] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
}

/* setup{source=, boxes={dtype=fn}, fills={dtype=fn}, classify=, to_pointer=, unknown_name=, print=}
 */
static int core_setup(lua_State *L, ndb_state *S) {
  if (!lua_istable(L, 1)) ndb_fail_type(L, S, 1, "setup", "a table");
  lua_settop(L, 1);
  push_field(L, S, "source", LUA_TSTRING);
  strncpy(S->own_source, lua_tostring(L, -1), sizeof S->own_source - 1);
  take_by_dtype(L, S, "boxes", S->boxes);
  take_by_dtype(L, S, "fills", S->fills);
  take_reference(L, S, "classify", &S->classify);
  take_reference(L, S, "to_pointer", &S->to_pointer);
  take_reference(L, S, "unknown_name", &S->unknown_name);
  take_reference(L, S, "print", &S->print);
  return 0;
}

/* The converters and tables that compiled element access uses, as addresses. */
static uint16_t f64_to_f16(double value) { return ndi_f64_to_f16(value); }
static uint16_t f64_to_bf16(double value) { return ndi_f64_to_bf16(value); }
static uint8_t f64_to_f8e4m3(double value) { return ndi_f64_to_f8e4m3(value); }
static uint8_t f64_to_f8e5m2(double value) { return ndi_f64_to_f8e5m2(value); }

static float f16_values[65536], bf16_values[65536], f8e4m3_values[256], f8e5m2_values[256];

/* Any NaN becomes the ordinary one: LuaJIT takes the payload of some for objects. */
static float plain(float x) { return isnan(x) ? NAN : x; }

static void fill_tables(void) {
  for (unsigned i = 0; i < 65536; i++) f16_values[i] = plain(ndi_f16_to_f32((uint16_t)i));
  for (unsigned i = 0; i < 65536; i++) bf16_values[i] = plain(ndi_bf16_to_f32((uint16_t)i));
  for (unsigned i = 0; i < 256; i++) f8e4m3_values[i] = plain(ndi_f8e4m3_to_f32((uint8_t)i));
  for (unsigned i = 0; i < 256; i++) f8e5m2_values[i] = plain(ndi_f8e5m2_to_f32((uint8_t)i));
}

static void set_address(lua_State *L, const char *name, uintptr_t at) {
  lua_pushlightuserdata(L, (void *)at);
  lua_setfield(L, -2, name);
}

void ndb_open_small_floats(lua_State *L) {
  static pthread_once_t once = PTHREAD_ONCE_INIT; /* one set for all states, on whatever threads */
  pthread_once(&once, fill_tables);
  lua_newtable(L);
  set_address(L, "f16", (uintptr_t)f16_values);
  set_address(L, "bf16", (uintptr_t)bf16_values);
  set_address(L, "f8e4m3", (uintptr_t)f8e4m3_values);
  set_address(L, "f8e5m2", (uintptr_t)f8e5m2_values);
  lua_setfield(L, -2, "values");
  lua_newtable(L);
  set_address(L, "f16", (uintptr_t)f64_to_f16);
  set_address(L, "bf16", (uintptr_t)f64_to_bf16);
  set_address(L, "f8e4m3", (uintptr_t)f64_to_f8e4m3);
  set_address(L, "f8e5m2", (uintptr_t)f64_to_f8e5m2);
  lua_setfield(L, -2, "encoders");
}

/* layout(): offsets and sizes of the head and storage as C has them, for the spec that compares. */
static int core_layout(lua_State *L, ndb_state *S) {
#define FIELD(type, field) \
  { #type "." #field, offsetof(type, field), sizeof(((type *)0)->field) }
  static const struct {
    const char *name;
    size_t offset, bytes;
  } fields[] = {FIELD(ndb_head, storage),
                FIELD(ndb_head, p1),
                FIELD(ndb_head, step0),
                FIELD(ndb_head, step1),
                FIELD(ndb_head, epoch),
                FIELD(ndb_head, ndim),
                FIELD(ndb_head, unit_read_n),
                FIELD(ndb_head, unit_write_n),
                FIELD(ndb_head, read_n),
                FIELD(ndb_head, write_n),
                FIELD(ndb_head, rows),
                FIELD(ndb_head, unit_read_columns),
                FIELD(ndb_head, unit_write_columns),
                FIELD(ndb_head, read_columns),
                FIELD(ndb_head, write_columns),
                FIELD(ndb_head, is_punned),
                FIELD(ndb_head, is_mapped),
                FIELD(nd_storage, epoch),
                FIELD(nd_storage, puns),
                FIELD(ndb_array, magic),
                FIELD(ndb_array, id),
                FIELD(nd_view, storage),
                FIELD(nd_view, offset),
                FIELD(nd_view, dtype),
                FIELD(nd_view, ndim),
                FIELD(nd_view, is_read_only),
                FIELD(nd_view, size),
                FIELD(nd_view, axis),
                {"ndb_array.view", offsetof(ndb_array, view), sizeof(nd_view)}};
#undef FIELD
  (void)S;
  lua_newtable(L);
  for (size_t i = 0; i < ND_COUNTOF(fields); i++) {
    lua_createtable(L, 2, 0);
    lua_pushnumber(L, (lua_Number)fields[i].offset);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, (lua_Number)fields[i].bytes);
    lua_rawseti(L, -2, 2);
    lua_setfield(L, -2, fields[i].name);
  }
  return 1;
}

/* stats(): the host's counters, pending bytes, collections run for the debt and their time,
 * threads.
 */
static int core_stats(lua_State *L, ndb_state *S) {
  nd_mem_stats stats;
  nd_resource_get_stats(nd_host_resource(), &stats);
  const struct {
    const char *name;
    lua_Number value;
  } rows[] = {{"live", (lua_Number)stats.live.now},
              {"peak", (lua_Number)stats.live.peak},
              {"total", (lua_Number)stats.live.total},
              {"count", (lua_Number)stats.live_count.now},
              {"pending", (lua_Number)nd_pending_bytes()},
              {"cached", (lua_Number)stats.cached.now},
              {"collections", (lua_Number)S->collections},
              {"collecting_ms", S->collecting_ms},
              {"threads", nd_threads_get()}};
  lua_newtable(L);
  for (size_t i = 0; i < ND_COUNTOF(rows); i++) {
    lua_pushnumber(L, rows[i].value);
    lua_setfield(L, -2, rows[i].name);
  }
  return 1;
}

const ndb_reg ndb_core_functions[] = {{"fail", core_fail, 3},
                                      {"setup", core_setup, 1},
                                      {"layout", core_layout, 0},
                                      {"stats", core_stats, 0},
                                      {NULL, NULL, 0}};
