/* What scripts and the Lua files do with error objects: raise them, read their text. */
#include <string.h>

#include "bind/bind.h"

/* The numbers of an error, fields of the table at 'arg', which may be nil; ends with a NULL name.
 */
static void read_numbers(lua_State *L, int arg, nd_number out[ND_ERROR_NUMBERS + 1]) {
  static const char *const names[] = {"value", "limit", "expected", "actual"};
  int count = 0;
  for (size_t i = 0; lua_istable(L, arg) && i < ND_COUNTOF(names); i++) {
    lua_pushstring(L, names[i]);
    lua_rawget(L, arg);
    if (lua_isnumber(L, -1)) out[count++] = (nd_number){names[i], (int64_t)lua_tonumber(L, -1)};
    lua_pop(L, 1);
  }
  out[count].name = NULL;
}

/* fail(code, argument|nil, message [, numbers]): raise an error object. */
static int module_fail(lua_State *L, ndb_state *S) {
  nd_number numbers[ND_ERROR_NUMBERS + 1];
  const char *name = ndb_check_string(L, S, 1, "code", NULL);
  const char *argument = lua_isnoneornil(L, 2) ? NULL : ndb_check_string(L, S, 2, "argument", NULL);
  size_t length;
  const char *message = ndb_check_string(L, S, 3, "message", &length);
  int code = 1; /* 0 is ok, which is no failure */
  while (code < ND_STATUS_COUNT && strcmp(nd_status_name((nd_status)code), name) != 0) code++;
  if (code == ND_STATUS_COUNT)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "code", "there is no code \"%.40s\"", name);
  read_numbers(L, 4, numbers);
  return ndb_fail_with(L, S, (nd_status)code, argument, numbers, "%s", message);
}

const ndb_reg ndb_error_functions[] = {{"fail", module_fail, 4}, {NULL, NULL, 0}};

/* {=== the object's metatable ===} */

/* Push a field of the table at 'arg'. Returns its text, which lives while it is on the stack; NULL
 * if it is neither a string nor a number. */
static const char *push_raw(lua_State *L, int arg, const char *field) {
  lua_pushstring(L, field);
  lua_rawget(L, arg);
  return lua_tostring(L, -1);
}

/* Push "file:line: ndbuf: message" of the error object at 'arg'. Raw reads, and a stand-in for a
 * missing message: scripts may have changed the fields, and reporting an error must not raise. */
static void push_text(lua_State *L, int arg) {
  const char *where = push_raw(L, arg, "where"), *message = push_raw(L, arg, "message");
  lua_pushfstring(L, "%s%sndbuf: %s", where ? where : "", where && *where ? ": " : "",
                  message ? message : "?");
  lua_replace(L, -3);
  lua_pop(L, 1);
}

static int error_tostring(lua_State *L, ndb_state *S) {
  if (!lua_istable(L, 1)) ndb_fail_type(L, S, 1, "self", "an error object");
  push_text(L, 1);
  return 1;
}

/* e .. "text": error objects take the place of strings, which scripts concatenate. */
static int error_concat(lua_State *L, ndb_state *S) {
  (void)S;
  lua_settop(L, 2);
  for (int i = 1; i <= 2; i++) {
    if (lua_istable(L, i)) push_text(L, i);
    else if (lua_isstring(L, i)) lua_pushvalue(L, i);
    else lua_pushstring(L, luaL_typename(L, i));
  }
  lua_concat(L, 2);
  return 1;
}

void ndb_open_errors(lua_State *L, ndb_state *S) {
  static const ndb_reg list[] = {{"__tostring", error_tostring, NDB_ANY},
                                 {"__concat", error_concat, NDB_ANY},
                                 {NULL, NULL, 0}};
  lua_newtable(L);
  ndb_register(L, list);
  lua_pushliteral(L, "ndbuf.error");
  lua_setfield(L, -2, "__metatable");
  S->error_metatable = luaL_ref(L, LUA_REGISTRYINDEX);
}
