/* Tables and converters of f16, bf16 and f8 for compiled element access: a load is a table lookup
 * by the element's bits, a store calls a converter through the FFI. Lua gets their addresses. */
#include <math.h>
#include <pthread.h>

#include "base/half.h"
#include "bind/bind.h"

static uint16_t f64_to_f16(double value) { return ndi_f64_to_f16(value); }
static uint16_t f64_to_bf16(double value) { return ndi_f64_to_bf16(value); }
static uint8_t f64_to_f8e4m3(double value) { return ndi_f64_to_f8e4m3(value); }
static uint8_t f64_to_f8e5m2(double value) { return ndi_f64_to_f8e5m2(value); }

static float f16_values[65536], bf16_values[65536], f8e4m3_values[256], f8e5m2_values[256];

/* Any NaN becomes the default one: LuaJIT stores its values in NaN payloads. */
static float canonical(float x) { return isnan(x) ? NAN : x; }

static void fill_tables(void) {
  for (unsigned i = 0; i < 65536; i++) f16_values[i] = canonical(ndi_f16_to_f32((uint16_t)i));
  for (unsigned i = 0; i < 65536; i++) bf16_values[i] = canonical(ndi_bf16_to_f32((uint16_t)i));
  for (unsigned i = 0; i < 256; i++) f8e4m3_values[i] = canonical(ndi_f8e4m3_to_f32((uint8_t)i));
  for (unsigned i = 0; i < 256; i++) f8e5m2_values[i] = canonical(ndi_f8e5m2_to_f32((uint8_t)i));
}

static void set_address(lua_State *L, const char *name, uintptr_t at) {
  lua_pushlightuserdata(L, (void *)at);
  lua_setfield(L, -2, name);
}

void ndb_open_small_floats(lua_State *L) {
  static pthread_once_t once = PTHREAD_ONCE_INIT; /* one set for all states, on whatever threads */
  pthread_once(&once, fill_tables);
  lua_newtable(L);
  set_address(L, "f16", (uintptr_t)f16_values);
  set_address(L, "bf16", (uintptr_t)bf16_values);
  set_address(L, "f8e4m3", (uintptr_t)f8e4m3_values);
  set_address(L, "f8e5m2", (uintptr_t)f8e5m2_values);
  lua_setfield(L, -2, "values");
  lua_newtable(L);
  set_address(L, "f16", (uintptr_t)f64_to_f16);
  set_address(L, "bf16", (uintptr_t)f64_to_bf16);
  set_address(L, "f8e4m3", (uintptr_t)f64_to_f8e4m3);
  set_address(L, "f8e5m2", (uintptr_t)f64_to_f8e5m2);
  lua_setfield(L, -2, "encoders");
}
