/* Places: parse and print the names of kinds of memory, and pass the calls that name a place on to
 * the backend behind it. No backend is named here; everything comes from the 'kinds' of the
 * registered ones. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "dev/backend.h"
#include "mem/file.h"
#include "mem/foreign.h"
#include "mem/host.h"

/* {=== the names ===} */

/* Iterator over all kinds of all backends, in the order of registration. Start with {0}; next_name
 * returns false at the end. */
typedef struct {
  int number;
  const nd_backend *backend;
  const nd_place_kind *kind;
} names;

/* 'number' is the index of the next backend; 'kind' walks along the rows of the current one. */
static bool next_name(names *n) {
  if (n->kind) n->kind++;
  while (!n->kind || !n->kind->name) {
    if ((n->backend = nd_backend_get(n->number++)) == NULL) return false;
    n->kind = n->backend->kinds;
  }
  return true;
}

/* For example "cpu, cuda[:n], disk:PATH". */
static void list_names(char *text, size_t bytes) {
  static const char *const suffixes[] = {"", "[:n]", ":PATH"};
  size_t used = 0;
  text[0] = '\0';
  /* snprintf returns what it would have written, so 'used' may pass the end: then the list is
   * cut */
  for (names n = {0}; next_name(&n) && used < bytes;)
    used += (size_t)snprintf(text + used, bytes - used, "%s%s%s", used ? ", " : "", n.kind->name,
                             suffixes[n.kind->suffix]);
}

/* 'why' is what is wrong with 'text'; the message adds the names that are known. */
static nd_status fail_place(const char *text, const char *why, nd_error *err) {
  char known[256];
  list_names(known, sizeof known);
  return nd_fail(err, ND_INVALID_ARGUMENT, "device \"%.80s\": %s (%s are known)", text, why, known);
}

static nd_status parse_ordinal(const char *text, const char *digits, int64_t *out, nd_error *err) {
  int value = 0;
  if (!*digits) return fail_place(text, "a number is missing after ':'", err);
  for (; *digits; digits++) {
    if (*digits < '0' || *digits > '9')
      return fail_place(text, "a number is expected after ':'", err);
    value = value * 10 + (*digits - '0');
    /* before the number can overflow */
    if (value > 9999) return fail_place(text, "the largest number is 9999", err);
  }
  *out = value;
  return ND_OK;
}

/* Are the first 'length' bytes of 'text' that name? NULL, a missing alias, is never named. */
static bool is_named(const char *name, const char *text, size_t length) {
  return name && strlen(name) == length && strncasecmp(text, name, length) == 0;
}

static nd_status fail_path(const char *text, const nd_place_kind *kind, nd_error *err) {
  char why[64];
  snprintf(why, sizeof why, "a path is missing after %s:", kind->name);
  return fail_place(text, why, err);
}

/* Parse what follows the name: 'colon' points to the ':', or is NULL where there is none. */
static nd_status parse_suffix(const char *text, const char *colon, const nd_place_kind *kind,
                              nd_place *out, nd_error *err) {
  switch (kind->suffix) {
    case ND_SUFFIX_NONE:
      return colon ? fail_place(text, "nothing may follow the name", err) : ND_OK;
    case ND_SUFFIX_ORDINAL:
      return colon ? parse_ordinal(text, colon + 1, &out->ordinal, err) : ND_OK;
    case ND_SUFFIX_PATH:
      if (!colon || !colon[1]) return fail_path(text, kind, err);
      out->path = colon + 1;
  }
  return ND_OK;
}

/* The name ends at the first ':'; a path may have more of them. */
nd_status nd_place_parse(const char *text, nd_place *out, nd_error *err) {
  const char *colon = strchr(text, ':');
  const size_t length = colon ? (size_t)(colon - text) : strlen(text);
  for (names n = {0}; next_name(&n);) {
    if (!is_named(n.kind->name, text, length) && !is_named(n.kind->alias, text, length)) continue;
    /* a local one, as '*out' is written on success only */
    nd_place place = {.backend = n.backend, .kind = n.kind->kind};
    ND_TRY(parse_suffix(text, colon, n.kind, &place, err));
    *out = place;
    return ND_OK;
  }
  return fail_place(text, "no such device", err);
}

/* {=== the name of a place ===} */

/* Find the row that names 'place': one of its own backend if there is one, else the first of any
 * backend, since host memory may come from another backend (pinned memory, files). Sets '*backend'
 * to the row's; NULL, with '*backend' unset, where no backend has this kind. */
static const nd_place_kind *find_kind(const nd_place *place, const nd_backend **backend) {
  const nd_backend *own = place->backend;
  const nd_place_kind *found = NULL;
  for (names n = {0}; next_name(&n);) {
    if (n.kind->kind != place->kind || (found && n.backend != own)) continue;
    found = n.kind;
    *backend = n.backend;
    if (n.backend == own) break;
  }
  return found;
}

const char *nd_place_text(const nd_place *place, char *text, size_t bytes) {
  const nd_backend *backend;
  const nd_place_kind *kind = find_kind(place, &backend);
  /* foreign memory of the host is of a kind that no backend has a row for */
  if (!kind) snprintf(text, bytes, "cpu");
  else if (kind->suffix == ND_SUFFIX_NONE) snprintf(text, bytes, "%s", kind->name);
  else if (kind->suffix == ND_SUFFIX_PATH) snprintf(text, bytes, "%s:%s", kind->name, place->path);
  else snprintf(text, bytes, "%s:%lld", kind->name, (long long)place->ordinal);
  return text;
}

nd_place nd_resource_place(const nd_resource *resource) {
  const nd_device *device = nd_device_get(resource->device);
  nd_place place = {.backend = device->backend, .kind = resource->kind, .ordinal = device->ordinal};
  /* 'backend' becomes that of the row, which may not be the device's: a file belongs to the host
   * device */
  const nd_place_kind *kind = find_kind(&place, &place.backend);
  if (kind && kind->suffix == ND_SUFFIX_PATH) place.path = nd_file_resource_path(resource);
  return place;
}

nd_place nd_place_of(const nd_storage *storage) {
  nd_place place = nd_resource_place(storage->resource);
  if (place.kind == storage->kind && place.kind != ND_MEM_FOREIGN) return place;
  place.kind = storage->kind;
  /* Foreign memory has no name of its own: it counts as that of its device. */
  if (place.kind == ND_MEM_FOREIGN)
    place.kind = storage->resource->device == nd_host_device()->number ? ND_MEM_HOST
                                                                       : ND_MEM_DEVICE;
  find_kind(&place, &place.backend);
  return place;
}

int nd_place_dlpack(const nd_place *place) {
  const nd_backend *backend;
  return find_kind(place, &backend)->dlpack;
}

bool nd_place_from_dlpack(int type, int64_t ordinal, nd_place *out) {
  for (names n = {0}; next_name(&n);) {
    if (n.kind->dlpack != type || n.kind->suffix == ND_SUFFIX_PATH) continue;
    *out = (nd_place){.backend = n.backend, .kind = n.kind->kind};
    if (n.kind->suffix == ND_SUFFIX_ORDINAL) out->ordinal = ordinal;
    return true;
  }
  return false;
}

const char *nd_storage_place(const nd_storage *storage, char *text, size_t bytes) {
  const nd_place place = nd_place_of(storage);
  return nd_place_text(&place, text, bytes);
}

/* {=== calls ===} */

/* For an optional function that the backend of 'place' lacks. */
static nd_status refuse(const nd_place *place, const char *what, nd_error *err) {
  char text[64];
  return nd_fail(err, ND_UNSUPPORTED, "%s is not supported on %s", what,
                 nd_place_text(place, text, sizeof text));
}

/* The backend whose functions serve 'place'. Without one of its own: the first with its kind, at
 * last the host, which is registered first. */
static const nd_backend *backend_of(const nd_place *place) {
  const nd_backend *backend = place->backend;
  if (!backend && !find_kind(place, &backend)) backend = nd_backend_get(0);
  return backend;
}

nd_status nd_place_device(const nd_place *place, nd_device **out, nd_error *err) {
  /* the other kinds are memory that the CPU works on, whichever backend they come from */
  if (place->kind != ND_MEM_DEVICE && place->kind != ND_MEM_MANAGED) {
    *out = nd_host_device();
    return ND_OK;
  }
  return backend_of(place)->device(place->ordinal, out, err);
}

nd_status nd_place_resource(const nd_place *place, nd_place_options options, nd_resource **out,
                            nd_error *err) {
  return backend_of(place)->resource(place, options, out, err);
}

nd_status nd_place_properties(const nd_place *place, nd_properties *out, nd_error *err) {
  const nd_backend *backend = backend_of(place);
  if (!backend->properties) return refuse(place, "asking for properties", err);
  return backend->properties(place->ordinal, out, err);
}

nd_status nd_place_usage(const nd_place *place, nd_usage *out, nd_error *err) {
  const nd_backend *backend = backend_of(place);
  if (!backend->usage) return refuse(place, "asking for memory in use", err);
  return backend->usage(place->ordinal, out, err);
}

nd_status nd_place_peer(const nd_place *from, const nd_place *to, nd_error *err) {
  const nd_backend *backend = backend_of(from);
  char text[2][64];
  if (!backend->peer || backend != backend_of(to))
    return nd_fail(err, ND_UNSUPPORTED, "%s cannot read the memory of %s",
                   nd_place_text(from, text[0], sizeof text[0]),
                   nd_place_text(to, text[1], sizeof text[1]));
  return backend->peer(from->ordinal, to->ordinal, err);
}

nd_status nd_place_foreign(const nd_place *place, const nd_foreign *memory, nd_resource **out,
                           nd_error *err) {
  const nd_backend *backend = backend_of(place);
  if (place->kind == ND_MEM_HOST)
    return nd_foreign_resource(memory->at, memory->bytes, memory->release, memory->owner, out, err);
  if (!backend->foreign) return refuse(place, "wrapping foreign memory", err);
  return backend->foreign(place, memory, out, err);
}

/* The backend that has the memory carries out the hint, for whichever place the pages are meant. */
nd_status nd_place_hint(const nd_place *to, const nd_view *view, nd_page_hint hint, nd_error *err) {
  char text[64];
  const char *what = hint == ND_PAGES_PREFETCH ? "prefetch" : "advise";
  const nd_device *device = nd_device_of(view);
  const bool is_host = to->kind == ND_MEM_HOST;
  if (view->storage->kind != ND_MEM_MANAGED)
    return nd_fail(err, ND_INVALID_ARGUMENT, "%s: expected an array in managed memory", what);
  if (!device->backend || !device->backend->hint)
    return nd_fail(err, ND_UNSUPPORTED, "%s is not supported on %s", what, device->name);
  if (!is_host && backend_of(to) != device->backend)
    return nd_fail(err, ND_UNSUPPORTED, "%s: the managed pages of %s cannot be used by %s", what,
                   device->name, nd_place_text(to, text, sizeof text));
  return device->backend->hint(view, hint, is_host ? -1 : to->ordinal, err);
}
