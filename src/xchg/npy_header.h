/* The header of an .npy file: a lead (magic number, version, length), then the text of a Python
 * dictionary. Source: the documentation of numpy.lib.format. */
#ifndef ND_XCHG_NPY_HEADER_H
#define ND_XCHG_NPY_HEADER_H

#include "xchg/io.h"

/* Read lead and text. 'offset' of '*out' is the bytes of both. ND_FORMAT, ND_UNSUPPORTED as below.
 */
nd_status ndi_npy_read(ndi_source *from, ndi_layout *out, nd_error *err);

/* Write a whole file, header and elements, in column-major order where these lie so; and set '*out'
 * to how many bytes it has. */
nd_status ndi_npy_write(ndi_outfile *file, const nd_view *src, nd_error *err);
nd_status ndi_npy_bytes(const nd_view *src, size_t *out, nd_error *err);

enum {
  ND_NPY_LEAD = 12,             /* bytes of the longest lead, that of versions 2 and 3 */
  ND_NPY_TEXT_MAX = 1 << 20,    /* longer text is refused */
  ND_NPY_ALIGN = 64,            /* in files that we write, data begins at a multiple of this */
  ND_NPY_HEADER_BYTES = 64 * 10 /* room for any header that we write */
};

/* What the text says; 'offset' is 0, since it does not say where the data begins. */
typedef ndi_layout ndi_npy_header;

/* Parse the lead: set '*at' and '*length' to the offset and the length of the text. 'bytes' has the
 * first 'count' bytes of the file: ND_NPY_LEAD, or all if the file is shorter. ND_FORMAT. */
nd_status ndi_npy_lead(const unsigned char *bytes, size_t count, size_t *at, size_t *length,
                       nd_error *err);

/* Parse the text, a literal of a Python dictionary. ND_FORMAT for what NumPy refuses;
 * ND_UNSUPPORTED for what NumPy has and ndbuf lacks (records, strings, dates, objects, long double,
 * more than 16 axes). Of duplicate keys the last counts, as in NumPy.
 *
 * Raw items ('V') are the type that NumPy writes for dtypes it does not know. Two bytes are read as
 * bf16, which the Python package ml_dtypes saves so. One byte may be either f8: it is read as u8,
 * and the caller has to bitcast it. Other sizes are ND_UNSUPPORTED. */
nd_status ndi_npy_parse(const char *text, size_t length, ndi_npy_header *out, nd_error *err);

/* Write lead and text, version 1.0. Returns the size, a multiple of ND_NPY_ALIGN. The limit of
 * version 1.0, a text of 65535 bytes, is never reached, with at most 16 extents of 20 digits. */
size_t ndi_npy_format(const ndi_npy_header *header, char text[ND_NPY_HEADER_BYTES]);

#endif
