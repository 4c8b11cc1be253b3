/* NumPy's .npz files: a ZIP archive with an .npy file for each array. Members that are stored can
 * be mapped, all in one mapping; those that are compressed are unpacked into the array's memory.
 *
 * What a member claims to unpack to is bounded by what deflate can do, and what is allocated by its
 * .npy header; the checksum is compared for all but mapped arrays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/call.h"
#include "xchg/crc32.h"
#include "xchg/format.h"
#include "xchg/npy_header.h"
#include "xchg/zip.h"
#include "xchg/zlib.h"

enum {
  PIECE = 256 << 10,   /* at most unpacked at once: the checksum finds it in a cache */
  INPUT = 64 << 10,    /* the buffer of packed bytes */
  DEFLATE_MOST = 1032, /* times as many bytes come out as go in, at most */
  VERSION = 63         /* of the ZIP format that is known, times ten */
};

/* {=== a member's contents ===} */

typedef struct {
  ndi_source base;
  const ndi_infile *file;
  const ndi_zip_member *member;
  size_t at, end; /* the packed bytes that were not read yet */
  uint32_t crc;
  unsigned char *input; /* NULL: the member is stored */
  ndi_z_stream z;
} contents;

static nd_status fail(const ndi_zip_member *m, nd_status code, const char *what, nd_error *err) {
  return nd_fail_with(err, code, ND_NUMBERS({"offset", (int64_t)m->data}), "%s", what);
}

static nd_status read_stored(ndi_source *self, void *to, size_t bytes, nd_error *err) {
  contents *c = (contents *)self;
  for (size_t done = 0; done < bytes;) {
    const size_t piece = bytes - done < PIECE ? bytes - done : PIECE;
    ND_TRY(ndi_infile_read(c->file, c->at, (char *)to + done, piece, err));
    c->crc = ndi_crc32(c->crc, (char *)to + done, piece);
    c->at += piece, self->left -= piece, done += piece;
    ND_TRY(nd_check_interrupt(err));
  }
  return ND_OK;
}

static nd_status fill_input(contents *c, nd_error *err) {
  const size_t left = c->end - c->at, piece = left < INPUT ? left : INPUT;
  if (c->z.avail_in > 0 || piece == 0) return ND_OK;
  ND_TRY(ndi_infile_read(c->file, c->at, c->input, piece, err));
  c->at += piece;
  c->z.next_in = c->input, c->z.avail_in = (unsigned)piece;
  return ND_OK;
}

/* Unpack at most 'bytes' to 'to'; '*got' is 0 at the end alone. */
static nd_status unpack(contents *c, void *to, unsigned bytes, unsigned *got, nd_error *err) {
  int result = NDI_Z_OK;
  c->z.next_out = to, c->z.avail_out = bytes;
  while (c->z.avail_out > 0 && result == NDI_Z_OK) {
    ND_TRY(fill_input(c, err));
    result = ndi_zlib.inflate(&c->z, 0);
  }
  *got = bytes - c->z.avail_out;
  if (result == NDI_Z_MEM_ERROR) return nd_fail(err, ND_OUT_OF_MEMORY, "zlib has no memory");
  if (result == NDI_Z_OK || result == NDI_Z_STREAM_END) return ND_OK;
  return fail(c->member, ND_FORMAT,
              result == NDI_Z_BUF_ERROR ? "its compressed data ends too early"
                                        : "its compressed data is damaged",
              err);
}

static nd_status read_deflated(ndi_source *self, void *to, size_t bytes, nd_error *err) {
  contents *c = (contents *)self;
  for (size_t done = 0; done < bytes;) {
    const unsigned piece = bytes - done < PIECE ? (unsigned)(bytes - done) : PIECE;
    unsigned got;
    ND_TRY(unpack(c, (char *)to + done, piece, &got, err));
    if (got == 0) return fail(c->member, ND_FORMAT, "it unpacks to less than it says", err);
    c->crc = ndi_crc32(c->crc, (char *)to + done, got);
    self->left -= got, done += got;
    ND_TRY(nd_check_interrupt(err));
  }
  return ND_OK;
}

static nd_status begin_inflate(contents *c, nd_error *err) {
  const size_t most = DEFLATE_MOST;
  if (c->member->packed < SIZE_MAX / most - 1 && c->member->bytes > most * (c->member->packed + 1))
    return fail(c->member, ND_FORMAT, "it says that it unpacks to more than is possible", err);
  ND_TRY(ndi_library_open(&ndi_zlib_library, err));
  c->input = malloc(INPUT);
  if (!c->input) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a buffer to unpack");
  if (ndi_zlib.inflateInit2_(&c->z, NDI_Z_RAW, "1.2.11", (int)sizeof c->z) == NDI_Z_OK)
    return ND_OK;
  free(c->input);
  return nd_fail(err, ND_OUT_OF_MEMORY, "zlib %s does not begin", ndi_zlib.zlibVersion());
}

static nd_status begin(const ndi_infile *file, const ndi_zip_member *m, contents *out,
                       nd_error *err) {
  const bool is_stored = m->method == ND_ZIP_STORED;
  if (m->is_encrypted) return nd_fail(err, ND_UNSUPPORTED, "it is encrypted");
  if (m->is_patch) return nd_fail(err, ND_UNSUPPORTED, "it is a patch of other data");
  if (m->needs > VERSION)
    return nd_fail(err, ND_UNSUPPORTED, "it needs version %d.%d of the format; known is %d.%d",
                   m->needs / 10, m->needs % 10, VERSION / 10, VERSION % 10);
  if (!is_stored && m->method != ND_ZIP_DEFLATED)
    return nd_fail(err, ND_UNSUPPORTED, "it is compressed by method %d", (int)m->method);
  *out = (contents){.base = {is_stored ? read_stored : read_deflated, m->bytes},
                    .file = file,
                    .member = m,
                    .at = m->data,
                    .end = m->data + m->packed};
  return is_stored ? ND_OK : begin_inflate(out, err);
}

static void end(contents *c) {
  if (!c->input) return;
  ndi_zlib.inflateEnd(&c->z);
  free(c->input);
}

/* Read what follows the array, which NumPy ignores, and compare the checksum. */
static nd_status check_rest(contents *c, nd_error *err) {
  char rest[4096];
  unsigned more = 0;
  while (c->base.left > 0)
    ND_TRY(
        c->base.read(&c->base, rest, c->base.left < sizeof rest ? c->base.left : sizeof rest, err));
  if (c->input) ND_TRY(unpack(c, rest, 1, &more, err));
  if (more > 0 || c->at != c->end || c->z.avail_in > 0)
    return fail(c->member, ND_FORMAT, "it has more than it says", err);
  if (c->crc == c->member->crc) return ND_OK;
  return fail(c->member, ND_FORMAT, "its checksum is wrong: the file is damaged", err);
}

/* {=== loading ===} */

/* An archive that is being loaded; 'mapping' with sink->map, once there is a member. */
typedef struct {
  ndi_infile *file;
  ndi_zip zip;
  nd_storage *mapping;
  nd_sink *sink;
} archive;

static nd_status load_contents(contents *c, bool map, ndi_layout *layout, nd_view *out,
                               nd_error *err) {
  ND_TRY(ndi_npy_read(&c->base, layout, err));
  size_t bytes;
  if (map) return ndi_layout_check(layout, c->member->bytes, &bytes, err);
  ND_TRY(ndi_source_load(&c->base, layout, out, err));
  const nd_status status = check_rest(c, err);
  if (status != ND_OK) nd_view_drop(out);
  return status;
}

static nd_status load_member(archive *a, const ndi_zip_member *m, nd_view *out, nd_error *err) {
  const bool map = a->sink->map;
  contents c;
  ndi_layout layout;
  if (map && m->method != ND_ZIP_STORED)
    return nd_fail_remedy(err, ND_UNSUPPORTED, ND_REMEDY_READ,
                          "compressed members cannot be mapped");
  ND_TRY(begin(a->file, m, &c, err));
  nd_status status = load_contents(&c, map, &layout, out, err);
  end(&c);
  if (status != ND_OK || !map) return status;
  layout.offset += m->data;
  return ndi_layout_view(&layout, a->mapping, out, err);
}

enum { SUFFIX = 4 };

/* The name of a member's array, without ".npy"; NULL: it is no array. */
static char *name_of(const ndi_zip_member *m) {
  char *name = (char *)(uintptr_t)m->name;
  const size_t length = strlen(name);
  if (length < SUFFIX || strcmp(name + length - SUFFIX, ".npy") != 0) return NULL;
  return name;
}

static nd_status load_all(archive *a, nd_error *err) {
  if (a->sink->map && a->zip.count > 0) {
    ndi_infile again; /* the archive's own descriptor is read from until the end */
    ND_TRY(ndi_infile_again(a->file, &again, err));
    const nd_status status = ndi_infile_map(&again, 0, a->file->bytes, &a->mapping, err);
    ndi_infile_close(&again);
    ND_TRY(status);
  }
  for (size_t i = 0; i < a->zip.count; i++) {
    const ndi_zip_member *m = &a->zip.members[i];
    nd_view array;
    char *name = name_of(m), *suffix = name ? name + strlen(name) - SUFFIX : NULL;
    if (!name) continue;
    *suffix = 0;
    if (a->sink->wants && !a->sink->wants(a->sink, name)) continue;
    const nd_status status = load_member(a, m, &array, err);
    if (status == ND_UNSUPPORTED && !a->sink->wants && err && !err->remedy)
      err->remedy = ND_REMEDY_NAMES;
    ND_TRY(ndi_error_name(status, "member", m->name, err));
    ND_TRY(a->sink->put_array(a->sink, name, &array, err));
  }
  return ND_OK;
}

static nd_status load(ndi_infile *file, nd_sink *sink, nd_error *err) {
  archive a = {.file = file, .sink = sink};
  ND_TRY(ndi_zip_open(file, &a.zip, err));
  const nd_status status = load_all(&a, err);
  nd_storage_drop(a.mapping);
  ndi_zip_free(&a.zip);
  return status;
}

/* {=== saving ===} */

enum { NAME_MOST = 4000 };

/* NumPy refuses all of an archive where a name is not UTF-8. */
static nd_status check_names(const nd_source *source, nd_error *err) {
  for (int i = 0; i < source->count; i++) {
    const char *name = source->arrays[i].name;
    const size_t length = strlen(name);
    if (!ndi_is_utf8(name))
      return nd_fail(err, ND_INVALID_ARGUMENT, "the name of an array is not UTF-8");
    if (length > NAME_MOST)
      return nd_fail_with(err, ND_CAPACITY,
                          ND_NUMBERS({"value", (int64_t)length}, {"limit", NAME_MOST}),
                          "the name of an array has %zu B; the limit is %d", length, NAME_MOST);
  }
  return ND_OK;
}

static nd_status save_member(ndi_zip_writer *zip, const nd_named_array *array, nd_error *err) {
  char name[NAME_MOST + SUFFIX + 1];
  size_t bytes;
  snprintf(name, sizeof name, "%s.npy", array->name);
  ND_TRY(ndi_npy_bytes(array->array, &bytes, err));
  ND_TRY(ndi_zip_begin(zip, name, bytes, err));
  ND_TRY(ndi_npy_write(zip->file, array->array, err));
  return ndi_zip_end(zip, name, bytes, err);
}

static nd_status save(const nd_source *source, ndi_outfile *file, nd_error *err) {
  ndi_zip_writer zip = {.file = file};
  nd_status status = ND_OK;
  ND_TRY(check_names(source, err));
  file->has_crc = true;
  for (int i = 0; i < source->count && status == ND_OK; i++)
    status = ndi_error_name(save_member(&zip, &source->arrays[i], err), "array",
                            source->arrays[i].name, err);
  if (status == ND_OK) status = ndi_zip_finish(&zip, err);
  free(zip.directory);
  return status;
}

const nd_codec ndi_npz_codec = {
    .extensions = {".npz"}, .holds_many = true, .only_name = "arr_0", .load = load, .save = save};
