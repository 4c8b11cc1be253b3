/* Reservations: bytes of a budget that are promised to a part of a script. */
#include <string.h>

#include "bind/memory.h"

typedef struct {
  nd_reservation *reservation; /* NULL before it is set, and once it is finalized */
} reservation;

static int reservation_gc(lua_State *L) {
  reservation *r = ndb_to_finalized(L, reservation_gc);
  if (!r) return 0;
  if (r->reservation) nd_reservation_drop(r->reservation);
  r->reservation = NULL;
  return 0;
}

static int memory_reserve(lua_State *L, ndb_state *S) {
  nd_error err;
  nd_resource *self = ndb_check_stack(L, S);
  const size_t bytes = ndb_check_size(L, S, 2, "bytes");
  ndb_stress(L, S);
  reservation *r = lua_newuserdata(L, sizeof *r);
  r->reservation = NULL;
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->reservation_metatable);
  lua_setmetatable(L, -2);
  ndb_check(L, S, nd_budget_reserve(self, bytes, &r->reservation, &err), &err);
  return 1;
}

static nd_reservation *check_reservation(lua_State *L, ndb_state *S) {
  if (!ndb_has_metatable(L, 1, S->reservation_metatable))
    ndb_fail_type(L, S, 1, "self", "a reservation");
  nd_reservation *r = ((reservation *)lua_touserdata(L, 1))->reservation;
  if (!r) ndb_fail(L, S, ND_FREED, "self", "the reservation was finalized");
  return r;
}

static int reservation_release(lua_State *L, ndb_state *S) {
  nd_reservation_release(check_reservation(L, S));
  return 0;
}

/* use(fn, …): what fn(…) takes from the budget's memory comes from the reservation as far as it
 * goes; returns fn's results. A reference keeps the reservation while it is in the list. */
static int reservation_use(lua_State *L, ndb_state *S) {
  const nd_promises promises = {check_reservation(L, S), S->promises};
  if (!lua_isfunction(L, 2)) ndb_fail_type(L, S, 2, "fn", "a function");
  nd_reservation_hold(promises.reservation);
  S->promises = &promises;
  const int status = ndb_call_script(L, S, lua_gettop(L) - 2);
  S->promises = promises.outer;
  nd_reservation_drop(promises.reservation);
  if (status != 0) return lua_error(L);
  return lua_gettop(L) - 1;
}

static int reservation_index(lua_State *L, ndb_state *S) {
  const nd_reservation *r = check_reservation(L, S);
  const char *field = ndb_check_string(L, S, 2, "field", NULL);
  if (strcmp(field, "remaining") == 0)
    return lua_pushnumber(L, (lua_Number)nd_reservation_remaining(r)), 1;
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->reservation_metatable);
  lua_getfield(L, -1, "methods");
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "reservation",
             "there is no field \"%.40s\"; known are remaining, release, use", field);
  return 1;
}

static int reservation_tostring(lua_State *L, ndb_state *S) {
  lua_pushfstring(L, "reservation of %f B",
                  (lua_Number)nd_reservation_remaining(check_reservation(L, S)));
  return 1;
}

/* Set core.reservation_metatable (core is at the top). */
void ndb_open_reservations(lua_State *L, ndb_state *S) {
  static const ndb_reg reservations[] = {{"__tostring", reservation_tostring, NDB_ANY},
                                         {"__index", reservation_index, NDB_ANY},
                                         {NULL, NULL, 0}};
  static const ndb_reg methods[] = {
      {"release", reservation_release, 1}, {"use", reservation_use, NDB_ANY}, {NULL, NULL, 0}};
  S->reservation_metatable = ndb_make_metatable(L, reservations, reservation_gc,
                                                "ndbuf.reservation");
  ndb_add_methods(L, S->reservation_metatable, methods);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->reservation_metatable);
  lua_setfield(L, -2, "reservation_metatable");
}

const ndb_reg ndb_reserving_methods[] = {{"reserve", memory_reserve, 2}, {NULL, NULL, 0}};
