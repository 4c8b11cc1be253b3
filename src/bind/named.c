/* Tables of values by name, as arguments: {name = value, …} in the order of the names, or a list
 * {{name, value}, …} in its own. */
#include <stdlib.h>
#include <string.h>

#include "bind/exchange.h"

/* Append the two values below the top to the list at 'list'. */
static void append(lua_State *L, int list, int *count) {
  lua_pushvalue(L, -2);
  lua_rawseti(L, list, 2 * *count + 1);
  lua_pushvalue(L, -1);
  lua_rawseti(L, list, 2 * ++*count);
}

/* A list of so many has no other keys. */
static void check_list(lua_State *L, ndb_state *S, int arg, const char *what, int count) {
  for (lua_pushnil(L); lua_next(L, arg); lua_pop(L, 1))
    if (count-- == 0)
      ndb_fail(L, S, ND_INVALID_ARGUMENT, what,
               "a list of pairs, {name, value}, with something more in it");
}

static void append_listed(lua_State *L, ndb_state *S, int arg, int list, const char *what,
                          int *count) {
  for (int i = 1;; i++, lua_pop(L, 3)) {
    lua_rawgeti(L, arg, i);
    if (lua_isnil(L, -1)) break;
    if (!lua_istable(L, -1)) ndb_fail_type(L, S, lua_gettop(L), what, "pairs, {name, value}");
    check_list(L, S, lua_gettop(L), what, 2);
    lua_rawgeti(L, -1, 1), lua_rawgeti(L, -2, 2);
    append(L, list, count);
  }
  lua_pop(L, 1);
}

static bool has_first(lua_State *L, int arg) {
  lua_rawgeti(L, arg, 1);
  const bool has = !lua_isnil(L, -1);
  lua_pop(L, 1);
  return has;
}

static const char *check_name(lua_State *L, ndb_state *S, int list, int at, const char *what) {
  size_t length;
  lua_rawgeti(L, list, at);
  if (lua_type(L, -1) != LUA_TSTRING) ndb_fail_type(L, S, lua_gettop(L), what, "names as keys");
  const char *name = lua_tolstring(L, -1, &length);
  if (strlen(name) != length)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "a name with a 0 byte: \"%.40s\"", name);
  lua_pop(L, 1); /* the list has it */
  return name;
}

static int compare(const void *a, const void *b) {
  return strcmp(((const ndb_pair *)a)->name, ((const ndb_pair *)b)->name);
}

/* Two pairs of a list may have one name. */
static void check_distinct(lua_State *L, ndb_state *S, const char *what, int count,
                           const ndb_pair *pairs) {
  ndb_pair *sorted = lua_newuserdata(L, ((size_t)count + 1) * sizeof *sorted);
  memcpy(sorted, pairs, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, compare);
  for (int i = 1; i < count; i++)
    if (strcmp(sorted[i - 1].name, sorted[i].name) == 0)
      ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "the name \"%.40s\" comes twice", sorted[i].name);
  lua_pop(L, 1);
}

const ndb_pair *ndb_push_pairs(lua_State *L, ndb_state *S, int arg, const char *what,
                               const char *wanted, int *count) {
  if (!lua_istable(L, arg)) ndb_fail_type(L, S, arg, what, wanted);
  const bool is_list = has_first(L, arg);
  *count = 0;
  lua_newtable(L);
  const int list = lua_gettop(L);
  if (is_list) append_listed(L, S, arg, list, what, count), check_list(L, S, arg, what, *count);
  else
    for (lua_pushnil(L); lua_next(L, arg); lua_pop(L, 1)) append(L, list, count);
  ndb_pair *pairs = lua_newuserdata(L, ((size_t)*count + 1) * sizeof *pairs);
  for (int i = 0; i < *count; i++)
    pairs[i] = (ndb_pair){check_name(L, S, list, 2 * i + 1, what), list, 2 * i + 2};
  if (is_list) check_distinct(L, S, what, *count, pairs);
  else qsort(pairs, (size_t)*count, sizeof *pairs, compare);
  return pairs;
}

const nd_named_array *ndb_check_arrays(lua_State *L, ndb_state *S, int arg, const char *what,
                                       int *count) {
  const ndb_pair *pairs = ndb_push_pairs(L, S, arg, what, "a table of arrays by name", count);
  nd_named_array *arrays = lua_newuserdata(L, ((size_t)*count + 1) * sizeof *arrays);
  for (int i = 0; i < *count; i++, lua_pop(L, 1)) {
    ndb_push_value(L, &pairs[i]);
    arrays[i].name = pairs[i].name;
    arrays[i].array = &ndb_check_array(L, S, lua_gettop(L), pairs[i].name)->view;
  }
  return arrays;
}
