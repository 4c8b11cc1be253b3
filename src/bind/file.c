/* Memory and files of others: wrap, mmap, load, save, fields of records. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/size.h"
#include "bind/bind.h"
#include "dev/cuda.h"

/* {=== wrap ===} */

/* A view of 'shape' over all of a resource of one block; the resource stays the caller's. */
static nd_status view_all(nd_resource *resource, size_t bytes, bool read_only, nd_dtype dtype,
                          int ndim, const size_t *shape, nd_view *out, nd_error *err) {
  nd_storage *storage;
  const nd_storage_options options = {.read_only = read_only};
  ND_TRY(nd_storage_make(resource, bytes, options, &storage, err));
  const nd_status status = nd_view_make(storage, 0, dtype, ndim, shape, NULL, out, err);
  nd_storage_drop(storage);
  return status;
}

/* Where the memory is, from the device's name at the top; nothing is made. */
static nd_place check_wrap_device(lua_State *L, ndb_state *S) {
  nd_place place;
  nd_error err;
  const char *name = ndb_to_device_name(L, S, -1);
  if (!name) ndb_fail_type(L, S, -1, "device", "a device");
  ndb_check(L, S, nd_place_parse(name, &place, &err), &err);
  if (place.kind == ND_MEM_FILE)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "device", "a file is mapped by nd.mmap, not wrapped");
  if (place.kind == ND_MEM_MANAGED || place.kind == ND_MEM_PINNED)
    ndb_fail(L, S, ND_UNSUPPORTED, "device", "wrap it as memory of cpu, or of cuda:n");
  nd_resource_drop(ndb_open_place(L, S, name, false));
  return place;
}

static nd_status wrap_memory(const nd_place *place, void *at, size_t bytes, void *stream,
                             void *anchor, nd_resource **out, nd_error *err) {
  if (place->kind == ND_MEM_DEVICE)
    return nd_cuda_foreign(place->ordinal, at, bytes, stream, ndb_anchor_release, anchor, out, err);
  if (at && nd_cuda_is_hidden(at))
    return nd_fail(err, ND_INVALID_ARGUMENT,
                   "pointer: it is an address of a GPU; say so by {device = \"cuda:n\"}");
  return nd_foreign_resource(at, bytes, ndb_anchor_release, anchor, out, err);
}

static int file_wrap(lua_State *L, ndb_state *S) {
  static const char *const known[] = {"owner", "readonly", "device", "stream", NULL};
  int64_t shape[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM], room, bytes = 0;
  int options;
  nd_resource *resource = NULL;
  nd_view out;
  nd_error err;
  void *at = ndb_check_pointer(L, S, 1, "pointer", &room);
  const nd_dtype dtype = ndb_check_dtype(L, S, 2, "dtype");
  const int ndim = ndb_check_shape(L, S, 3, "shape", false, shape, &options);
  ndb_end_arguments(L, S, options);
  ndb_check_options(L, S, options, known);
  ndb_get_option(L, options, "readonly");
  const bool read_only = ndb_opt_boolean(L, S, -1, "readonly", false);
  nd_place place = {.kind = ND_MEM_HOST};
  if (ndb_get_option(L, options, "device")) place = check_wrap_device(L, S);
  void *stream = ndb_opt_stream(L, S, options, place.kind == ND_MEM_DEVICE);
  ndb_to_sizes(ndim, shape, sizes);
  if (!ndi_size_of(ndim, sizes, nd_dtype_get(dtype)->bytes, &bytes))
    ndb_fail(L, S, ND_OVERFLOW, "shape", "the product of the extents overflows");
  ndb_check_room(L, S, "pointer", room, bytes);
  if (!ndb_get_option(L, options, "owner"))
    lua_pushvalue(L, 1); /* at least the pointer's own cdata */
  void *anchor = ndb_anchor(L, S, -1);
  nd_status status = wrap_memory(&place, at, bytes, stream, anchor, &resource, &err);
  if (status != ND_OK) ndb_anchor_release(anchor);
  ndb_check(L, S, status, &err);
  status = view_all(resource, bytes, read_only, dtype, ndim, sizes, &out, &err);
  nd_resource_drop(resource);
  return ndb_push_made(L, S, status, &out, &err);
}

/* {=== mmap ===} */

static int read_choice(lua_State *L, ndb_state *S, int options, const char *name,
                       const char *const *names) {
  int i = 0;
  if (ndb_get_option(L, options, name)) {
    const char *text = ndb_check_string(L, S, -1, name, NULL);
    while (names[i] && strcmp(names[i], text) != 0) i++;
    char known[80] = "";
    for (int k = 0; names[k]; k++)
      snprintf(known + strlen(known), sizeof known - strlen(known), " %s", names[k]);
    if (!names[i])
      ndb_fail(L, S, ND_INVALID_ARGUMENT, name, "there is no \"%.40s\"; known are%s", text, known);
  }
  lua_pop(L, 1);
  return i;
}

static nd_map_options read_map_options(lua_State *L, ndb_state *S, int arg) {
  static const char *const known[] = {"offset", "mode", "advice", NULL};
  static const char *const modes[] = {"r", "r+", "c", NULL}; /* the order of nd_map_mode */
  static const char *const advices[] = {"normal",   "sequential", "random",
                                        "willneed", "huge",       NULL}; /* of nd_advice */
  nd_map_options out = {0};
  ndb_check_options(L, S, arg, known);
  out.mode = (nd_map_mode)read_choice(L, S, arg, "mode", modes);
  out.advice = (nd_advice)read_choice(L, S, arg, "advice", advices);
  if (ndb_get_option(L, arg, "offset")) out.offset = ndb_check_size(L, S, -1, "offset");
  lua_pop(L, 1);
  return out;
}

/* The shape of all that is there: 1-D, as many whole elements as the file has from the offset on.
 */
static nd_status whole_file(const nd_resource *file, nd_dtype dtype, size_t *count, nd_error *err) {
  const size_t item = nd_dtype_get(dtype)->bytes, bytes = nd_file_resource_bytes(file);
  *count = bytes / item;
  if (bytes % item == 0) return ND_OK;
  return nd_fail_with(err, ND_SIZE_MISMATCH,
                      ND_NUMBERS({"actual", (int64_t)bytes}, {"expected", (int64_t)item}),
                      "mmap %s: %zu B are no multiple of %s's %zu; name the shape",
                      nd_file_resource_path(file), bytes, nd_dtype_get(dtype)->name, item);
}

static nd_status map_file(const char *path, const nd_map_options *options, nd_dtype dtype, int ndim,
                          size_t *shape, nd_view *out, nd_error *err) {
  nd_resource *file;
  size_t bytes = 0;
  ND_TRY(nd_file_resource(path, options, &file, err));
  nd_status status = ndim < 0 ? whole_file(file, dtype, shape, err) : ND_OK;
  if (ndim < 0) ndim = 1;
  if (status == ND_OK && !ndi_size_of(ndim, shape, nd_dtype_get(dtype)->bytes, &bytes))
    status = nd_fail(err, ND_OVERFLOW, "mmap: the product of the extents overflows");
  if (status == ND_OK)
    status = view_all(file, bytes, options->mode == ND_MAP_READ, dtype, ndim, shape, out, err);
  nd_resource_drop(file);
  return status;
}

static int file_mmap(lua_State *L, ndb_state *S) {
  int64_t shape[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM];
  int next = 2, ndim = -1;
  nd_view out;
  nd_error err;
  const char *path = ndb_check_path(L, S, 1, "path");
  nd_dtype dtype = ND_U8;
  if (!lua_isnoneornil(L, 2) && !ndb_is_options(L, 2))
    dtype = ndb_check_dtype(L, S, 2, "dtype"), next = 3;
  if (!lua_isnoneornil(L, next) && !ndb_is_options(L, next))
    ndim = ndb_check_shape(L, S, next, "shape", false, shape, &next);
  else if (lua_isnil(L, next)) next++;
  ndb_end_arguments(L, S, next);
  const nd_map_options options = read_map_options(L, S, next);
  if (ndim >= 0) ndb_to_sizes(ndim, shape, sizes);
  return ndb_push_made(L, S, map_file(path, &options, dtype, ndim, sizes, &out, &err), &out, &err);
}

/* {=== load and save ===} */

/* Formats of samples carry their rate. */
static const struct {
  const char *extension;
  nd_status (*load)(const char *path, bool map, nd_view *out, nd_error *err);
  nd_status (*save)(const char *path, const nd_view *src, nd_error *err);
  nd_status (*load_rated)(const char *path, bool map, nd_view *out, uint32_t *rate, nd_error *err);
  nd_status (*save_rated)(const char *path, const nd_view *src, uint32_t rate, nd_error *err);
} formats[] = {{".npy", nd_npy_load, nd_npy_save, NULL, NULL},
               {".pgm", nd_pnm_load, nd_pnm_save, NULL, NULL},
               {".ppm", nd_pnm_load, nd_pnm_save, NULL, NULL},
               {".wav", NULL, NULL, nd_wav_load, nd_wav_save}};

static size_t find_format(lua_State *L, ndb_state *S, const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  for (size_t i = 0; dot && i < ND_COUNTOF(formats); i++)
    if (strcasecmp(dot, formats[i].extension) == 0) return i;
  ndb_fail(L, S, ND_UNSUPPORTED, "path",
           "no format is known for \"%.200s\"; known are .npy .pgm .ppm .wav", path);
}

static int file_load(lua_State *L, ndb_state *S) {
  static const char *const known[] = {"mmap", NULL};
  const char *path = ndb_check_path(L, S, 1, "path");
  uint32_t rate = 0;
  nd_view out;
  nd_error err;
  lua_settop(L, 2);
  ndb_check_options(L, S, 2, known);
  ndb_get_option(L, 2, "mmap");
  const bool map = ndb_opt_boolean(L, S, -1, "mmap", false);
  const size_t i = find_format(L, S, path);
  const bool is_rated = formats[i].load_rated != NULL;
  ndb_check(L, S,
            is_rated ? formats[i].load_rated(path, map, &out, &rate, &err)
                     : formats[i].load(path, map, &out, &err),
            &err);
  ndb_push_view(L, S, &out);
  if (is_rated) lua_pushnumber(L, rate);
  return is_rated ? 2 : 1;
}

/* opts.rate, in Hz, for formats that have one; 44100 where it is not given. */
static uint32_t read_rate(lua_State *L, ndb_state *S, int options, bool is_rated) {
  if (!ndb_get_option(L, options, "rate")) return 44100;
  const int64_t rate = ndb_check_integer(L, S, -1, "rate");
  if (!is_rated) ndb_fail(L, S, ND_INVALID_ARGUMENT, "rate", "this format has no sample rate");
  if (rate < 1 || rate > UINT32_MAX)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "rate",
                  ND_NUMBERS({"value", rate}, {"limit", UINT32_MAX}),
                  "%lld Hz; the limits are 1 and %u", (long long)rate, UINT32_MAX);
  return (uint32_t)rate;
}

static int file_save(lua_State *L, ndb_state *S) {
  static const char *const known[] = {"rate", NULL};
  const char *path = ndb_check_path(L, S, 1, "path");
  nd_error err;
  lua_settop(L, 3);
  const size_t i = find_format(L, S, path);
  const nd_view *v = &ndb_check_array(L, S, 2, "array")->view;
  ndb_check_options(L, S, 3, known);
  const bool is_rated = formats[i].save_rated != NULL;
  const uint32_t rate = read_rate(L, S, 3, is_rated);
  ndb_check(L, S,
            is_rated ? formats[i].save_rated(path, v, rate, &err) : formats[i].save(path, v, &err),
            &err);
  return 0;
}

/* {=== records ===} field(bytes, offset, stride, count, dtype): what nd.records is made of. */

static int file_field(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_array(L, S, 1, "bytes")->view;
  nd_view out;
  nd_error err;
  const size_t offset = ndb_check_size(L, S, 2, "offset"),
               stride = ndb_check_size(L, S, 3, "stride");
  const size_t count = ndb_check_size(L, S, 4, "count");
  const nd_dtype dtype = ndb_check_dtype(L, S, 5, "dtype");
  if (!nd_view_is_contiguous(v))
    ndb_fail(L, S, ND_INVALID_VIEW, "bytes", "not contiguous; use :contiguous()");
  return ndb_push_made(L, S, nd_view_field(v, offset, stride, count, dtype, &out, &err), &out,
                       &err);
}

const ndb_reg ndb_file_functions[] = {{"wrap", file_wrap, NDB_ANY}, {"mmap", file_mmap, NDB_ANY},
                                      {"load", file_load, 2},       {"save", file_save, 3},
                                      {"field", file_field, 5},     {NULL, NULL, 0}};
