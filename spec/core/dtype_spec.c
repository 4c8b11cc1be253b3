/* dtypes and their promotion, places by name, checked sizes. */
#include <string.h>

#include "base/dtype.h"
#include "base/size.h"
#include "check.h"
#include "dev/device.h"
#include "mem/host.h"
#include "ndbuf.h"

/* {=== promotion ===} */

/* numpy.promote_types (NumPy 1.24) of the dtypes that it has, in its order of rows and columns. */
static const char *const columns[] = {"bool", "i8",  "u8",  "i16", "u16", "i32", "u32",
                                      "i64",  "u64", "f16", "f32", "f64", "c64", "c128"};
enum { COLUMNS = ND_COUNTOF(columns) };
/* clang-format off */
static const char *const promoted[COLUMNS][COLUMNS] = {
    {"bool","i8","u8","i16","u16","i32","u32","i64","u64","f16","f32","f64","c64","c128"},
    {"i8","i8","i16","i16","i32","i32","i64","i64","f64","f16","f32","f64","c64","c128"},
    {"u8","i16","u8","i16","u16","i32","u32","i64","u64","f16","f32","f64","c64","c128"},
    {"i16","i16","i16","i16","i32","i32","i64","i64","f64","f32","f32","f64","c64","c128"},
    {"u16","i32","u16","i32","u16","i32","u32","i64","u64","f32","f32","f64","c64","c128"},
    {"i32","i32","i32","i32","i32","i32","i64","i64","f64","f64","f64","f64","c128","c128"},
    {"u32","i64","u32","i64","u32","i64","u32","i64","u64","f64","f64","f64","c128","c128"},
    {"i64","i64","i64","i64","i64","i64","i64","i64","f64","f64","f64","f64","c128","c128"},
    {"u64","f64","u64","f64","u64","f64","u64","f64","u64","f64","f64","f64","c128","c128"},
    {"f16","f16","f16","f32","f32","f64","f64","f64","f64","f16","f32","f64","c64","c128"},
    {"f32","f32","f32","f32","f32","f64","f64","f64","f64","f32","f32","f64","c64","c128"},
    {"f64","f64","f64","f64","f64","f64","f64","f64","f64","f64","f64","f64","c128","c128"},
    {"c64","c64","c64","c64","c64","c128","c128","c128","c128","c64","c64","c128","c64","c128"},
    {"c128","c128","c128","c128","c128","c128","c128",
     "c128","c128","c128","c128","c128","c128","c128"}
};
/* clang-format on */

static nd_dtype named(const char *name) {
  nd_dtype dtype = ND_DTYPE_COUNT;
  CHECK(nd_dtype_find(name, &dtype), "%s", name);
  return dtype;
}

/* The pairs that we refuse, naming astype: i64 with u64, a 64-bit integer with f32. */
static bool is_refused(const char *a, const char *b) {
  const bool wide_a = strcmp(a, "i64") == 0 || strcmp(a, "u64") == 0;
  const bool wide_b = strcmp(b, "i64") == 0 || strcmp(b, "u64") == 0;
  if (wide_a && wide_b) return strcmp(a, b) != 0;
  return (wide_a && strcmp(b, "f32") == 0) || (wide_b && strcmp(a, "f32") == 0);
}

static void spec_promotion(void) {
  group("promotion is NumPy's, less i64 with u64 and 64-bit integers with f32");
  for (size_t i = 0; i < COLUMNS; i++)
    for (size_t k = 0; k < COLUMNS; k++) {
      const bool refused = is_refused(columns[i], columns[k]);
      nd_dtype got = ND_DTYPE_COUNT;
      const bool known = nd_dtype_promote(named(columns[i]), named(columns[k]), &got);
      CHECK(known == !refused, "%s %s", columns[i], columns[k]);
      CHECK(!known || got == named(promoted[i][k]), "%s %s: %s", columns[i], columns[k],
            nd_dtype_get(got)->name);
    }
}

static void spec_small_floats(void) {
  group("bf16 and f8 meet others in f32 or wider; promotion is symmetric");
  static const struct {
    nd_dtype a, b, result;
  } rows[] = {
      {ND_BF16, ND_BF16, ND_BF16},     {ND_BF16, ND_F16, ND_F32},    {ND_BF16, ND_F32, ND_F32},
      {ND_BF16, ND_F64, ND_F64},       {ND_BF16, ND_I8, ND_BF16},    {ND_BF16, ND_U16, ND_F32},
      {ND_BF16, ND_I32, ND_F64},       {ND_BF16, ND_C64, ND_C64},    {ND_F8E4M3, ND_U8, ND_F32},
      {ND_F8E4M3, ND_F8E5M2, ND_F32},  {ND_F8E5M2, ND_F16, ND_F32},  {ND_F8E5M2, ND_U32, ND_F64},
      {ND_F8E4M3, ND_BOOL, ND_F8E4M3}, {ND_F8E4M3, ND_C128, ND_C128}};
  for (size_t i = 0; i < ND_COUNTOF(rows); i++) {
    nd_dtype got = ND_DTYPE_COUNT;
    CHECK(nd_dtype_promote(rows[i].a, rows[i].b, &got) && got == rows[i].result, "row %zu: %d", i,
          (int)got);
  }
  for (int a = 0; a < ND_DTYPE_COUNT; a++)
    for (int b = 0; b < ND_DTYPE_COUNT; b++) {
      nd_dtype x = ND_DTYPE_COUNT, y = ND_DTYPE_COUNT;
      CHECK(nd_dtype_promote((nd_dtype)a, (nd_dtype)b, &x) ==
                    nd_dtype_promote((nd_dtype)b, (nd_dtype)a, &y) &&
                x == y,
            "%d %d", a, b);
    }
}

static void spec_names(void) {
  group("names are found exactly, and no others");
  static const char *const bad[] = {"", "F32", "f32 ", "f", "f128", "int", "i8x", "float", "\xff"};
  nd_dtype got = ND_DTYPE_COUNT;
  for (int i = 0; i < ND_DTYPE_COUNT; i++)
    CHECK(nd_dtype_find(nd_dtype_get((nd_dtype)i)->name, &got) && (int)got == i, "%d", i);
  got = ND_C64;
  for (size_t i = 0; i < ND_COUNTOF(bad); i++)
    CHECK(!nd_dtype_find(bad[i], &got) && got == ND_C64, "\"%s\"", bad[i]);
}

/* {=== places ===} */

static void spec_places(void) {
  group("places by name");
  static const struct {
    const char *text;
    nd_memkind kind;
    int ordinal;
    const char *path;
  } good[] = {{"cpu", ND_MEM_HOST, 0, NULL},
              {"CPU", ND_MEM_HOST, 0, NULL},
              {"pinned", ND_MEM_PINNED, 0, NULL},
              {"cuda", ND_MEM_DEVICE, 0, NULL},
              {"cuda:0", ND_MEM_DEVICE, 0, NULL},
              {"Cuda:12", ND_MEM_DEVICE, 12, NULL},
              {"gpu:3", ND_MEM_DEVICE, 3, NULL},
              {"cuda:9999", ND_MEM_DEVICE, 9999, NULL},
              {"cuda:0007", ND_MEM_DEVICE, 7, NULL},
              {"managed:1", ND_MEM_MANAGED, 1, NULL},
              {"unified", ND_MEM_MANAGED, 0, NULL},
              {"disk:a", ND_MEM_FILE, 0, "a"},
              {"DISK:/Tmp/x:y", ND_MEM_FILE, 0, "/Tmp/x:y"}};
  for (size_t i = 0; i < ND_COUNTOF(good); i++) {
    nd_place place = {.ordinal = -1};
    CHECK(nd_place_parse(good[i].text, &place, NULL) == ND_OK, "%s", good[i].text);
    CHECK(place.kind == good[i].kind && place.ordinal == good[i].ordinal, "%s", good[i].text);
    CHECK(good[i].path ? place.path && strcmp(place.path, good[i].path) == 0 : !place.path, "%s",
          good[i].text);
  }
}

static void spec_bad_places(void) {
  group("places that are none are refused with what is known");
  static const char *const bad[] = {
      "",        ":",       "cpu:",     "cpu:0",      "cpu ",    " cpu",
      "cp",      "cpux",    "cuda:",    "cuda:x",     "cuda:-1", "cuda:+1",
      "cuda:1 ", "cuda:1x", "cuda:1.0", "cuda:10000", "cuda::",  "cuda:99999999999999999999",
      "disk",    "disk:",   "pinned:0", "tpu",        "host"};
  for (size_t i = 0; i < ND_COUNTOF(bad); i++) {
    nd_place place = {.ordinal = -1};
    nd_error err;
    CHECK(nd_place_parse(bad[i], &place, &err) == ND_INVALID_ARGUMENT, "\"%s\"", bad[i]);
    CHECK(place.ordinal == -1 && strstr(err.message, "are known"), "%s", err.message);
  }
  nd_resource *resource = NULL;
  nd_place place = {.kind = ND_MEM_DEVICE, .ordinal = 63};
  CHECK(nd_place_resource(&place, (nd_place_options){0}, &resource, NULL) != ND_OK && !resource,
        "no such device");
  place.kind = ND_MEM_HOST;
  CHECK(nd_place_resource(&place, (nd_place_options){0}, &resource, NULL) == ND_OK &&
            resource == nd_host_resource(),
        "the host");
  nd_resource_drop(resource);
}

/* {=== sizes ===} */

static void spec_sizes(void) {
  group("sizes overflow where a ptrdiff_t would, also beside a factor of 0");
  const size_t top = ND_SIZE_MAX;
  size_t out = 1;
  CHECK(ndi_size_add(top - 1, 1, &out) && out == top, "top");
  CHECK(!ndi_size_add(top, 1, &out) && !ndi_size_add(SIZE_MAX, 1, &out), "past it");
  CHECK(ndi_size_mul(top / 8, 8, &out) && !ndi_size_mul(top / 8 + 1, 8, &out), "product");
  CHECK(!ndi_size_mul(SIZE_MAX, SIZE_MAX, &out) && ndi_size_mul(SIZE_MAX, 0, &out) && out == 0,
        "0");
  CHECK(ndi_size_of(0, NULL, 8, &out) && out == 8, "scalar");
  CHECK(ndi_size_of(3, (const size_t[]){2, 3, 4}, 8, &out) && out == 192, "shape");
  CHECK(ndi_size_of(3, (const size_t[]){2, 0, 4}, 8, &out) && out == 0, "empty");
  CHECK(!ndi_size_of(3, (const size_t[]){top, 0, 2}, 1, &out), "0 between");
  CHECK(!ndi_size_of(3, (const size_t[]){0, top, 2}, 1, &out), "0 first");
  CHECK(!ndi_size_of(2, (const size_t[]){top / 4, 0}, 8, &out), "the item counts");
  CHECK(!ndi_size_of(1, (const size_t[]){top + 1}, 1, &out), "one extent");
  CHECK(!ndi_size_of(2, (const size_t[]){SIZE_MAX, 0}, 1, &out), "one extent beside 0");
  ptrdiff_t step;
  CHECK(ndi_offset_mul(-1, PTRDIFF_MAX, &step) && !ndi_offset_mul(-1, PTRDIFF_MIN, &step),
        "offset");
  CHECK(!ndi_offset_add(PTRDIFF_MIN, -1, &step) && !ndi_offset_add(PTRDIFF_MAX, 1, &step),
        "offset");
}

int main(void) {
  if (nd_init(NULL)) return 2;
  spec_promotion();
  spec_small_floats();
  spec_names();
  spec_places();
  spec_bad_places();
  spec_sizes();
  return finish();
}
