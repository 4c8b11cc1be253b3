/* Tables and converters of the small floats for compiled element access: a load is a table lookup
 * by the element's bits, a store calls a converter through the FFI. Lua gets their addresses. */
#include <math.h>
#include <pthread.h>

#include "base/half.h"
#include "bind/bind.h"
#include "kern/made/dtypes.h"

#define ND_ROW(ID, name, type, ...)                                            \
  static type f64_to_##name(double value) { return ndi_f64_to_##name(value); } \
  static float name##_values[1u << 8 * sizeof(type)];
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

/* Any NaN becomes the one that lua_pushnumber makes: LuaJIT stores its values in NaN payloads. */
static float canonical(float x) { return isnan(x) ? copysignf(NAN, -1) : x; }

static void fill_tables(void) {
#define ND_ROW(ID, name, type, ...)                        \
  for (unsigned i = 0; i < ND_COUNTOF(name##_values); i++) \
    name##_values[i] = canonical(ndi_##name##_to_f32((type)i));
  ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW
}

static void set_address(lua_State *L, const char *name, uintptr_t at) {
  lua_pushlightuserdata(L, (void *)at);
  lua_setfield(L, -2, name);
}

void ndb_open_small_floats(lua_State *L) {
  static pthread_once_t once = PTHREAD_ONCE_INIT; /* one set for all states, on whatever threads */
  pthread_once(&once, fill_tables);
  lua_newtable(L);
#define ND_ROW(ID, name, ...) set_address(L, #name, (uintptr_t)name##_values);
  ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW
  lua_setfield(L, -2, "values");
  lua_newtable(L);
#define ND_ROW(ID, name, ...) set_address(L, #name, (uintptr_t)f64_to_##name);
  ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW
  lua_setfield(L, -2, "encoders");
}
