/* Single elements: to Lua values and back. Values that a Lua number cannot represent exactly (i64
 * and u64 beyond 2^53, complex) are cdata, which the C API can neither make nor read: Lua functions
 * of box.lua do that. */
#include <math.h>
#include <string.h>

#include "bind/bind.h"
#include "kern/cast.h"

/* Replace NaNs by the default one in both parts of a complex element. Scripts read the parts
 * through the FFI, and LuaJIT stores its values in NaN payloads: one chosen by a hostile file would
 * come out as any object. (lua_pushnumber canonicalises numbers itself.) */
static void canonicalise_nans(nd_dtype dtype, void *at) {
  float *narrow = at;
  double *wide = at;
  for (int i = 0; i < 2; i++) {
    if (dtype == ND_C64 && isnan(narrow[i])) narrow[i] = NAN;
    if (dtype == ND_C128 && isnan(wide[i])) wide[i] = (double)NAN;
  }
}

/* cdata cannot be made through the C API: a Lua function makes it from the address. */
static void push_boxed(lua_State *L, const ndb_state *S, nd_dtype dtype, const void *at) {
  union {
    double _Complex alignment;
    unsigned char bytes[16];
  } copy; /* aligned, and out of reach of finalizers that lua_call may run */
  memcpy(copy.bytes, at, nd_dtype_get(dtype)->bytes);
  canonicalise_nans(dtype, copy.bytes);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->boxes[dtype]);
  lua_pushlightuserdata(L, copy.bytes);
  lua_call(L, 1, 1);
}

/* A 64-bit integer that a double may not represent exactly: beyond 2^53 either way. */
static bool is_wide(nd_dtype dtype, const void *at) {
  const int64_t limit = (int64_t)1 << 53;
  int64_t value;
  if (dtype != ND_I64 && dtype != ND_U64) return false;
  memcpy(&value, at, sizeof value);
  return dtype == ND_U64 ? (uint64_t)value > (uint64_t)limit : value > limit || value < -limit;
}

bool ndb_push_float(lua_State *L, nd_dtype dtype, const void *at) {
  double value;
  float narrow;
  if (dtype == ND_F64) memcpy(&value, at, sizeof value);
  else if (dtype == ND_F32) value = (memcpy(&narrow, at, sizeof narrow), narrow);
  else return false;
  lua_pushnumber(L, value);
  return true;
}

void ndb_push_element(lua_State *L, ndb_state *S, nd_dtype dtype, const void *at) {
  double value;
  switch (nd_dtype_get(dtype)->kind) {
    case ND_KIND_BOOL: lua_pushboolean(L, *(const unsigned char *)at != 0); return;
    case ND_KIND_COMPLEX: push_boxed(L, S, dtype, at); return;
    case ND_KIND_INT:
    case ND_KIND_UINT:
    case ND_KIND_FLOAT: break;
  }
  if (is_wide(dtype, at)) {
    push_boxed(L, S, dtype, at);
    return;
  }
  /* exact: all values that are left fit a double */
  ndi_cast_find(ND_F64, dtype, ND_SATURATE)(1, (char *)&value, 8, at, 0);
  lua_pushnumber(L, value);
}

/* The classes of cdata that box.classify returns; ORDER CDATA in lua/ndbuf/box.lua. */
enum { CDATA_OTHER, CDATA_I64, CDATA_U64, CDATA_C64, CDATA_C128 };

/* False for cdata of another type. box.classify returns the class and a copy of the value; for
 * cdata lua_topointer gives the address of the value. */
static bool cdata_to_scalar(lua_State *L, const ndb_state *S, int arg, nd_scalar *out) {
  static const nd_dtype dtypes[] = {ND_F64, ND_I64, ND_U64, ND_C64, ND_C128};
  lua_pushvalue(L, arg);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->classify);
  lua_insert(L, -2);
  lua_call(L, 1, 2);
  const int class = (int)lua_tonumber(L, -2);
  const bool is_known = class > CDATA_OTHER && class <= CDATA_C128;
  if (is_known) {
    out->dtype = dtypes[class];
    memcpy(out->bytes, lua_topointer(L, -1), nd_dtype_get(out->dtype)->bytes);
  }
  lua_pop(L, 2);
  return is_known;
}

bool ndb_to_scalar(lua_State *L, ndb_state *S, int arg, nd_scalar *out) {
  switch (lua_type(L, arg)) {
    case LUA_TNUMBER: {
      const double value = lua_tonumber(L, arg);
      out->dtype = ND_F64;
      memcpy(out->bytes, &value, sizeof value);
      return true;
    }
    case LUA_TBOOLEAN:
      out->dtype = ND_BOOL;
      out->bytes[0] = (unsigned char)lua_toboolean(L, arg);
      return true;
    case NDB_TCDATA: return cdata_to_scalar(L, S, arg, out);
    default: return false;
  }
}

void ndb_check_scalar(lua_State *L, ndb_state *S, int arg, const char *what, nd_scalar *out) {
  if (!ndb_to_scalar(L, S, arg, out))
    ndb_fail_type(L, S, arg, what, "a number, a boolean, i64, u64 or complex cdata");
}

/* The element's address when the CPU may access it at once: allocated, no pending work, its file
 * still as long as it was. NULL: the core decides, waits or refuses. */
static char *host_element(const nd_view *v, bool for_write) {
  nd_storage *s = v->storage;
  if (nd_storage_get_state(s) != ND_STORAGE_LIVE || !nd_storage_is_idle(s)) return NULL;
  if (nd_storage_check(s, NULL) != ND_OK || (for_write && v->is_read_only)) return NULL;
  char *host = s->host;
  return host ? host + v->offset : NULL;
}

void ndb_push_item(lua_State *L, ndb_state *S, const nd_view *v) {
  nd_scalar item;
  nd_error err;
  const char *at = host_element(v, false);
  if (at) {
    memcpy(item.bytes, at, nd_view_itemsize(v));
    item.dtype = (nd_dtype)v->dtype;
    if (nd_storage_check(v->storage, NULL) == ND_OK) { /* the file was still there */
      ndb_push_element(L, S, item.dtype, item.bytes);
      return;
    }
  }
  ndb_check(L, S, nd_item(v, &item, &err), &err);
  ndb_push_element(L, S, item.dtype, item.bytes);
}

void ndb_set_item(lua_State *L, ndb_state *S, const nd_view *v, const nd_scalar *value) {
  nd_error err;
  /* NULL from complex to real, which nd_fill refuses */
  ndi_cast_kernel *cast = ndi_cast_find((nd_dtype)v->dtype, value->dtype, ND_SATURATE);
  if (cast && !v->is_read_only && nd_storage_get_state(v->storage) == ND_STORAGE_FRESH)
    ndb_check(L, S, nd_storage_allocate(v->storage, &err), &err);
  char *at = host_element(v, true);
  if (at && cast) cast(1, at, 0, (const char *)value->bytes, 0);
  else ndb_check(L, S, nd_fill(v, value, &err), &err);
  ndb_check(L, S, nd_storage_check(v->storage, &err), &err); /* did the file shrink under it? */
}
