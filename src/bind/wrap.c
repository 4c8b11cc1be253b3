/* nd.wrap: foreign memory as an array. Nothing is copied; the option 'owner', a Lua value (by
 * default the pointer's cdata), is anchored until the last view of the memory is gone. */
#include "base/size.h"
#include "bind/bind.h"

/* The place of the memory, from the device at 'arg', which is opened, so that an absent one is
 * refused here. */
static nd_place check_wrap_device(lua_State *L, ndb_state *S, int arg) {
  const nd_place place = ndb_check_place(L, S, arg, "device");
  if (place.kind == ND_MEM_FILE)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "device",
             "expected cpu or cuda:n, got a file; use nd.mmap()");
  if (place.kind == ND_MEM_MANAGED || place.kind == ND_MEM_PINNED)
    ndb_fail(L, S, ND_UNSUPPORTED, "device", "expected cpu or cuda:n, got %.40s",
             ndb_to_device_name(L, S, arg));
  nd_resource_drop(ndb_open_resource(L, S, &place, false));
  return place;
}

/* Make a resource for the memory. It owns 'anchor' on success only. */
static nd_status wrap_memory(const nd_place *place, void *at, size_t bytes, void *stream,
                             void *anchor, nd_resource **out, nd_error *err) {
  const nd_foreign memory = {
      .at = at, .bytes = bytes, .stream = stream, .release = ndb_anchor_release, .owner = anchor};
  if (place->kind == ND_MEM_DEVICE) return nd_place_foreign(place, &memory, out, err);
  if (at && nd_is_hidden(at))
    return nd_fail(err, ND_INVALID_ARGUMENT,
                   "pointer: expected an address of host memory, got one of a GPU; use {device = "
                   "\"cuda:n\"}");
  return nd_foreign_resource(at, bytes, ndb_anchor_release, anchor, out, err);
}

static int module_wrap(lua_State *L, ndb_state *S) {
  const uint64_t known = NDB_BIT(OWNER) | NDB_BIT(READONLY) | NDB_BIT(DEVICE) |
                         NDB_BIT(FOREIGN_STREAM);
  int64_t shape[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM], room, bytes = 0;
  int next;
  ndb_options options;
  nd_resource *resource = NULL;
  nd_view out;
  nd_error err;
  void *at = ndb_check_pointer(L, S, 1, "pointer", &room);
  const nd_dtype dtype = ndb_check_dtype(L, S, 2, "dtype");
  const int ndim = ndb_check_shape(L, S, 3, "shape", false, shape, &next);
  ndb_read_options(L, S, next, known, &options);
  const bool read_only = ndb_option_boolean(L, S, &options, NDB_READONLY, false);
  nd_place place = {.kind = ND_MEM_HOST};
  if (options.at[NDB_DEVICE]) place = check_wrap_device(L, S, options.at[NDB_DEVICE]);
  void *stream = ndb_option_stream(L, S, &options, place.kind == ND_MEM_DEVICE);
  ndb_to_sizes(ndim, shape, sizes);
  /* before the room is compared: a product that wrapped around would fit */
  if (!ndi_size_of(ndim, sizes, nd_dtype_get(dtype)->bytes, &bytes))
    ndb_fail(L, S, ND_OVERFLOW, "shape", "the product of the extents overflows");
  ndb_check_room(L, S, "pointer", room, bytes);
  const int owner = options.at[NDB_OWNER] ? options.at[NDB_OWNER] : 1; /* the pointer's cdata */
  /* from here on nothing may raise until a resource owns the anchor, or it was released */
  void *anchor = ndb_anchor(L, S, owner);
  nd_status status = wrap_memory(&place, at, bytes, stream, anchor, &resource, &err);
  if (status == ND_OK) resource->is_lent = true;
  else ndb_anchor_release(anchor);
  ndb_check(L, S, status, &err);
  const nd_storage_options storage = {.read_only = read_only};
  status = nd_new(resource, dtype, ndim, sizes, storage, &out, &err);
  /* if there is no storage, this is the last reference, and the anchor is released */
  nd_resource_drop(resource);
  return ndb_push_made(L, S, status, &out, &err);
}

const ndb_reg ndb_wrap_functions[] = {{"wrap", module_wrap, NDB_ANY}, {NULL, NULL, 0}};
