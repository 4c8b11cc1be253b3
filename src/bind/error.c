/* Raising error objects: tables with code, message, where (the caller's file:line) and the numbers
 * that explain the failure. The core returns an nd_error and knows no Lua; what a script can type
 * as a remedy is added here. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bind/bind.h"

/* Push "file:line" of the innermost frame that is neither C nor one of our own Lua files: the line
 * of the script that made the call. "" when there is none. */
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

/* Make each number of the error a field of the table at the top. */
static void set_numbers(lua_State *L, const nd_error *err) {
  for (int i = 0; i < err->count; i++) {
    lua_pushnumber(L, (lua_Number)err->numbers[i].value);
    lua_setfield(L, -2, err->numbers[i].name);
  }
}

/* Push the message, followed by what a script can type as a remedy. */
static void push_message(lua_State *L, const nd_error *err) {
  static const char *const remedies[] = {/* ORDER REMEDY; %s is the subject */
                                         "",
                                         "; use :to(\"cpu\")",
                                         "; use :to(\"%s\")",
                                         "; use :clone()",
                                         "; use :contiguous()",
                                         "; use :astype()",
                                         "; use :astype(\"i64\")",
                                         "; use .real or .imag",
                                         "; use :%s(), which makes a new array",
                                         "; use {mmap = false}",
                                         "; map it \"r\" or \"c\", or use :to(\"pinned\")",
                                         "; use {async = false}",
                                         "; use {copy = true}",
                                         "; without it: {names = {…}}"};
  _Static_assert(ND_COUNTOF(remedies) == ND_REMEDY_COUNT, "a text for each");
  lua_pushstring(L, err->message);
  lua_pushfstring(L, remedies[err->remedy], err->subject);
  lua_concat(L, 2);
}

/* What runs here may itself raise, where there is no memory for the table or a text. Nothing is
 * lost, as the callers own nothing then (bind.h). */
int ndb_raise(lua_State *L, ndb_state *S, const nd_error *err, const char *argument) {
  nd_call_set(NULL); /* the call is over; what follows may run finalizers */
  lua_createtable(L, 0, 8);
  lua_pushstring(L, nd_status_name(err->code));
  lua_setfield(L, -2, "code");
  push_message(L, err);
  lua_setfield(L, -2, "message");
  push_where(L, S);
  lua_setfield(L, -2, "where");
  set_numbers(L, err);
  if (err->path[0]) lua_pushstring(L, err->path), lua_setfield(L, -2, "path");
  if (argument) lua_pushstring(L, argument), lua_setfield(L, -2, "argument");
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->error_metatable);
  lua_setmetatable(L, -2);
  lua_error(L); /* not declared as one that does not return */
  __builtin_unreachable();
}

void ndb_check(lua_State *L, ndb_state *S, nd_status status, const nd_error *err) {
  if (status != ND_OK) ndb_raise(L, S, err, NULL);
}

/* "what: …"; the prefix is dropped if it fills the text alone. */
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

int ndb_fail_as(lua_State *L, ndb_state *S, const nd_error *why, const char *what) {
  nd_error err = *why;
  /* half of the text at most, so that it fits after 'what' */
  snprintf(err.message, sizeof err.message, "%s: %.*s", what, ND_ERROR_TEXT / 2, why->message);
  ndb_raise(L, S, &err, what);
}

int ndb_fail_with(lua_State *L, ndb_state *S, nd_status code, const char *what,
                  const nd_number *numbers, const char *fmt, ...) {
  nd_error err = {.code = code};
  va_list args;
  /* ND_NUMBERS ends with a NULL name */
  while (numbers[err.count].name && err.count < ND_ERROR_NUMBERS)
    err.numbers[err.count] = numbers[err.count], err.count++;
  va_start(args, fmt);
  set_message(&err, what, fmt, args);
  va_end(args);
  ndb_raise(L, S, &err, what);
}

/* By the text of its metatable: any userdata may have the same, but this is for messages. */
static const char *object_text(lua_State *L, int arg) {
  static const char *const names[][2] = {
      {"ndbuf.stream", "a stream"}, {"ndbuf.event", "an event"},       {"ndbuf.device", "a device"},
      {"ndbuf.dtype", "a dtype"},   {"ndbuf.column", "a held column"}, {"ndbuf.memory", "memory"}};
  const char *found = "userdata";
  if (!luaL_getmetafield(L, arg, "__metatable")) return found;
  for (size_t i = 0; i < ND_COUNTOF(names); i++)
    if (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), names[i][0]) == 0)
      found = names[i][1];
  lua_pop(L, 1);
  return found;
}

const char *ndb_type_text(lua_State *L, int arg) {
  static const char *const types[] = {"nil",        "a boolean", "light userdata", "a number",
                                      "a string",   "a table",   "a function",     "userdata",
                                      "a coroutine"}; /* the order of LUA_T… */
  const int type = lua_type(L, arg);
  if (ndb_to_array(L, arg)) return "an array"; /* which is also a userdata */
  if (type == LUA_TNONE) return "no value";    /* -1, no index of types[] */
  if (type == LUA_TUSERDATA) return object_text(L, arg);
  return type < (int)ND_COUNTOF(types) ? types[type] : "cdata";
}

int ndb_fail_type(lua_State *L, ndb_state *S, int arg, const char *what, const char *wanted) {
  ndb_fail(L, S, ND_TYPE_MISMATCH, what, "expected %s, got %s", wanted, ndb_type_text(L, arg));
}
