/* Places: the names that scripts give to kinds of memory. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "dev/cuda.h"

/* Text before an optional ':', the kind, and whether a number may follow. */
static const struct {
  const char *name;
  nd_memkind kind;
  bool has_ordinal;
} kinds[] = {{"cpu", ND_MEM_HOST, false},       {"pinned", ND_MEM_PINNED, false},
             {"cuda", ND_MEM_DEVICE, true},     {"gpu", ND_MEM_DEVICE, true},
             {"managed", ND_MEM_MANAGED, true}, {"unified", ND_MEM_MANAGED, true},
             {"disk", ND_MEM_FILE, false}};

static nd_status fail_place(const char *text, const char *why, nd_error *err) {
  return nd_fail(err, ND_INVALID_ARGUMENT,
                 "device \"%.80s\": %s (cpu, pinned, cuda[:n], managed[:n], disk:PATH are known)",
                 text, why);
}

static nd_status parse_ordinal(const char *text, const char *digits, int *out, nd_error *err) {
  int value = 0;
  if (!*digits) return fail_place(text, "a number is missing after ':'", err);
  for (; *digits; digits++) {
    if (*digits < '0' || *digits > '9')
      return fail_place(text, "a number is expected after ':'", err);
    value = value * 10 + (*digits - '0');
    if (value > 9999) return fail_place(text, "the largest number is 9999", err);
  }
  *out = value;
  return ND_OK;
}

nd_status nd_place_parse(const char *text, nd_place *out, nd_error *err) {
  const char *colon = strchr(text, ':');
  const size_t length = colon ? (size_t)(colon - text) : strlen(text);
  for (size_t i = 0; i < ND_COUNTOF(kinds); i++) {
    if (strlen(kinds[i].name) != length || strncasecmp(text, kinds[i].name, length) != 0) continue;
    nd_place place = {.kind = kinds[i].kind};
    if (place.kind == ND_MEM_FILE) {
      if (!colon || !colon[1]) return fail_place(text, "a path is missing after disk:", err);
      place.path = colon + 1;
    } else if (colon && !kinds[i].has_ordinal) {
      return fail_place(text, "nothing may follow the name", err);
    } else if (colon) {
      ND_TRY(parse_ordinal(text, colon + 1, &place.ordinal, err));
    }
    *out = place;
    return ND_OK;
  }
  return fail_place(text, "no such device", err);
}

nd_status nd_place_resource(const nd_place *place, bool overwrite, nd_resource **out,
                            nd_error *err) {
  const nd_map_options options = {.mode = ND_MAP_CREATE, .overwrite = overwrite};
  switch (place->kind) {
    case ND_MEM_HOST: *out = nd_resource_hold(nd_host_resource()); return ND_OK;
    case ND_MEM_FILE: return nd_file_resource(place->path, &options, out, err);
    default: return nd_cuda_resource(place->kind, place->ordinal, out, err);
  }
}

const char *nd_place_text(const nd_place *place, char *text, size_t bytes) {
  switch (place->kind) {
    case ND_MEM_FILE: snprintf(text, bytes, "disk:%s", place->path); break;
    case ND_MEM_PINNED: snprintf(text, bytes, "pinned"); break;
    case ND_MEM_DEVICE: snprintf(text, bytes, "cuda:%d", place->ordinal); break;
    case ND_MEM_MANAGED: snprintf(text, bytes, "managed:%d", place->ordinal); break;
    default: snprintf(text, bytes, "cpu");
  }
  return text;
}

const char *nd_storage_place(const nd_storage *storage, char *text, size_t bytes) {
  const nd_resource *from = storage->resource;
  const nd_device *device = nd_device_get(from->device);
  nd_place place = {.kind = storage->kind, .ordinal = device->ordinal};
  if (place.kind == ND_MEM_FILE) place.path = nd_file_resource_path(from);
  if (place.kind == ND_MEM_FOREIGN && device != nd_host_device()) place.kind = ND_MEM_DEVICE;
  return nd_place_text(&place, text, bytes);
}
