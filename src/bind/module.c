/* luaopen_ndbuf_core: dtypes, devices, the functions on several arrays, scopes; and what the Lua
 * files ask of C. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/half.h"
#include "bind/bind.h"

/* {=== dtype objects ===} */

static nd_dtype check_self(lua_State *L, ndb_state *S) {
  nd_dtype dtype = ND_F64;
  if (lua_type(L, 1) != LUA_TUSERDATA || !ndb_to_dtype(L, S, 1, &dtype))
    ndb_fail_type(L, S, 1, "self", "a dtype");
  return dtype;
}

static int dtype_tostring(lua_State *L, ndb_state *S) {
  lua_pushstring(L, nd_dtype_get(check_self(L, S))->name);
  return 1;
}

static const char *kind_name(nd_kind kind) {
  static const char *const names[] = {"bool", "int", "uint", "float",
                                      "complex"}; /* the order of nd_kind */
  return names[kind];
}

/* nd.f32.name, .itemsize, .kind */
static void push_dtype_fields(lua_State *L, const nd_dtype_traits *t) {
  lua_createtable(L, 0, 4);
  lua_pushstring(L, t->name);
  lua_setfield(L, -2, "name");
  lua_pushnumber(L, t->bytes);
  lua_setfield(L, -2, "itemsize");
  lua_pushstring(L, kind_name(t->kind));
  lua_setfield(L, -2, "kind");
}

static int dtype_index(lua_State *L, ndb_state *S) {
  const nd_dtype dtype = check_self(L, S);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) ndb_fail_type(L, S, 2, "field", "a string");
  push_dtype_fields(L, nd_dtype_get(dtype));
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "dtype", "fields are name, itemsize, kind");
  return 1;
}

void ndb_open_dtypes(lua_State *L, ndb_state *S) {
  static const ndb_reg list[] = {
      {"__index", dtype_index}, {"__tostring", dtype_tostring}, {NULL, NULL}};
  lua_newtable(L);
  ndb_register(L, list, ndb_dispatch);
  lua_pushliteral(L, "ndbuf.dtype");
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "dtype_metatable");
  S->dtype_metatable = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  for (int i = 0; i < ND_DTYPE_COUNT; i++) {
    *(int *)lua_newuserdata(L, sizeof(int)) = i;
    lua_rawgeti(L, LUA_REGISTRYINDEX, S->dtype_metatable);
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, nd_dtype_get((nd_dtype)i)->name);
  }
  lua_setfield(L, -2, "dtypes");
}

/* {=== device objects ===} The userdata is the canonical name. */

static int device_tostring(lua_State *L, ndb_state *S) {
  const char *name = lua_type(L, 1) == LUA_TUSERDATA ? ndb_to_device_name(L, S, 1) : NULL;
  if (!name) ndb_fail_type(L, S, 1, "self", "a device");
  lua_pushstring(L, name);
  return 1;
}

static int device_index(lua_State *L, ndb_state *S) {
  device_tostring(L, S);
  const char *field = ndb_check_string(L, S, 2, "field", NULL);
  if (strcmp(field, "name") != 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "device", "there is no field \"%.40s\"; known is name",
             field);
  return 1;
}

void ndb_open_devices(lua_State *L, ndb_state *S) {
  static const ndb_reg list[] = {
      {"__tostring", device_tostring}, {"__index", device_index}, {NULL, NULL}};
  lua_newtable(L);
  ndb_register(L, list, ndb_dispatch);
  lua_pushliteral(L, "ndbuf.device");
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "device_metatable");
  S->device_metatable = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* A path is not opened: a maker does that. */
static int module_device(lua_State *L, ndb_state *S) {
  nd_place place;
  nd_error err;
  const char *name = ndb_to_device_name(L, S, 1);
  if (!name) ndb_fail_type(L, S, 1, "device", "a device's name");
  ndb_check(L, S, nd_place_parse(name, &place, &err), &err);
  if (place.kind != ND_MEM_FILE) nd_resource_drop(ndb_open_place(L, S, name, false));
  lua_pushfstring(L, "%s%s", place.kind == ND_MEM_FILE ? "disk:" : "cpu",
                  place.kind == ND_MEM_FILE ? place.path : "");
  const size_t bytes = lua_objlen(L, -1) + 1;
  char *canonical = lua_newuserdata(L, bytes);
  memcpy(canonical, lua_tostring(L, -2), bytes);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->device_metatable);
  lua_setmetatable(L, -2);
  return 1;
}

/* {=== several arrays ===} */

static int join(lua_State *L, ndb_state *S, bool is_new) {
  enum { MAX_PARTS = 1 << 20 };
  nd_view out;
  nd_error err;
  lua_settop(L, 2);
  if (!lua_istable(L, 1)) ndb_fail_type(L, S, 1, "arrays", "a table of arrays");
  const size_t n = lua_objlen(L, 1);
  if (n == 0 || n > MAX_PARTS)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "arrays", "%zu arrays; the limits are 1 and %d", n,
             MAX_PARTS);
  const nd_view **parts = lua_newuserdata(L, n * sizeof(nd_view *));
  lua_createtable(L, (int)n, 0); /* holds them, whatever a finalizer does to the script's table */
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, 1, (int)i + 1);
    parts[i] = &ndb_check_array(L, S, -1, "arrays")->view;
    lua_rawseti(L, 4, (int)i + 1);
  }
  const int ndim = parts[0]->ndim + is_new;
  const int axis = lua_isnoneornil(L, 2) && ndim > 0
                       ? 0
                       : ndb_check_axis(L, S, 2, is_new ? "stack" : "concat", ndim);
  ndb_check(L, S, nd_concat((int)n, parts, axis, is_new, &out, &err), &err);
  ndb_push_view(L, S, &out);
  return 1;
}

static int module_concat(lua_State *L, ndb_state *S) { return join(L, S, false); }
static int module_stack(lua_State *L, ndb_state *S) { return join(L, S, true); }

static int module_allclose(lua_State *L, ndb_state *S) {
  const nd_view *a = &ndb_check_array(L, S, 1, "a")->view,
                *b = &ndb_check_array(L, S, 2, "b")->view;
  const double rtol = lua_isnoneornil(L, 3) ? 1e-5 : ndb_check_number(L, S, 3, "rtol");
  const double atol = lua_isnoneornil(L, 4) ? 1e-8 : ndb_check_number(L, S, 4, "atol");
  bool close;
  nd_error err;
  ndb_check(L, S, nd_allclose(a, b, rtol, atol, &close, &err), &err);
  lua_pushboolean(L, close);
  return 1;
}

/* {=== for the Lua files ===} */

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
ND_EXPORT uint16_t nd_f64_to_f16(double value);
ND_EXPORT uint16_t nd_f64_to_bf16(double value);
ND_EXPORT uint8_t nd_f64_to_f8e4m3(double value);
ND_EXPORT uint8_t nd_f64_to_f8e5m2(double value);
uint16_t nd_f64_to_f16(double value) { return ndi_f64_to_f16(value); }
uint16_t nd_f64_to_bf16(double value) { return ndi_f64_to_bf16(value); }
uint8_t nd_f64_to_f8e4m3(double value) { return ndi_f64_to_f8e4m3(value); }
uint8_t nd_f64_to_f8e5m2(double value) { return ndi_f64_to_f8e5m2(value); }

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

static void open_small_floats(lua_State *L) {
  fill_tables();
  lua_newtable(L);
  set_address(L, "f16", (uintptr_t)f16_values);
  set_address(L, "bf16", (uintptr_t)bf16_values);
  set_address(L, "f8e4m3", (uintptr_t)f8e4m3_values);
  set_address(L, "f8e5m2", (uintptr_t)f8e5m2_values);
  lua_setfield(L, -2, "values");
  lua_newtable(L);
  set_address(L, "f16", (uintptr_t)nd_f64_to_f16);
  set_address(L, "bf16", (uintptr_t)nd_f64_to_bf16);
  set_address(L, "f8e4m3", (uintptr_t)nd_f64_to_f8e4m3);
  set_address(L, "f8e5m2", (uintptr_t)nd_f64_to_f8e5m2);
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

/* stats(): the host's counters, pending bytes, collections run for the debt and their time. */
static int core_stats(lua_State *L, ndb_state *S) {
  nd_mem_stats stats;
  nd_resource_get_stats(nd_host_resource(), &stats);
  const struct {
    const char *name;
    lua_Number value;
  } rows[] = {
      {"live", (lua_Number)stats.live.now},        {"peak", (lua_Number)stats.live.peak},
      {"total", (lua_Number)stats.live.total},     {"count", (lua_Number)stats.live_count.now},
      {"pending", (lua_Number)nd_pending_bytes()}, {"collections", (lua_Number)S->collections},
      {"collecting_ms", S->collecting_ms}};
  lua_newtable(L);
  for (size_t i = 0; i < ND_COUNTOF(rows); i++) {
    lua_pushnumber(L, rows[i].value);
    lua_setfield(L, -2, rows[i].name);
  }
  return 1;
}

/* {=== scopes ===} */

void ndb_note_scope(lua_State *L, ndb_state *S) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->scope_ref);
  lua_pushvalue(L, -2);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/* Note the value at the top, which is popped, in the table 'kept': an array by its storage's id, a
 * table not seen before by itself and in the list 'todo'. Returns how long the list is. */
static int keep_value(lua_State *L, int kept, int todo, int count) {
  const ndb_array *a = ndb_to_array(L, -1);
  if (a) {
    lua_pushnumber(L, (lua_Number)a->view.storage->id);
    lua_pushboolean(L, 1);
    lua_rawset(L, kept);
  } else if (lua_istable(L, -1)) {
    lua_pushvalue(L, -1);
    lua_rawget(L, kept);
    const bool is_new = lua_isnil(L, -1);
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, kept);
    lua_pushvalue(L, -1);
    if (is_new) lua_rawseti(L, todo, ++count);
    else lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return count;
}

/* Note in 'kept' the storages reachable from the values at 'first' to 'last'. */
static void keep_values(lua_State *L, int kept, int first, int last) {
  int count = 0;
  lua_newtable(L);
  const int todo = lua_gettop(L);
  for (int i = first; i <= last; i++) {
    lua_pushvalue(L, i);
    count = keep_value(L, kept, todo, count);
  }
  while (count > 0) {
    lua_rawgeti(L, todo, count);
    lua_pushnil(L);
    lua_rawseti(L, todo, count--);
    for (lua_pushnil(L); lua_next(L, -2);) count = keep_value(L, kept, todo, count);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Free what is noted in 'made' and not in 'kept'; tell the outer scope of the rest. */
static void close_scope(lua_State *L, ndb_state *S, int made, int kept, uint64_t last_id) {
  for (lua_pushnil(L); lua_next(L, made);) {
    lua_pop(L, 1);
    ndb_array *a = ndb_to_array(L, -1);
    if (!a || !a->view.storage || a->view.storage->id <= last_id) continue;
    lua_pushnumber(L, (lua_Number)a->view.storage->id);
    lua_rawget(L, kept);
    const bool is_kept = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (is_kept && S->scope_depth) ndb_note_scope(L, S);
    if (is_kept) continue;
    nd_storage *s = a->view.storage;
    if (nd_storage_get_state(s) == ND_STORAGE_LIVE) ndb_forget_debt(S, s->resource, s->bytes);
    nd_storage_free(s, NULL);
  }
}

static void push_weak_table(lua_State *L) {
  lua_newtable(L);
  lua_newtable(L);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
}

static int module_scope(lua_State *L, ndb_state *S) {
  const int outer = S->scope_ref, arguments = lua_gettop(L) - 1;
  const uint64_t last_id = nd_storage_last_id();
  if (!lua_isfunction(L, 1)) ndb_fail_type(L, S, 1, "scope", "a function");
  push_weak_table(L);
  lua_insert(L, 1); /* made */
  lua_newtable(L);
  lua_insert(L, 2); /* kept */
  lua_pushvalue(L, 1);
  const int ref = luaL_ref(L, LUA_REGISTRYINDEX);
  S->scope_ref = ref;
  S->scope_depth++;
  const int status = lua_pcall(L, arguments, LUA_MULTRET, 0);
  S->scope_depth--;
  S->scope_ref = outer;
  luaL_unref(L, LUA_REGISTRYINDEX, ref);
  const bool fits = lua_checkstack(L, LUA_MINSTACK);
  if (!fits) lua_settop(L, 2);
  if (status == 0) keep_values(L, 2, 3, lua_gettop(L));
  close_scope(L, S, 1, 2, last_id);
  if (!fits) ndb_fail(L, S, ND_CAPACITY, "scope", "more values were returned than the stack holds");
  if (status != 0) return lua_error(L);
  return lua_gettop(L) - 2;
}

const ndb_reg ndb_module_functions[] = {{"device", module_device}, {"concat", module_concat},
                                        {"stack", module_stack},   {"allclose", module_allclose},
                                        {"scope", module_scope},   {"fail", core_fail},
                                        {"setup", core_setup},     {"layout", core_layout},
                                        {"stats", core_stats},     {NULL, NULL}};

/* {=== opening ===} */

static bool is_luajit(lua_State *L) {
  lua_getglobal(L, "jit");
  const bool found = lua_istable(L, -1);
  lua_pop(L, 1);
  return found;
}

ND_EXPORT int luaopen_ndbuf_core(lua_State *L);
int luaopen_ndbuf_core(lua_State *L) {
  nd_error err;
  if (!is_luajit(L)) return luaL_error(L, "ndbuf needs LuaJIT (2.1); this is %s", LUA_RELEASE);
  if (nd_init(&err) != ND_OK) return luaL_error(L, "ndbuf: %s", err.message);
  ndb_state *S = ndb_open_state(L);
  S->seed = (uint64_t)time(NULL) ^ (uint64_t)(uintptr_t)S;
  lua_newtable(L);
  ndb_open_errors(L, S);
  ndb_open_dtypes(L, S);
  ndb_open_devices(L, S);
  ndb_open_arrays(L, S);
  open_small_floats(L);
  ndb_register(L, ndb_make_functions, ndb_dispatch);
  ndb_register(L, ndb_file_functions, ndb_dispatch);
  ndb_register(L, ndb_module_functions, ndb_dispatch);
  lua_pushliteral(L, ND_VERSION);
  lua_setfield(L, -2, "version");
  lua_pushnumber(L, ND_ABI);
  lua_setfield(L, -2, "abi");
  return 1;
}
