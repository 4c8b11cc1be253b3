/* ZIP archives, as far as .npz files need them: APPNOTE.TXT 6.3 of PKWARE, with ZIP64. */
#ifndef ND_XCHG_ZIP_H
#define ND_XCHG_ZIP_H

#include "xchg/io.h"

/* There are others, which we do not read. */
typedef enum { ND_ZIP_STORED = 0, ND_ZIP_DEFLATED = 8 } nd_zip_method;

/* A member: a file in an archive. */
typedef struct {
  const char *name; /* in the directory's memory, terminated by a 0 */
  nd_zip_method method;
  bool is_encrypted, is_patch; /* then the contents are not read */
  int needs;                   /* the version of the format, times ten */
  uint32_t crc;                /* of the contents */
  size_t packed;               /* bytes in the archive */
  size_t bytes;                /* of the contents */
  size_t header;               /* offset of its local header */
  size_t data;                 /* offset of its packed bytes */
} ndi_zip_member;

typedef struct {
  size_t count;
  ndi_zip_member *members; /* in the order of their data */
  char *memory;            /* the directory, which names point into */
} ndi_zip;

/* Read the directory of an archive, which must be freed on ND_OK, and the local header of each
 * member. ND_FORMAT for what contradicts itself: members that overlap, lie outside of the file, or
 * have one name. ND_UNSUPPORTED for archives of several parts. Nothing is allocated that is larger
 * than the file. */
nd_status ndi_zip_open(const ndi_infile *file, ndi_zip *out, nd_error *err);
void ndi_zip_free(ndi_zip *self);

/* Write an archive whose members are stored, each from a multiple of 64 bytes on: ndi_zip_begin,
 * what its contents are, ndi_zip_end; at last ndi_zip_finish. */
typedef struct ndi_zip_writer {
  ndi_outfile *file;
  char *directory; /* what ndi_zip_finish writes; with 'used' of 'room' bytes */
  size_t used, room, count;
  size_t header; /* offset of the local header of the member that is being written */
} ndi_zip_writer;

nd_status ndi_zip_begin(ndi_zip_writer *self, const char *name, size_t bytes, nd_error *err);
nd_status ndi_zip_end(ndi_zip_writer *self, const char *name, size_t bytes, nd_error *err);
nd_status ndi_zip_finish(ndi_zip_writer *self, nd_error *err);

#endif
