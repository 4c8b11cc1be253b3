/* Argument checks: what a message says about the argument, its value and the limit is decided
 * here. No check converts between strings and numbers, as Lua's own do: a misplaced argument would
 * pass. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "bind/exchange.h"

/* {=== numbers ===} */

static bool fits_int64(double value) {
  const double end = 9223372036854775808.0; /* 2^63 */
  return value >= -end && value < end && value == floor(value);
}

/* Refuse a number that is no int64_t: NaN, infinite, with a fraction, or too large either way. */
ND_NORETURN static void fail_integer(lua_State *L, ndb_state *S, const char *what, double value) {
  char text[ND_DOUBLE_TEXT];
  ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "%s is not %s", ndi_double_text(value, text),
           isfinite(value) && value == floor(value) ? "an integer of 64 bits" : "an integer");
}

bool ndb_to_integer(lua_State *L, ndb_state *S, int arg, const char *what, int64_t *out) {
  if (lua_type(L, arg) == LUA_TNUMBER) {
    const double value = lua_tonumber(L, arg);
    if (!fits_int64(value)) fail_integer(L, S, what, value);
    *out = (int64_t)value;
    return true;
  }
  nd_scalar scalar;
  if (lua_type(L, arg) != NDB_TCDATA || !ndb_to_scalar(L, S, arg, &scalar)) return false;
  if (scalar.dtype != ND_I64 && scalar.dtype != ND_U64) return false; /* complex */
  memcpy(out, scalar.bytes, sizeof *out);
  /* a u64 from 2^63 on has the bits of a negative i64 */
  if (scalar.dtype == ND_U64 && *out < 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "%llu exceeds the limit of i64, %lld",
             (unsigned long long)*out, (long long)INT64_MAX);
  return true;
}

int64_t ndb_check_integer(lua_State *L, ndb_state *S, int arg, const char *what) {
  int64_t value;
  if (!ndb_to_integer(L, S, arg, what, &value)) ndb_fail_type(L, S, arg, what, "an integer");
  return value;
}

bool ndb_to_int128(lua_State *L, ndb_state *S, int arg, nd_int128 *out) {
  nd_scalar scalar;
  if (lua_type(L, arg) == LUA_TNUMBER) {
    const double value = lua_tonumber(L, arg);
    if (!(value >= -9223372036854775808.0 && value < 18446744073709551616.0) ||
        value != floor(value))
      return false;
    return *out = (nd_int128)value, true;
  }
  if (lua_type(L, arg) != NDB_TCDATA || !ndb_to_scalar(L, S, arg, &scalar)) return false;
  if (scalar.dtype != ND_I64 && scalar.dtype != ND_U64) return false;
  int64_t bits;
  memcpy(&bits, scalar.bytes, sizeof bits);
  return *out = scalar.dtype == ND_U64 ? (nd_int128)(uint64_t)bits : bits, true;
}

/* What ndb_to_int128 refuses, ndb_check_integer refuses as well, with a message: its range is
 * smaller. */
nd_int128 ndb_check_int128(lua_State *L, ndb_state *S, int arg, const char *what) {
  nd_int128 value;
  return ndb_to_int128(L, S, arg, &value) ? value : ndb_check_integer(L, S, arg, what);
}

int64_t ndb_opt_integer(lua_State *L, ndb_state *S, int arg, const char *what, int64_t otherwise) {
  return lua_isnoneornil(L, arg) ? otherwise : ndb_check_integer(L, S, arg, what);
}

size_t ndb_check_size(lua_State *L, ndb_state *S, int arg, const char *what) {
  const int64_t value = ndb_check_integer(L, S, arg, what);
  if (value < 0)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, what, ND_NUMBERS({"value", value}, {"limit", 0}),
                  "%lld is negative; the limit is 0", (long long)value);
  return (size_t)value;
}

double ndb_check_number(lua_State *L, ndb_state *S, int arg, const char *what) {
  const int64_t exact = (int64_t)1 << 53;
  int64_t integer;
  if (lua_type(L, arg) == LUA_TNUMBER) return lua_tonumber(L, arg);
  if (!ndb_to_integer(L, S, arg, what, &integer)) ndb_fail_type(L, S, arg, what, "a number");
  if (integer > exact || integer < -exact) /* refused rather than rounded */
    ndb_fail_with(
        L, S, ND_NOT_REPRESENTABLE, what, ND_NUMBERS({"value", integer}, {"limit", exact}),
        "%lld is not exact as a number; the limit is %lld", (long long)integer, (long long)exact);
  return (double)integer;
}

bool ndb_opt_boolean(lua_State *L, ndb_state *S, int arg, const char *what, bool otherwise) {
  if (lua_isnoneornil(L, arg)) return otherwise;
  if (!lua_isboolean(L, arg)) ndb_fail_type(L, S, arg, what, "a boolean");
  return lua_toboolean(L, arg);
}

/* {=== text ===} */

/* The text of the string at 'arg'; "" when it contains a NUL byte, as no name does: strcmp would
 * compare only what is before it. */
static const char *to_name(lua_State *L, int arg) {
  size_t length;
  const char *text = lua_tolstring(L, arg, &length);
  return strlen(text) == length ? text : "";
}

const char *ndb_check_string(lua_State *L, ndb_state *S, int arg, const char *what,
                             size_t *length) {
  if (lua_type(L, arg) != LUA_TSTRING) ndb_fail_type(L, S, arg, what, "a string");
  return length ? lua_tolstring(L, arg, length) : to_name(L, arg);
}

const char *ndb_check_path(lua_State *L, ndb_state *S, int arg, const char *what) {
  size_t length;
  const char *path = ndb_check_string(L, S, arg, what, &length);
  if (length == 0 || strlen(path) != length)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what,
             length ? "a path must not contain a NUL byte" : "the path is empty");
  return path;
}

/* {=== axes and shapes ===} */

int ndb_check_axis(lua_State *L, ndb_state *S, int arg, const char *what, int ndim) {
  int axis;
  nd_error err;
  ndb_check(L, S, ndb_axis_resolve(what, ndb_check_integer(L, S, arg, "axis"), ndim, &axis, &err),
            &err);
  return axis;
}

/* Read the list at 'arg' into 'out', which has room for 'max' integers; returns how many there are.
 * All reads are raw: no metamethod of the script runs. */
static int read_integers(lua_State *L, ndb_state *S, int arg, const char *what, int max,
                         int64_t *out) {
  const size_t n = lua_objlen(L, arg);
  if (n > (size_t)max)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, what,
                  ND_NUMBERS({"value", (int64_t)n}, {"limit", max}), "%zu entries; the limit is %d",
                  n, max);
  for (int i = 0; i < (int)n; i++) {
    lua_rawgeti(L, arg, i + 1);
    const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
    if (fits_int64(value)) {
      out[i] = (int64_t)value;
    } else {
      char name[48]; /* of the entry, for messages: "shape[2]"; to format it takes long */
      snprintf(name, sizeof name, "%.30s[%d]", what, i + 1);
      out[i] = ndb_check_integer(L, S, -1, name);
    }
    lua_pop(L, 1);
  }
  lua_pushnil(L); /* are there other keys, or a hole that lua_objlen did not see? */
  for (size_t entries = 0; lua_next(L, arg); lua_pop(L, 1))
    if (++entries > n)
      ndb_fail(L, S, ND_INVALID_ARGUMENT, what,
               "expected a list of integers, got a table with names or holes");
  return (int)n;
}

/* The arguments from 'arg' on are numbers beyond the first 'max'. */
ND_NORETURN static void fail_many(lua_State *L, ndb_state *S, int arg, const char *what, int max) {
  int n = max;
  for (; lua_type(L, arg) == LUA_TNUMBER || lua_type(L, arg) == NDB_TCDATA; arg++) n++;
  ndb_fail_with(L, S, ND_INVALID_ARGUMENT, what, ND_NUMBERS({"value", n}, {"limit", max}),
                "%d entries; the limit is %d", n, max);
}

int ndb_check_integers(lua_State *L, ndb_state *S, int arg, const char *what, int max, int64_t *out,
                       int *next) {
  int n = 0, type = lua_type(L, arg);
  if (type == LUA_TTABLE) {
    *next = arg + 1;
    return read_integers(L, S, arg, what, max, out);
  }
  /* the arguments from here on; the first of another type is not part of the list */
  for (; type == LUA_TNUMBER || type == NDB_TCDATA; type = lua_type(L, ++arg)) {
    if (n == max) fail_many(L, S, arg, what, max);
    const double value = type == LUA_TNUMBER ? lua_tonumber(L, arg) : (double)NAN;
    out[n++] = fits_int64(value) ? (int64_t)value : ndb_check_integer(L, S, arg, what);
  }
  /* an empty list can only be given as a table: no arguments would mean that it was left out */
  if (n == 0) ndb_fail_type(L, S, arg, what, "integers or a table of them");
  *next = arg;
  return n;
}

int ndb_check_shape(lua_State *L, ndb_state *S, int arg, const char *what, bool allow_open,
                    int64_t *shape, int *next) {
  const int n = ndb_check_integers(L, S, arg, what, ND_MAX_NDIM, shape, next);
  for (int i = 0; i < n; i++)
    if (shape[i] < 0 && !(allow_open && shape[i] == -1))
      ndb_fail_with(L, S, ND_INVALID_ARGUMENT, what,
                    ND_NUMBERS({"axis", i + 1}, {"value", shape[i]}, {"limit", 0}),
                    "extent %d is %lld; it must not be negative", i + 1, (long long)shape[i]);
  return n;
}

void ndb_to_sizes(int ndim, const int64_t *shape, size_t *out) {
  for (int i = 0; i < ndim; i++) out[i] = (size_t)shape[i];
}

/* {=== cdata ===} */

/* The least address of an object: by default Linux maps nothing below it (vm.mmap_min_addr). And
 * the bits that those of any process have at most. */
enum { NOWHERE = 65536, ADDRESS_BITS = 56 };

void *ndb_check_pointer(lua_State *L, ndb_state *S, int arg, const char *what, size_t *room) {
  void *pointer = NULL;
  if (lua_type(L, arg) != NDB_TCDATA) ndb_fail_type(L, S, arg, what, "a cdata pointer or array");
  /* box.to_pointer: the C API cannot tell a pointer from other cdata */
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->to_pointer);
  lua_pushvalue(L, arg);
  lua_call(L, 1, 2); /* pointer cdata, nil for cdata that is neither a pointer nor an array; size */
  if (lua_type(L, -2) != NDB_TCDATA) ndb_fail_type(L, S, arg, what, "a cdata pointer or array");
  *room = lua_isnil(L, -1) ? SIZE_MAX : (size_t)lua_tonumber(L, -1);
  memcpy(&pointer, lua_topointer(L, -2),
         sizeof pointer); /* lua_topointer: where cdata's value is */
  lua_pop(L, 2);
  if (pointer && (uintptr_t)pointer < NOWHERE) /* a C type (ffi.typeof) casts to its small number */
    ndb_fail_type(L, S, arg, what, "a cdata pointer or array");
  if (!pointer) *room = 0;
  return pointer;
}

void *ndb_check_address(lua_State *L, ndb_state *S, int arg, const char *what) {
  void *at = NULL;
  int64_t number = 0;
  size_t room;
  if (lua_islightuserdata(L, arg)) at = lua_touserdata(L, arg);
  else if (ndb_to_integer(L, S, arg, what, &number)) at = (void *)(uintptr_t)number;
  else if (lua_type(L, arg) == NDB_TCDATA) at = ndb_check_pointer(L, S, arg, what, &room);
  else ndb_fail_type(L, S, arg, what, "a pointer, which is cdata, or an address");
  if ((uintptr_t)at < NOWHERE || (uintptr_t)at >> ADDRESS_BITS)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "expected an address, got %lld",
             (long long)(intptr_t)at);
  return at;
}

void ndb_check_room(lua_State *L, ndb_state *S, const char *what, size_t room, size_t bytes) {
  if (bytes > room)
    ndb_fail_with(L, S, ND_OUT_OF_BOUNDS, what,
                  ND_NUMBERS({"value", (int64_t)bytes}, {"limit", (int64_t)room}),
                  room ? "%zu B exceed the cdata's %zu B"
                       : "%zu B exceed a NULL pointer or cdata of %zu B",
                  bytes, room);
}

/* {=== dtypes and devices ===} */

bool ndb_has_metatable(lua_State *L, int arg, int reference) {
  if (lua_type(L, arg) != LUA_TUSERDATA || !lua_getmetatable(L, arg)) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  /* the table itself: any userdata may have a metatable with our __metatable text */
  const bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

void *ndb_to_finalized(lua_State *L, lua_CFunction gc) {
  if (lua_type(L, 1) != LUA_TUSERDATA || !lua_getmetatable(L, 1)) return NULL;
  lua_pushliteral(L, "__gc");
  lua_rawget(L, -2);
  return lua_tocfunction(L, -1) == gc ? lua_touserdata(L, 1) : NULL;
}

/* Lua's strings begin 24 B into a block of at least 32. */
static size_t slot_of(const char *text) { return ((uintptr_t)text >> 5) % NDB_WORDS; }

const ndb_word *ndb_find_word(lua_State *L, ndb_state *S, int arg) {
  const char *text = lua_tostring(L, arg);
  const size_t at = slot_of(text);
  ndb_word *word = &S->words[at], found = {.text = text};
  if (word->text == text) return word;
  found.is_dtype = nd_dtype_find(to_name(L, arg), &found.dtype);
  if (!found.is_dtype && (nd_place_parse(to_name(L, arg), &found.place, NULL) != ND_OK ||
                          found.place.kind == ND_MEM_FILE))
    return NULL;
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->words_ref);
  lua_pushvalue(L, arg < 0 ? arg - 1 : arg);
  lua_rawseti(L, -2, (int)at + 1);
  lua_pop(L, 1);
  *word = found;
  return word;
}

bool ndb_to_dtype(lua_State *L, ndb_state *S, int arg, nd_dtype *out) {
  if (lua_type(L, arg) == LUA_TSTRING) {
    const ndb_word *word = ndb_find_word(L, S, arg);
    if (!word || !word->is_dtype) return false;
    return *out = word->dtype, true;
  }
  if (!ndb_has_metatable(L, arg, S->dtype_metatable)) return false;
  *out = (nd_dtype) * (const int *)lua_touserdata(L, arg);
  return true;
}

nd_dtype ndb_check_dtype(lua_State *L, ndb_state *S, int arg, const char *what) {
  nd_dtype dtype = ND_F64;
  if (ndb_to_dtype(L, S, arg, &dtype)) return dtype;
  if (lua_type(L, arg) != LUA_TSTRING) ndb_fail_type(L, S, arg, what, "a dtype");
/* the rows make one string; [2] skips the ", " that it begins with */
#define ND_ROW(ID, name, ...) ", " #name
  ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "there is no dtype \"%.40s\"; known are %s",
           lua_tostring(L, arg), &ND_DTYPES(ND_ROW)[2]);
#undef ND_ROW
  return dtype;
}

const char *ndb_to_device_name(lua_State *L, ndb_state *S, int arg) {
  if (lua_type(L, arg) == LUA_TSTRING) return to_name(L, arg);
  if (!ndb_has_metatable(L, arg, S->device_metatable)) return NULL;
  return ((const ndb_device *)lua_touserdata(L, arg))->name;
}

nd_status ndb_find_place(lua_State *L, ndb_state *S, int arg, nd_place *out, nd_error *err) {
  if (lua_type(L, arg) != LUA_TSTRING)
    return *out = ((const ndb_device *)lua_touserdata(L, arg))->place, ND_OK;
  const ndb_word *word = ndb_find_word(L, S, arg);
  if (word && !word->is_dtype) return *out = word->place, ND_OK;
  return nd_place_parse(to_name(L, arg), out, err);
}

nd_place ndb_check_place(lua_State *L, ndb_state *S, int arg, const char *what) {
  nd_place place;
  nd_error err;
  if (!ndb_to_device_name(L, S, arg)) ndb_fail_type(L, S, arg, what, "a device");
  if (ndb_find_place(L, S, arg, &place, &err) != ND_OK) ndb_raise(L, S, &err, what);
  return place;
}

bool ndb_is_options(lua_State *L, int arg) {
  if (!lua_istable(L, arg) || lua_objlen(L, arg) > 0) return false;
  lua_pushnil(L);
  /* {} is the shape of a 0-d array */
  if (!lua_next(L, arg)) return false;
  lua_pop(L, 2);
  return true;
}
