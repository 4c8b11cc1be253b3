/* ZIP archives of more than 4 GiB, which have ZIP64 records. The files are sparse: of their members
 * nothing is written. */
#include "xchg/zip.h"

#include "files.h"

enum { MOST = 3 };
static size_t data[MOST]; /* where each member begins */

/* As if so many bytes had been written. */
static void skip(ndi_outfile *file, size_t bytes) {
  file->bytes += bytes;
  if (lseek(file->fd, (off_t)file->bytes, SEEK_SET) < 0) exit(2);
}

static const char *name_of(size_t i) {
  static const char *const names[MOST] = {"a", "b.npy", "third"};
  return names[i];
}

static nd_status write_members(const size_t *sizes, size_t count) {
  ndi_outfile file = {.fd = -1, .wanted = path};
  ndi_zip_writer zip = {.file = &file};
  nd_status status = ND_OK;
  for (size_t i = 0; i < count && status == ND_OK; i++) {
    status = ndi_zip_begin(&zip, name_of(i), sizes[i], &err);
    data[i] = file.bytes;
    if (status == ND_OK) skip(&file, sizes[i]);
    if (status == ND_OK) status = ndi_zip_end(&zip, name_of(i), sizes[i], &err);
  }
  if (status == ND_OK) status = ndi_zip_finish(&zip, &err);
  free(zip.directory);
  return ndi_outfile_close(&file, status, &err);
}

static void check_members(const size_t *sizes, size_t count) {
  ndi_infile file;
  ndi_zip zip;
  CHECK(ndi_infile_open(path, &file, &err) == ND_OK, "%s", err.message);
  const nd_status status = ndi_zip_open(&file, &zip, &err);
  CHECK(status == ND_OK, "%zu B: %s", sizes[0], err.message);
  if (status == ND_OK) {
    CHECK(zip.count == count, "%zu members", zip.count);
    for (size_t i = 0; i < zip.count; i++) {
      const ndi_zip_member *m = &zip.members[i];
      CHECK(m->bytes == sizes[i] && m->packed == sizes[i] && strcmp(m->name, name_of(i)) == 0,
            "%s: %zu B, not %zu", m->name, m->bytes, sizes[i]);
      CHECK(m->data == data[i] && m->data % 64 == 0, "%s is at %zu, not %zu", m->name, m->data,
            data[i]);
    }
    ndi_zip_free(&zip);
  }
  ndi_infile_close(&file);
}

static void spec_large(void) {
  const size_t most = UINT32_MAX;
  /* the first member begins at 64: what is behind it begins at 'most', or beside that */
  const struct {
    size_t count, sizes[MOST];
  } cases[] = {{1, {most - 65}},    {1, {most - 64}},      {1, {most - 63}},
               {2, {most - 65, 1}}, {2, {most - 64, 1}},   {2, {most - 63, 1}},
               {1, {most - 1}},     {1, {most}},           {1, {most + 1}},
               {2, {most, most}},   {3, {1, most + 1, 9}}, {3, {9, 8, 7}},
               {3, {most, 0, 5}},   {2, {1, most - 1}},    {3, {0, most, most * 3}}};
  group("sizes and offsets of 32 bits and more come back");
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    CHECK(write_members(cases[i].sizes, cases[i].count) == ND_OK, "%s", err.message);
    check_members(cases[i].sizes, cases[i].count);
  }
}

int main(void) {
  enter_folder();
  spec_large();
  return leave_folder();
}
