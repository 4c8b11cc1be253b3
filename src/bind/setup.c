/* What the Lua files and the C module agree on: the functions that init.lua hands over when it is
 * loaded, and the layout of the structs that both declare. The functions do what C cannot do, such
 * as making cdata, or what is better written in Lua, such as printing. */
#include <string.h>

#include "bind/bind.h"

/* Push the field of setup's table, which must have this type. */
static void push_field(lua_State *L, ndb_state *S, const char *field, int type) {
  lua_pushstring(L, field);
  lua_rawget(L, 1);
  if (lua_type(L, -1) != type) ndb_fail_type(L, S, -1, field, lua_typename(L, type));
}

/* Keep the function of that field in the registry. Where init.lua is loaded again, it replaces the
 * former one; luaL_unref ignores LUA_NOREF. */
static void take_reference(lua_State *L, ndb_state *S, const char *field, int *reference) {
  push_field(L, S, field, LUA_TFUNCTION);
  luaL_unref(L, LUA_REGISTRYINDEX, *reference);
  *reference = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Keep the functions in a table by dtype; the references of dtypes without one stay as they are,
 * LUA_NOREF at first. What is left on the stack goes with the call. */
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

/* setup{source=, boxes={dtype=fn}, fills={dtype=fn}, classify=, to_pointer=, unknown_name=,
 * print=}. 'source' is the prefix of our chunk names, by which error.c recognises frames that are
 * not the script's. 'fills' is empty where the JIT is off. */
static int module_setup(lua_State *L, ndb_state *S) {
  if (!lua_istable(L, 1)) ndb_fail_type(L, S, 1, "setup", "a table");
  lua_settop(L, 1);
  push_field(L, S, "source", LUA_TSTRING);
  /* the state is zeroed, so the last byte stays 0; a path that is cut off is still a prefix */
  strncpy(S->own_source, lua_tostring(L, -1), sizeof S->own_source - 1);
  take_by_dtype(L, S, "boxes", S->boxes);
  take_by_dtype(L, S, "fills", S->fills);
  take_reference(L, S, "classify", &S->classify);
  take_reference(L, S, "to_pointer", &S->to_pointer);
  take_reference(L, S, "unknown_name", &S->unknown_name);
  take_reference(L, S, "print", &S->print);
  return 0;
}

/* layout(): offsets and sizes of the head and storage as C has them, for the spec that compares. */
static int module_layout(lua_State *L, ndb_state *S) {
#define FIELD(type, field) \
  { #type "." #field, offsetof(type, field), sizeof(((type *)0)->field) }
  static const struct {
    const char *name;
    size_t offset, bytes;
  } fields[] = {FIELD(ndb_head, storage),
                FIELD(ndb_head, p1),
                FIELD(ndb_head, epoch),
                FIELD(ndb_head, ndim),
                FIELD(ndb_head, step),
                FIELD(ndb_head, first),
                FIELD(ndb_head, inner),
                FIELD(ndb_head, unit_read_n),
                FIELD(ndb_head, unit_write_n),
                FIELD(ndb_head, read_n),
                FIELD(ndb_head, write_n),
                FIELD(ndb_head, unit_read_last),
                FIELD(ndb_head, unit_write_last),
                FIELD(ndb_head, read_last),
                FIELD(ndb_head, write_last),
                FIELD(ndb_head, is_punned),
                FIELD(ndb_head, is_mapped),
                FIELD(ndb_head, is_packed),
                FIELD(ndb_rows, count),
                FIELD(ndb_rows, stride),
                FIELD(ndb_rows, first_offset),
                FIELD(ndb_rows, first_p1),
                FIELD(ndb_rows, first_epoch),
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

const ndb_reg ndb_setup_functions[] = {
    {"setup", module_setup, 1}, {"layout", module_layout, 0}, {NULL, NULL, 0}};
