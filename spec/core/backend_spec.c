/* A backend in one file, registered by one line: memory that the host may not touch, copies, and
 * nothing else. It passes the contracts, is reached by its name, and what it refuses says so. */
#include <stdlib.h>

#include "mem/gauge.h"
#include "ndbuf.h"

#include "../contract/borrow.h"
#include "../contract/device.h"
#include "../contract/resource.h"

/* {=== the dummy backend ===} */

static ndi_counters counters;

static nd_status dummy_take(nd_resource *self, const nd_request *request, nd_block *out,
                            nd_error *err) {
  (void)self;
  const size_t bytes = (request->bytes + 63) & ~(size_t)63;
  void *at = NULL;
  if (request->bytes > SIZE_MAX / 4 || (bytes && (at = aligned_alloc(64, bytes)) == NULL))
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for %zu B", request->bytes);
  if (at) memset(at, request->zeroed ? 0 : 0xcc, bytes);
  out->ptr = at;
  out->granted = bytes;
  out->zeroed = request->zeroed;
  ndi_counters_take(&counters, bytes);
  return ND_OK;
}

static nd_status dummy_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                            nd_error *err) {
  (void)self, (void)after, (void)err;
  free(block->ptr);
  ndi_counters_give(&counters, block->granted);
  return ND_OK;
}

static void dummy_stats(nd_resource *self, nd_mem_stats *out) {
  (void)self;
  ndi_counters_read(&counters, out);
}

static nd_status dummy_copy(nd_device *self, const nd_view *dst, const nd_view *src,
                            nd_cast_mode mode, nd_error *err) {
  (void)self;
  nd_view to, from;
  ND_TRY(borrow_view(dst, &to, err));
  nd_status status = borrow_view(src, &from, err);
  if (status == ND_OK) {
    status = nd_device_copy(nd_host_device(), &to, &from, mode, err);
    nd_view_drop(&from);
  }
  nd_view_drop(&to);
  return status;
}

/* Copies that are checked need one operation. */
static bool dummy_can(nd_device *self, const nd_task *task) {
  (void)self;
  return task->op == ND_OP_CAST_CHECK;
}

static nd_status dummy_run(nd_device *self, const nd_task *task, nd_error *err) {
  (void)self;
  nd_task on_host = *task;
  nd_view from;
  ND_TRY(borrow_view(task->views[0], &from, err));
  on_host.views[0] = &from;
  const nd_status status = nd_device_run(nd_host_device(), &on_host, err);
  nd_view_drop(&from);
  return status;
}

static const nd_resource_ops memory_ops = {
    .name = "dummy", .take = dummy_take, .give = dummy_give, .stats = dummy_stats};
static nd_resource memory = {.ops = &memory_ops, .holds = 1, .kind = ND_MEM_DEVICE};

static const nd_device_ops device_ops = {.copy = dummy_copy, .run = dummy_run, .can = dummy_can};
static nd_device device; /* registered when it is opened */

static const nd_backend dummy_backend;

static nd_status dummy_open(nd_backend_facts *out, nd_error *err) {
  (void)err;
  *out = (nd_backend_facts){.devices = 1};
  return ND_OK;
}

static nd_status dummy_device(int64_t ordinal, nd_device **out, nd_error *err) {
  if (ordinal != 0) return nd_fail(err, ND_DEVICE_NOT_FOUND, "there is dummy:0 alone");
  if (!device.ops) {
    device = (nd_device){
        .ops = &device_ops, .name = "dummy:0", .backend = &dummy_backend, .memory = &memory};
    ND_TRY(nd_device_register(&device, err));
    memory.device = device.number;
  }
  *out = &device;
  return ND_OK;
}

static nd_status dummy_resource(const nd_place *place, nd_place_options options, nd_resource **out,
                                nd_error *err) {
  (void)options;
  nd_device *opened;
  ND_TRY(dummy_device(place->ordinal, &opened, err));
  *out = nd_resource_hold(&memory);
  return ND_OK;
}

static const nd_place_kind kinds[] = {{"dummy", "mock", ND_MEM_DEVICE, ND_SUFFIX_ORDINAL},
                                      {.name = NULL}};
static const nd_backend dummy_backend = {.name = "dummy",
                                         .kinds = kinds,
                                         .open = dummy_open,
                                         .device = dummy_device,
                                         .resource = dummy_resource};

/* {=== its place ===} */

static nd_place place_of(const char *name) {
  nd_place place;
  if (nd_place_parse(name, &place, NULL)) abort();
  return place;
}

static void spec_names(void) {
  group("dummy: its memory is reached by name, and has one");
  static const char *const names[] = {"dummy", "dummy:0", "Mock:0"};
  const size_t shape[] = {3};
  char text[32];
  nd_view v;
  for (size_t i = 0; i < ND_COUNTOF(names); i++) {
    const nd_place place = place_of(names[i]);
    nd_resource *from;
    CHECK(place.backend == &dummy_backend && place.kind == ND_MEM_DEVICE, "%s", names[i]);
    CHECK(strcmp(nd_place_text(&place, text, sizeof text), "dummy:0") == 0, "%s", text);
    CHECK(nd_place_resource(&place, (nd_place_options){0}, &from, NULL) == ND_OK, "resource");
    CHECK(nd_new(from, ND_F32, 1, shape, (nd_storage_options){0}, &v, NULL) == ND_OK, "an array");
    CHECK(strcmp(nd_storage_place(v.storage, text, sizeof text), "dummy:0") == 0, "%s", text);
    CHECK(nd_resource_place(from).backend == &dummy_backend, "the resource's place");
    nd_view_drop(&v);
    nd_resource_drop(from);
  }
}

static void spec_neighbours(void) {
  group("dummy: other backends keep their names, and errors list all of them");
  char text[32];
  nd_place place = {.kind = ND_MEM_DEVICE}; /* of the first backend that has the kind */
  nd_error err;
  CHECK(strcmp(nd_place_text(&place, text, sizeof text), "cuda:0") == 0, "%s", text);
  CHECK(nd_place_parse("nothing", &place, &err) == ND_INVALID_ARGUMENT, "nothing");
  CHECK(strstr(err.message, "(cpu, pinned, cuda[:n], managed[:n], disk:PATH, dummy[:n] are known)"),
        "%s", err.message);
  CHECK(nd_backend_find("dummy") == &dummy_backend && !nd_backend_find("none"), "find");
}

static void spec_refusals(void) {
  group("dummy: what it does not have is refused by name");
  const nd_place on = place_of("dummy"), gpu = place_of("cuda");
  const nd_foreign foreign = {.at = &counters, .bytes = 1};
  nd_resource *resource;
  nd_device *opened;
  nd_properties properties;
  nd_usage usage;
  nd_error err[8];
  const nd_place far = place_of("dummy:1");
  CHECK(nd_place_device(&far, &opened, &err[0]) == ND_DEVICE_NOT_FOUND, "device");
  CHECK(nd_place_properties(&on, &properties, &err[1]) == ND_UNSUPPORTED, "properties");
  CHECK(nd_place_usage(&on, &usage, &err[2]) == ND_UNSUPPORTED, "usage");
  CHECK(nd_place_peer(&on, &on, &err[3]) == ND_UNSUPPORTED, "peer");
  CHECK(nd_place_peer(&gpu, &on, &err[4]) == ND_UNSUPPORTED, "peer of another backend");
  CHECK(nd_place_foreign(&on, &foreign, &resource, &err[5]) == ND_UNSUPPORTED, "foreign");
  CHECK(nd_backend_pin(&dummy_backend, NULL, true, &err[6]) == ND_UNSUPPORTED, "pin");
  CHECK(nd_backend_pin(NULL, NULL, true, &err[7]) == ND_UNSUPPORTED, "pin, by none");
  for (int i = 0; i < 7; i++) CHECK(strstr(err[i].message, "dummy"), "%s", err[i].message);
  CHECK(nd_backend_open(NULL, &(nd_backend_facts){0}, &err[7]) == ND_DEVICE_NOT_FOUND, "none");
  CHECK(!nd_is_hidden(&counters), "hidden");
  nd_backend_configure(&dummy_backend, &(nd_backend_options){0});
}

static int64_t hinted = -2;

static nd_status note_hint(const nd_view *view, nd_page_hint hint, int64_t ordinal, nd_error *err) {
  (void)view, (void)hint, (void)err;
  hinted = ordinal;
  return ND_OK;
}

static void spec_hints(void) {
  group("dummy: hints about pages stay within a backend");
  nd_resource pages = {
      .ops = &memory_ops, .holds = 1, .kind = ND_MEM_MANAGED, .device = device.number};
  nd_backend hinting = dummy_backend;
  const nd_place host = place_of("cpu"), gpu = place_of("cuda"),
                 own = {.backend = &hinting, .kind = ND_MEM_DEVICE};
  const size_t shape[] = {3};
  nd_view v;
  nd_error err;
  if (nd_new(&pages, ND_U8, 1, shape, (nd_storage_options){0}, &v, NULL)) abort();
  CHECK(nd_place_hint(&host, &v, ND_PAGES_PREFETCH, &err) == ND_UNSUPPORTED, "without hints");
  CHECK(strcmp(err.message, "prefetch is not supported on dummy:0") == 0, "%s", err.message);
  hinting.hint = note_hint;
  device.backend = &hinting;
  CHECK(nd_place_hint(&gpu, &v, ND_PAGES_PREFERRED, &err) == ND_UNSUPPORTED, "another backend's");
  CHECK(strstr(err.message, "dummy:0 cannot be used by cuda:0"), "%s", err.message);
  CHECK(hinted == -2, "it was asked");
  CHECK(nd_place_hint(&host, &v, ND_PAGES_PREFERRED, NULL) == ND_OK && hinted == -1, "the host");
  CHECK(nd_place_hint(&own, &v, ND_PAGES_PREFERRED, NULL) == ND_OK && hinted == 0, "its own");
  device.backend = &dummy_backend;
  nd_view_drop(&v);
}

/* No backend can follow, as none can be taken back: the last group. */
static void spec_capacity(void) {
  group("backends are refused when there are too many");
  nd_error err;
  int count = 0;
  while (count < 1000 && nd_backend_register(&dummy_backend, &err) == ND_OK) count++;
  CHECK(count < 1000 && err.code == ND_CAPACITY, "%d", count);
  CHECK(!nd_backend_get(-1) && !nd_backend_get(1000), "get");
}

static nd_resource *make_dummy(size_t bytes) {
  const nd_place place = place_of("dummy:0");
  nd_resource *out;
  (void)bytes;
  if (nd_place_resource(&place, (nd_place_options){0}, &out, NULL)) abort();
  return out;
}

int main(void) {
  seed_from(20266);
  if (nd_init(NULL) || nd_backend_register(&dummy_backend, NULL)) return 2;
  const resource_case resource = {.name = "dummy",
                                  .make = make_dummy,
                                  .align = 64,
                                  .most_align = 64,
                                  .is_shared = true,
                                  .is_hidden = true};
  spec_names();
  spec_neighbours();
  spec_refusals();
  spec_hints();
  check_resource(&resource);
  const device_case copies = {.name = "dummy",
                              .device = &device,
                              .memory = &memory,
                              .lacks_some = true,
                              .is_hidden = true,
                              .lacks_kernels = true,
                              .only_copies = true};
  check_device(&copies);
  nd_backends_close();
  spec_capacity();
  return finish();
}
