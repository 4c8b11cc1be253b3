/* The host device, and the two backends that use it: "cpu" for memory, "disk" for mapped files. */
#include "dev/backend.h"
#include "dev/host/fft_plans.h"
#include "dev/host/host.h"
#include "dev/threads.h"
#include "mem/file.h"
#include "mem/host.h"

extern const nd_backend nd_host_backend, nd_file_backend;

/* Its number, 0, is not registered: nd_device_get returns this device for it. So the host device
 * exists before anything is registered. */
nd_device *nd_host_device(void) {
  static const nd_device_ops ops = {
      .copy = ndi_host_copy, .run = ndi_host_run, .can = ndi_host_can};
  static nd_device host = {.ops = &ops, .name = "cpu", .backend = &nd_host_backend};
  return &host;
}

/* {=== the rows ===} Both have the one device. Neither needs a driver, so opening cannot fail.
 * Closing ends the threads that
 * help, and frees plans. */

static nd_status open_host(nd_backend_facts *out, nd_error *err) {
  (void)err;
  *out = (nd_backend_facts){.devices = 1};
  return ND_OK;
}

static nd_status get_device(int64_t ordinal, nd_device **out, nd_error *err) {
  (void)ordinal, (void)err;
  *out = nd_host_device();
  return ND_OK;
}

static nd_status get_memory(const nd_place *place, nd_place_options options, nd_resource **out,
                            nd_error *err) {
  (void)place, (void)options, (void)err;
  *out = nd_resource_hold(nd_host_resource());
  return ND_OK;
}

/* A place is where a new array is to be made: hence CREATE. To map an existing file, the caller
 * asks mem/file.h. */
static nd_status get_file(const nd_place *place, nd_place_options options, nd_resource **out,
                          nd_error *err) {
  const nd_map_options map = {.mode = ND_MAP_CREATE, .overwrite = options.overwrite};
  return nd_file_resource(place->path, &map, out, err);
}

static const nd_place_kind host_kinds[] = {{"cpu", NULL, ND_MEM_HOST, ND_SUFFIX_NONE, 1},
                                           {.name = NULL}};
static const nd_place_kind file_kinds[] = {{"disk", NULL, ND_MEM_FILE, ND_SUFFIX_PATH, 1},
                                           {.name = NULL}};

static void close_host(void) {
  ndi_helpers_free();
  ndi_fft_ways_free();
}

const nd_backend nd_host_backend = {.name = "cpu",
                                    .kinds = host_kinds,
                                    .open = open_host,
                                    .device = get_device,
                                    .resource = get_memory,
                                    .close = close_host};
const nd_backend nd_file_backend = {.name = "disk",
                                    .kinds = file_kinds,
                                    .open = open_host,
                                    .device = get_device,
                                    .resource = get_file};
