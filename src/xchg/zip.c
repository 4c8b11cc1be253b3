/* Reading ZIP archives. What counts is the directory at the end; the local header before a member's
 * data says only where that begins. Every number is checked against the file before it is used. */
#include "xchg/zip.h"

#include <stdlib.h>
#include <string.h>

#include "xchg/zip_record.h"

enum { COMMENT_MOST = 65535, LITTLE = 1024 };
enum { ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13, PATCH = 1 << 5 }; /* flags */

static uint32_t get(const void *at, int bytes) {
  const unsigned char *p = at;
  uint32_t value = 0;
  for (int i = 0; i < bytes; i++) value |= (uint32_t)p[i] << 8 * i;
  return value;
}
static uint32_t get16(const void *at) { return get(at, 2); }
static uint32_t get32(const void *at) { return get(at, 4); }
static uint64_t get64(const void *at) {
  return get32(at) | (uint64_t)get32((const char *)at + 4) << 32;
}

static nd_status fail_at(size_t offset, const char *what, nd_error *err) {
  return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)offset}),
                      "expected %s at offset %zu", what, offset);
}

static nd_status fail_member(const ndi_zip_member *m, nd_status code, const char *what,
                             nd_error *err) {
  return nd_fail_with(err, code, ND_NUMBERS({"offset", (int64_t)m->header}), "member \"%.80s\": %s",
                      m->name, what);
}

/* {=== the end ===} */

typedef struct {
  size_t offset, bytes; /* of the directory */
  uint64_t count;       /* of its entries */
} place;

/* Is the end record there, with only its comment behind it to the end? */
static bool is_end(const char *tail, size_t at, size_t bytes) {
  return get32(tail + at) == NDI_ZIP_END_MARK && at + NDI_ZIP_END + get16(tail + at + 20) == bytes;
}

static nd_status fail_end(const ndi_infile *file, nd_error *err) {
  return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"actual", (int64_t)file->bytes}),
                      "the end record of a ZIP archive is not in its %zu B: it is none, or cut off",
                      file->bytes);
}

/* Look for the last record in the last 'bytes' of the file, which are read to 'tail'; '*at' is
 * where it is in them, if '*found'. */
static nd_status find_end(const ndi_infile *file, size_t bytes, char *tail, size_t *at, bool *found,
                          nd_error *err) {
  ND_TRY(ndi_infile_read(file, file->bytes - bytes, tail, bytes, err));
  *at = bytes - NDI_ZIP_END;
  while (*at > 0 && !is_end(tail, *at, bytes)) --*at;
  *found = is_end(tail, *at, bytes);
  return ND_OK;
}

/* The last record, and its offset: only a comment may follow, to the end of the file. Most archives
 * have none, or a short one. */
static nd_status read_end(const ndi_infile *file, char end[NDI_ZIP_END], size_t *offset,
                          nd_error *err) {
  const size_t most = NDI_ZIP_END + COMMENT_MOST;
  const size_t whole = file->bytes < most ? file->bytes : most;
  char little[LITTLE], *tail = little;
  size_t bytes = whole < LITTLE ? whole : LITTLE, at;
  bool found = false;
  if (whole < NDI_ZIP_END) return fail_end(file, err);
  nd_status status = find_end(file, bytes, tail, &at, &found, err);
  if (status == ND_OK && !found && bytes < whole) {
    tail = malloc(bytes = whole);
    if (!tail) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory to read %zu B", bytes);
    status = find_end(file, bytes, tail, &at, &found, err);
  }
  if (status == ND_OK && !found) status = fail_end(file, err);
  if (status == ND_OK) memcpy(end, tail + at, NDI_ZIP_END);
  if (status == ND_OK) *offset = file->bytes - bytes + at;
  if (tail != little) free(tail);
  return status;
}

/* The record that takes the place of the other, where there is one, which the locator before the
 * other says; then '*end' is moved to it. */
static nd_status read_end64(const ndi_infile *file, size_t *end, place *out, bool *is_there,
                            nd_error *err) {
  char locator[NDI_ZIP_LOCATOR], record[NDI_ZIP_END64];
  *is_there = false;
  if (*end < NDI_ZIP_LOCATOR + NDI_ZIP_END64) return ND_OK;
  ND_TRY(ndi_infile_read(file, *end - NDI_ZIP_LOCATOR, locator, sizeof locator, err));
  const uint64_t at = get64(locator + 8);
  if (get32(locator) != NDI_ZIP_LOCATOR_MARK) return ND_OK;
  *is_there = true;
  if (at > *end - NDI_ZIP_LOCATOR - NDI_ZIP_END64)
    return fail_at(*end - NDI_ZIP_LOCATOR + 8, "the offset of a ZIP64 end record before it", err);
  ND_TRY(ndi_infile_read(file, (size_t)at, record, sizeof record, err));
  if (get32(record) != NDI_ZIP_END64_MARK) return fail_at((size_t)at, "a ZIP64 end record", err);
  if (get32(record + 16) || get32(record + 20) || get64(record + 24) != get64(record + 32))
    return nd_fail(err, ND_UNSUPPORTED, "a ZIP archive of several parts");
  *out = (place){.count = get64(record + 32),
                 .bytes = (size_t)get64(record + 40),
                 .offset = (size_t)get64(record + 48)};
  *end = (size_t)at;
  return ND_OK;
}

static nd_status find_directory(const ndi_infile *file, place *out, nd_error *err) {
  char record[NDI_ZIP_END];
  size_t end = 0;
  bool is_64;
  ND_TRY(read_end(file, record, &end, err));
  *out = (place){
      .count = get16(record + 10), .bytes = get32(record + 12), .offset = get32(record + 16)};
  const bool has_parts = get16(record + 4) || get16(record + 6) || get16(record + 8) != out->count;
  ND_TRY(read_end64(file, &end, out, &is_64, err));
  if (has_parts && !is_64) return nd_fail(err, ND_UNSUPPORTED, "a ZIP archive of several parts");
  if (out->offset > end || out->bytes > end - out->offset)
    return fail_at(end, "a directory before it, within the file", err);
  if (out->count > out->bytes / NDI_ZIP_CENTRAL)
    return fail_at(end, "as many entries as the directory has room for", err);
  return ND_OK;
}

/* {=== the directory ===} */

/* The numbers for which the entry has no room: they are in an extra field, in this order. */
static bool read_zip64(const char *extra, size_t bytes, ndi_zip_member *m) {
  size_t *const large[] = {&m->bytes, &m->packed, &m->header};
  while (bytes >= 4) {
    const size_t length = get16(extra + 2);
    if (length > bytes - 4) return false;
    if (get16(extra) == NDI_ZIP_ID64) {
      size_t at = 0;
      for (size_t i = 0; i < ND_COUNTOF(large); i++) {
        if (*large[i] != UINT32_MAX) continue;
        if (length - at < 8) return false;
        *large[i] = (size_t)get64(extra + 4 + at);
        at += 8;
      }
      return true;
    }
    extra += 4 + length, bytes -= 4 + length;
  }
  return m->bytes != UINT32_MAX && m->packed != UINT32_MAX && m->header != UINT32_MAX;
}

/* The entry at '*at', which is moved behind it. Its name is not terminated yet: its length is in
 * 'data' for now. */
static nd_status read_entry(char *directory, const place *p, size_t *at, ndi_zip_member *out,
                            nd_error *err) {
  char *entry = directory + *at;
  const size_t offset = p->offset + *at, left = p->bytes - *at;
  if (left < NDI_ZIP_CENTRAL || get32(entry) != NDI_ZIP_CENTRAL_MARK)
    return fail_at(offset, "an entry of the directory", err);
  const size_t name = get16(entry + 28), extra = get16(entry + 30), comment = get16(entry + 32);
  if (name + extra + comment > left - NDI_ZIP_CENTRAL)
    return fail_at(offset, "an entry that ends within the directory", err);
  const uint32_t flags = get16(entry + 8);
  *out = (ndi_zip_member){.name = entry + NDI_ZIP_CENTRAL,
                          .method = (nd_zip_method)get16(entry + 10),
                          .is_encrypted = flags & ENCRYPTED,
                          .is_patch = flags & PATCH,
                          .needs = (unsigned char)entry[6],
                          .crc = get32(entry + 16),
                          .packed = get32(entry + 20),
                          .bytes = get32(entry + 24),
                          .header = get32(entry + 42),
                          .data = name};
  if (memchr(out->name, 0, name))
    return fail_at(offset + NDI_ZIP_CENTRAL, "a name without a 0 byte", err);
  if (!read_zip64(entry + NDI_ZIP_CENTRAL + name, extra, out))
    return fail_at(offset + NDI_ZIP_CENTRAL + name, "the sizes of a ZIP64 member", err);
  *at += NDI_ZIP_CENTRAL + name + extra + comment;
  return ND_OK;
}

static nd_status read_entries(const place *p, ndi_zip *z, nd_error *err) {
  size_t at = 0;
  for (; z->count < p->count; z->count++)
    ND_TRY(read_entry(z->memory, p, &at, &z->members[z->count], err));
  if (at != p->bytes) return fail_at(p->offset + at, "the end of the directory", err);
  /* only now: the 0 overwrites what follows the name */
  for (size_t i = 0; i < z->count; i++)
    ((char *)(uintptr_t)z->members[i].name)[z->members[i].data] = 0;
  return ND_OK;
}

/* {=== the members ===} */

static int by_header(const void *a, const void *b) {
  const ndi_zip_member *x = a, *y = b;
  return x->header < y->header ? -1 : x->header > y->header;
}

static int by_name(const void *a, const void *b) {
  const ndi_zip_member *const *x = a, *const *y = b;
  return strcmp((*x)->name, (*y)->name);
}

/* Find the data of a member, which has to end before 'limit'. */
static nd_status find_data(const ndi_infile *file, ndi_zip_member *m, size_t limit, nd_error *err) {
  char local[NDI_ZIP_LOCAL + 256];
  const size_t name = strlen(m->name), read = NDI_ZIP_LOCAL + (name < 256 ? name : 256);
  if (m->header > limit || limit - m->header < NDI_ZIP_LOCAL + name)
    return fail_member(m, ND_FORMAT, "it overlaps what follows, or is not within the file", err);
  ND_TRY(ndi_infile_read(file, m->header, local, read, err));
  if (get32(local) != NDI_ZIP_LOCAL_MARK)
    return fail_member(m, ND_FORMAT, "there is no header where the directory says", err);
  if (get16(local + 26) != name ||
      memcmp(local + NDI_ZIP_LOCAL, m->name, read - NDI_ZIP_LOCAL) != 0)
    return fail_member(m, ND_FORMAT, "its own header has another name", err);
  if (get16(local + 8) != (uint32_t)m->method)
    return fail_member(m, ND_FORMAT, "its own header has another method", err);
  m->data = m->header + NDI_ZIP_LOCAL + name + get16(local + 28);
  if (m->data > limit || m->packed > limit - m->data)
    return fail_member(m, ND_FORMAT, "it overlaps what follows, or is not within the file", err);
  if (m->method == ND_ZIP_STORED && m->packed != m->bytes)
    return fail_member(m, ND_FORMAT, "it is stored, with two sizes", err);
  return ND_OK;
}

static nd_status check_names(const ndi_zip *z, nd_error *err) {
  const ndi_zip_member **sorted = malloc((z->count + 1) * sizeof *sorted);
  if (!sorted) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a list of members");
  for (size_t i = 0; i < z->count; i++) sorted[i] = &z->members[i];
  qsort(sorted, z->count, sizeof *sorted, by_name);
  nd_status status = ND_OK;
  for (size_t i = 1; i < z->count && status == ND_OK; i++)
    if (strcmp(sorted[i]->name, sorted[i - 1]->name) == 0)
      status = fail_member(sorted[i], ND_FORMAT, "two members have this name", err);
  free(sorted);
  return status;
}

static nd_status read_directory(const ndi_infile *file, const place *p, ndi_zip *z, nd_error *err) {
  z->memory = malloc(p->bytes + 1);
  z->members = malloc(((size_t)p->count + 1) * sizeof *z->members);
  if (!z->memory || !z->members)
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a directory of %zu B", p->bytes);
  ND_TRY(ndi_infile_read(file, p->offset, z->memory, p->bytes, err));
  ND_TRY(read_entries(p, z, err));
  ND_TRY(check_names(z, err));
  qsort(z->members, z->count, sizeof *z->members, by_header);
  for (size_t i = 0; i < z->count; i++) {
    const size_t next = i + 1 < z->count ? z->members[i + 1].header : p->offset;
    ND_TRY(find_data(file, &z->members[i], next < p->offset ? next : p->offset, err));
  }
  return ND_OK;
}

nd_status ndi_zip_open(const ndi_infile *file, ndi_zip *out, nd_error *err) {
  place p;
  ndi_zip z = {0};
  ND_TRY(find_directory(file, &p, err));
  const nd_status status = read_directory(file, &p, &z, err);
  if (status == ND_OK) *out = z;
  else ndi_zip_free(&z);
  return status;
}

void ndi_zip_free(ndi_zip *self) {
  free(self->members);
  free(self->memory);
}
