/* Options: the last argument of many functions, read in one way. All values are pushed before the
 * function's own work, so that they stay alive and no later step reads the script's table, which a
 * finalizer could change. */
#include <stdio.h>
#include <string.h>

#include "bind/bind.h"

static const char *const names[] = {
#define ND_ROW(ID, name) #name,
    NDB_OPTIONS(ND_ROW)
#undef ND_ROW
};

/* The names of the options in 'known', in the order of the list. */
static const char *known_text(uint64_t known, char *text, size_t bytes) {
  *text = 0;
  for (int i = 0; i < NDB_OPTION_COUNT; i++)
    if (known >> i & 1)
      snprintf(text + strlen(text), bytes - strlen(text), "%s%s", *text ? ", " : "", names[i]);
  return *text ? text : "none";
}

/* The option that the key at 'at' names. */
static ndb_option find_option(lua_State *L, ndb_state *S, int at, uint64_t known) {
  char text[160];
  size_t length = 0;
  const char *key = lua_type(L, at) == LUA_TSTRING ? lua_tolstring(L, at, &length) : NULL;
  if (!key)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "options", "expected names as keys, got %s; known are %s",
             ndb_type_text(L, at), known_text(known, text, sizeof text));
  for (uint64_t left = known; left; left &= left - 1) {
    const int i = __builtin_ctzll(left);
    if (strcmp(names[i], key) == 0 && strlen(key) == length) return (ndb_option)i;
  }
  ndb_fail(L, S, ND_INVALID_ARGUMENT, "options", "there is no option \"%.40s\"; known are %s",
           strlen(key) == length ? key : "", known_text(known, text, sizeof text));
}

ND_NORETURN static void fail_options(lua_State *L, ndb_state *S, int arg, uint64_t known) {
  char text[160], wanted[224];
  snprintf(wanted, sizeof wanted, "%sa table with any of %s",
           known & NDB_BIT(AXIS) ? "an axis or " : "", known_text(known, text, sizeof text));
  ndb_fail_type(L, S, arg, "options", wanted);
}

/* No metamethod of the script runs here. */
static void read_table(lua_State *L, ndb_state *S, int arg, uint64_t known, ndb_options *out) {
  if (!lua_istable(L, arg)) fail_options(L, S, arg, known);
  for (lua_pushnil(L); lua_next(L, arg);) {
    out->at[find_option(L, S, -2, known)] = lua_gettop(L) - 1;
    lua_insert(L, -2); /* the value stays, below the key */
  }
}

void ndb_read_options(lua_State *L, ndb_state *S, int arg, uint64_t known, ndb_options *out) {
  const int type = lua_type(L, arg);
  *out = (ndb_options){{0}};
  if (known & NDB_BIT(AXIS) && (type == LUA_TNUMBER || type == NDB_TCDATA)) {
    out->at[NDB_AXIS] = arg;
    known &= ~NDB_BIT(AXIS);
    arg += known != 0; /* a function with no other options takes no table after the axis */
  } else if (known & NDB_BIT(AXIS) && type == LUA_TNIL && lua_istable(L, arg + 1)) {
    arg++; /* the axis was left out */
  }
  ndb_end_arguments(L, S, arg);
  if (arg != out->at[NDB_AXIS] && !lua_isnil(L, arg)) read_table(L, S, arg, known, out);
}

/* {=== values ===} */

bool ndb_option_boolean(lua_State *L, ndb_state *S, const ndb_options *options, ndb_option which,
                        bool otherwise) {
  const int at = options->at[which];
  return at ? ndb_opt_boolean(L, S, at, names[which], otherwise) : otherwise;
}

const nd_view *ndb_option_out(lua_State *L, ndb_state *S, const ndb_options *options) {
  const int at = options->at[NDB_OUT];
  return at ? &ndb_check_array(L, S, at, "out")->view : NULL;
}

const nd_dtype *ndb_option_dtype(lua_State *L, ndb_state *S, const ndb_options *options,
                                 nd_dtype *to) {
  const int at = options->at[NDB_DTYPE];
  if (!at) return NULL;
  *to = ndb_check_dtype(L, S, at, "dtype");
  return to;
}

int ndb_option_choice(lua_State *L, ndb_state *S, const ndb_options *options, ndb_option which,
                      const char *const *choices) {
  const int at = options->at[which];
  const char *text = at ? ndb_check_string(L, S, at, names[which], NULL) : choices[0];
  char known[256] = "";
  int i = 0;
  while (choices[i] && strcmp(choices[i], text) != 0) i++;
  if (choices[i]) return i;
  for (int k = 0; choices[k]; k++)
    snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", k ? ", " : "",
             choices[k]);
  ndb_fail(L, S, ND_INVALID_ARGUMENT, names[which], "\"%.40s\" is none of %s", text, known);
}

nd_cast_mode ndb_option_mode(lua_State *L, ndb_state *S, const ndb_options *options) {
  static const char *const modes[] = {"saturate", "wrap", "check", NULL}; /* of nd_cast_mode */
  return (nd_cast_mode)ndb_option_choice(L, S, options, NDB_MODE, modes);
}

int64_t ndb_option_base(lua_State *L, ndb_state *S, const ndb_options *options) {
  const int at = options->at[NDB_BASE];
  const int64_t base = at ? ndb_check_integer(L, S, at, "base") : 1;
  if (base != 0 && base != 1)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "base", ND_NUMBERS({"value", base}, {"limit", 1}),
                  "%lld is neither 0 nor 1", (long long)base);
  return base;
}

int ndb_option_axis(lua_State *L, ndb_state *S, const ndb_options *options, const char *what,
                    int ndim, int otherwise) {
  const int at = options->at[NDB_AXIS];
  if (!at && otherwise >= 0) return otherwise;
  if (!at) lua_pushnil(L);
  return ndb_check_axis(L, S, at ? at : -1, what, ndim);
}

uint32_t ndb_option_axes(lua_State *L, ndb_state *S, const ndb_options *options, const char *what,
                         int ndim) {
  int64_t axes[ND_MAX_NDIM];
  uint32_t bits = 0;
  int next;
  nd_error err;
  if (!options->at[NDB_AXIS]) return (uint32_t)((1u << ndim) - 1);
  /* moved to the top: ndb_check_integers would read the values after it as more axes */
  lua_pushvalue(L, options->at[NDB_AXIS]);
  const int n = ndb_check_integers(L, S, lua_gettop(L), "axis", ND_MAX_NDIM, axes, &next);
  lua_pop(L, 1);
  for (int i = 0, axis; i < n; i++) {
    ndb_check(L, S, ndb_axis_resolve(what, axes[i], ndim, &axis, &err), &err);
    if (bits >> axis & 1)
      ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "axis", ND_NUMBERS({"axis", axis + 1}),
                    "%s: axis %d is named twice", what, axis + 1);
    bits |= 1u << axis;
  }
  return bits;
}
