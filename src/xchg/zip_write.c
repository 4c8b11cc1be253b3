/* Writing ZIP archives whose members are stored. Data begins at a multiple of 64 bytes, so that it
 * can be mapped and used in place: the room before it is an extra field, by which Android's tools
 * align data, and which readers pass over. The checksum is known last, and written into the local
 * header then. Times are the earliest there is: the same arrays give the same file. */
#include <stdlib.h>
#include <string.h>

#include "xchg/zip.h"
#include "xchg/zip_record.h"

enum { ALIGN = 64, IS_UTF8 = 1 << 11, AT_CRC = 14 };
enum { VERSION = 20, VERSION64 = 45, FIRST_DAY = 1 << 5 | 1 /* 1980-01-01 */, ON_UNIX = 3 << 8 };
#define MODE (UINT32_C(0100644) << 16)
#define NAME_MOST 65535

/* A record that is being filled. */
typedef struct {
  char bytes[NDI_ZIP_LOCAL + 20 + 6 + ALIGN + NDI_ZIP_CENTRAL + NDI_ZIP_END64];
  size_t used;
} record;

static void put(record *r, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) r->bytes[r->used++] = (char)(value >> 8 * i);
}
static void put16(record *r, uint32_t value) { put(r, value, 2); }
static void put32(record *r, uint32_t value) { put(r, value, 4); }
static void put64(record *r, uint64_t value) { put(r, value, 8); }

/* What a field of 32 bits has for a number: all ones where a ZIP64 field has the number. */
static uint32_t clip(uint64_t value) { return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX; }
static bool is_large(uint64_t value) { return value >= UINT32_MAX; }

/* What the local header and the entry of the directory have in common. */
static void put_common(record *r, bool is_64, uint32_t crc, size_t bytes, size_t name) {
  put16(r, is_64 ? VERSION64 : VERSION);
  put16(r, IS_UTF8);
  put16(r, ND_ZIP_STORED);
  put16(r, 0);
  put16(r, FIRST_DAY);
  put32(r, crc);
  put32(r, clip(bytes)), put32(r, clip(bytes));
  put16(r, (uint32_t)name);
}

nd_status ndi_zip_begin(ndi_zip_writer *self, const char *name, size_t bytes, nd_error *err) {
  record r = {.used = 0};
  const size_t length = strlen(name), extra64 = is_large(bytes) ? 20 : 0;
  if (length > NAME_MOST)
    return nd_fail_with(err, ND_CAPACITY,
                        ND_NUMBERS({"value", (int64_t)length}, {"limit", NAME_MOST}),
                        "a name of %zu B; the limit of the format is %d", length, NAME_MOST);
  self->header = self->file->bytes;
  const size_t unaligned = self->header + NDI_ZIP_LOCAL + length + extra64 + 6;
  const size_t zeros = (ALIGN - unaligned % ALIGN) % ALIGN;
  put32(&r, NDI_ZIP_LOCAL_MARK);
  put_common(&r, extra64 > 0, 0, bytes, length);
  put16(&r, (uint32_t)(extra64 + 6 + zeros));
  ND_TRY(ndi_outfile_write(self->file, r.bytes, r.used, err));
  ND_TRY(ndi_outfile_write(self->file, name, length, err));
  r = (record){.used = 0};
  if (extra64 > 0) put16(&r, NDI_ZIP_ID64), put16(&r, 16), put64(&r, bytes), put64(&r, bytes);
  put16(&r, NDI_ZIP_ID_ALIGNMENT), put16(&r, (uint32_t)(2 + zeros)), put16(&r, ALIGN);
  ND_TRY(ndi_outfile_write(self->file, r.bytes, r.used + zeros, err));
  self->file->crc = 0;
  return ND_OK;
}

static nd_status append(ndi_zip_writer *self, const void *from, size_t bytes, nd_error *err) {
  if (self->room - self->used < bytes) {
    const size_t room = 2 * (self->room + bytes);
    char *larger = realloc(self->directory, room);
    if (!larger) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a directory of %zu B", room);
    self->directory = larger, self->room = room;
  }
  memcpy(self->directory + self->used, from, bytes);
  self->used += bytes;
  return ND_OK;
}

nd_status ndi_zip_end(ndi_zip_writer *self, const char *name, size_t bytes, nd_error *err) {
  record r = {.used = 0}, extra = {.used = 0};
  const uint32_t crc = self->file->crc;
  const size_t length = strlen(name);
  const bool is_64 = is_large(bytes) || is_large(self->header);
  put32(&r, crc);
  ND_TRY(ndi_outfile_patch(self->file, self->header + AT_CRC, r.bytes, r.used, err));
  if (is_64) put16(&extra, NDI_ZIP_ID64), put16(&extra, 0);
  if (is_large(bytes)) put64(&extra, bytes), put64(&extra, bytes);
  if (is_large(self->header)) put64(&extra, self->header);
  if (is_64) extra.bytes[2] = (char)(extra.used - 4);
  r = (record){.used = 0};
  put32(&r, NDI_ZIP_CENTRAL_MARK);
  put16(&r, ON_UNIX | VERSION64);
  put_common(&r, is_64, crc, bytes, length);
  put16(&r, (uint32_t)extra.used);
  put16(&r, 0), put16(&r, 0), put16(&r, 0); /* comment, part, text or not */
  put32(&r, MODE), put32(&r, clip(self->header));
  self->count++;
  ND_TRY(append(self, r.bytes, r.used, err));
  ND_TRY(append(self, name, length, err));
  return append(self, extra.bytes, extra.used, err);
}

static void put_end64(record *r, const ndi_zip_writer *self, size_t start) {
  put32(r, NDI_ZIP_END64_MARK);
  put64(r, NDI_ZIP_END64 - 12);
  put16(r, ON_UNIX | VERSION64), put16(r, VERSION64);
  put32(r, 0), put32(r, 0); /* parts */
  put64(r, self->count), put64(r, self->count);
  put64(r, self->used), put64(r, start);
  put32(r, NDI_ZIP_LOCATOR_MARK);
  put32(r, 0);
  put64(r, start + self->used);
  put32(r, 1);
}

nd_status ndi_zip_finish(ndi_zip_writer *self, nd_error *err) {
  record r = {.used = 0};
  const size_t start = self->file->bytes;
  const uint32_t count = self->count < UINT16_MAX ? (uint32_t)self->count : UINT16_MAX;
  if (self->used > 0) ND_TRY(ndi_outfile_write(self->file, self->directory, self->used, err));
  if (count == UINT16_MAX || is_large(self->used) || is_large(start)) put_end64(&r, self, start);
  put32(&r, NDI_ZIP_END_MARK);
  put16(&r, 0), put16(&r, 0); /* parts */
  put16(&r, count), put16(&r, count);
  put32(&r, clip(self->used)), put32(&r, clip(start));
  put16(&r, 0); /* comment */
  return ndi_outfile_write(self->file, r.bytes, r.used, err);
}
