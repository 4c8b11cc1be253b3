/* Error objects: tables with code, message, where and the numbers that explain. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bind/bind.h"

/* Push "file:line" of the first frame that is neither C nor one of our own files; "" when there is
 * none. */
static void push_where(lua_State *L, const ndb_state *S) {
  lua_Debug ar;
  const size_t own = strlen(S->own_source);
  for (int level = 0; lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "Sl", &ar);
    if (ar.currentline <= 0 || (own && strncmp(ar.source, S->own_source, own) == 0)) continue;
    lua_pushfstring(L, "%s:%d", ar.short_src, ar.currentline);
    return;
  }
  lua_pushliteral(L, "");
}

static void set_numbers(lua_State *L, const nd_error *err) {
  for (int i = 0; i < err->count; i++) {
    lua_pushnumber(L, (lua_Number)err->numbers[i].value);
    lua_setfield(L, -2, err->numbers[i].name);
  }
}

int ndb_raise(lua_State *L, ndb_state *S, const nd_error *err, const char *argument) {
  nd_hooks_set(NULL);
  lua_createtable(L, 0, 8);
  lua_pushstring(L, nd_status_name(err->code));
  lua_setfield(L, -2, "code");
  lua_pushstring(L, err->message);
  lua_setfield(L, -2, "message");
  push_where(L, S);
  lua_setfield(L, -2, "where");
  set_numbers(L, err);
  if (err->path[0]) lua_pushstring(L, err->path), lua_setfield(L, -2, "path");
  if (argument) lua_pushstring(L, argument), lua_setfield(L, -2, "argument");
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->error_metatable);
  lua_setmetatable(L, -2);
  lua_error(L);
  __builtin_unreachable();
}

void ndb_check(lua_State *L, ndb_state *S, nd_status status, const nd_error *err) {
  if (status != ND_OK) ndb_raise(L, S, err, NULL);
}

/* "what: …" */
static void set_message(nd_error *err, const char *what, const char *fmt, va_list args) {
  int used = what ? snprintf(err->message, sizeof err->message, "%s: ", what) : 0;
  if (used < 0 || used >= (int)sizeof err->message) used = 0;
  vsnprintf(err->message + used, sizeof err->message - (size_t)used, fmt, args);
}

int ndb_fail(lua_State *L, ndb_state *S, nd_status code, const char *what, const char *fmt, ...) {
  nd_error err = {.code = code};
  va_list args;
  va_start(args, fmt);
  set_message(&err, what, fmt, args);
  va_end(args);
  ndb_raise(L, S, &err, what);
}

int ndb_fail_with(lua_State *L, ndb_state *S, nd_status code, const char *what,
                  const nd_number *numbers, const char *fmt, ...) {
  nd_error err = {.code = code};
  va_list args;
  while (numbers[err.count].name && err.count < ND_ERROR_NUMBERS)
    err.numbers[err.count] = numbers[err.count], err.count++;
  va_start(args, fmt);
  set_message(&err, what, fmt, args);
  va_end(args);
  ndb_raise(L, S, &err, what);
}

static const char *type_of(lua_State *L, int arg) {
  const ndb_array *a = ndb_to_array(L, arg);
  if (a) return "an array";
  return lua_type(L, arg) == NDB_TCDATA ? "cdata" : luaL_typename(L, arg);
}

int ndb_fail_type(lua_State *L, ndb_state *S, int arg, const char *what, const char *wanted) {
  ndb_fail(L, S, ND_TYPE_MISMATCH, what, "expected %s, got %s", wanted, type_of(L, arg));
}

/* {=== the object's metatable ===} */

static const char *push_raw(lua_State *L, int arg, const char *field) {
  lua_pushstring(L, field);
  lua_rawget(L, arg);
  return lua_tostring(L, -1);
}

/* "file:line: ndbuf: message" of the error object at 'arg', whatever was done to its fields. */
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
  ndb_register(L, list, ndb_dispatch);
  lua_pushliteral(L, "ndbuf.error");
  lua_setfield(L, -2, "__metatable");
  S->error_metatable = luaL_ref(L, LUA_REGISTRYINDEX);
}
