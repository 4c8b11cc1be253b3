/* nd.mmap: files as arrays, without reading them. The arguments after the path are all optional and
 * told apart by their types: dtype, shape, options. */
#include "base/size.h"
#include "bind/bind.h"

static nd_map_options read_map_options(lua_State *L, ndb_state *S, int arg) {
  static const char *const modes[] = {"r", "r+", "c", NULL}; /* the order of nd_map_mode */
  static const char *const advices[] = {"normal",   "sequential", "random",
                                        "willneed", "huge",       NULL}; /* of nd_advice */
  nd_map_options out = {0};
  ndb_options options;
  ndb_read_options(L, S, arg, NDB_BIT(OFFSET) | NDB_BIT(MODE) | NDB_BIT(ADVICE), &options);
  out.mode = (nd_map_mode)ndb_option_choice(L, S, &options, NDB_MODE, modes);
  out.advice = (nd_advice)ndb_option_choice(L, S, &options, NDB_ADVICE, advices);
  if (options.at[NDB_OFFSET]) out.offset = ndb_check_size(L, S, options.at[NDB_OFFSET], "offset");
  return out;
}

/* The extent for a file without a given shape: its elements from the offset on, 1-D.
 * ND_SIZE_MISMATCH when part of an element is left. */
static nd_status whole_file(const nd_resource *file, nd_dtype dtype, size_t *count, nd_error *err) {
  const size_t item = nd_dtype_get(dtype)->bytes, bytes = nd_file_resource_bytes(file);
  *count = bytes / item;
  if (bytes % item == 0) return ND_OK;
  return nd_fail_with(err, ND_SIZE_MISMATCH,
                      ND_NUMBERS({"actual", (int64_t)bytes}, {"expected", (int64_t)item}),
                      "mmap %s: %zu B are not a multiple of the item size of %s, %zu; give a shape",
                      nd_file_resource_path(file), bytes, nd_dtype_get(dtype)->name, item);
}

/* Make 'out' an array of the file. 'ndim' -1: no shape was given, and shape[0] receives the extent.
 * The new storage has a reference to the resource; if none was made, the drop closes the file. */
static nd_status map_file(const char *path, const nd_map_options *options, nd_dtype dtype, int ndim,
                          size_t *shape, nd_view *out, nd_error *err) {
  nd_resource *file;
  size_t bytes = 0;
  ND_TRY(nd_file_resource(path, options, &file, err));
  nd_status status = ndim < 0 ? whole_file(file, dtype, shape, err) : ND_OK;
  if (ndim < 0) ndim = 1;
  if (status == ND_OK && !ndi_size_of(ndim, shape, nd_dtype_get(dtype)->bytes, &bytes))
    status = nd_fail(err, ND_OVERFLOW, "mmap: the product of the extents overflows");
  const nd_storage_options storage = {.read_only = options->mode == ND_MAP_READ};
  if (status == ND_OK) status = nd_new(file, dtype, ndim, shape, storage, out, err);
  nd_resource_drop(file);
  return status;
}

static int module_mmap(lua_State *L, ndb_state *S) {
  int64_t shape[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM];
  int next = 2, ndim = -1;
  nd_view out;
  nd_error err;
  const char *path = ndb_check_path(L, S, 1, "path");
  nd_dtype dtype = ND_U8;
  if (lua_isnil(L, 2)) next = 3;
  else if (!lua_isnone(L, 2) && !ndb_is_options(L, 2))
    dtype = ndb_check_dtype(L, S, 2, "dtype"), next = 3;
  /* 'next' is the first argument that is not read yet */
  if (!lua_isnoneornil(L, next) && !ndb_is_options(L, next))
    ndim = ndb_check_shape(L, S, next, "shape", false, shape, &next);
  else if (lua_isnil(L, next)) next++;
  const nd_map_options options = read_map_options(L, S, next);
  if (ndim >= 0) ndb_to_sizes(ndim, shape, sizes);
  return ndb_push_made(L, S, map_file(path, &options, dtype, ndim, sizes, &out, &err), &out, &err);
}

const ndb_reg ndb_map_functions[] = {{"mmap", module_mmap, NDB_ANY}, {NULL, NULL, 0}};
