/* nd.scope(fn, …): frees the arrays made while fn runs, but those reachable from its results.
 *
 * Every new array is noted in the innermost scope's table 'made' (weak: the collector may take it
 * first). At the end the storages reachable from the results, through tables, are 'kept', by their
 * ids; the other storages that are newer than the scope are freed. Storages, not arrays: a view
 * that is returned keeps its storage though the array it was taken from is not returned. */
#include "bind/bind.h"

/* Pop the value at the top and note it in the table 'kept': an array by its storage's id; a table
 * by itself, as seen, and in the list 'todo' if it is new. 'count' is the list's length; returns
 * the new one. */
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

/* Note in 'kept' the storages reachable from the values at 'first' to 'last'. With a list of what
 * is to do rather than by recursion, as tables may be nested deeper than the C stack. */
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

/* Free the storages of the arrays in 'made' that are not in 'kept'; note the others with the outer
 * scope. Storages up to 'last_id' existed before the scope: views of them are left alone. */
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
    ndb_forget_freed(S, s);
    nd_storage_free(s, NULL);
  }
  ndb_drop_released(L, S);
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
  lua_insert(L, 2);    /* kept */
  lua_pushvalue(L, 1); /* 'made' becomes the innermost scope's table */
  const int ref = luaL_ref(L, LUA_REGISTRYINDEX);
  S->scope_ref = ref;
  S->scope_depth++;
  const int status = ndb_call_script(L, S, arguments);
  S->scope_depth--;
  S->scope_ref = outer;
  luaL_unref(L, LUA_REGISTRYINDEX, ref);
  /* fn may return so many values that the stack is full: then they are dropped, and all is freed */
  const bool fits = lua_checkstack(L, LUA_MINSTACK);
  if (!fits) lua_settop(L, 2);
  if (status == 0) keep_values(L, 2, 3, lua_gettop(L));
  close_scope(L, S, 1, 2, last_id);
  if (!fits) ndb_fail(L, S, ND_CAPACITY, "scope", "more values were returned than the stack holds");
  if (status != 0) return lua_error(L);
  return lua_gettop(L) - 2;
}

const ndb_reg ndb_scope_functions[] = {{"scope", module_scope, NDB_ANY}, {NULL, NULL, 0}};
