/* A new backend passes the contracts, is reached by its name, and what it does not have it refuses
 * by name. spec/bind/backend_spec.c reaches it from scripts. */
#include <stdlib.h>

#include "ndbuf.h"

#include "../contract/device.h"
#include "../contract/dummy_backend.h"
#include "../contract/resource.h"

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
