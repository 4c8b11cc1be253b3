/* The header of an .npy file, as text: reading and writing it. Source: numpy.lib.format. */
#ifndef ND_XCHG_NPY_HEADER_H
#define ND_XCHG_NPY_HEADER_H

#include "xchg/io.h"

enum {
  ND_NPY_LEAD = 12,             /* the longest lead: magic, version, length of the text */
  ND_NPY_TEXT_MAX = 1 << 20,    /* a longer header is refused */
  ND_NPY_ALIGN = 64,            /* data begins at a multiple of it in what we write */
  ND_NPY_HEADER_BYTES = 64 * 10 /* enough for any header that we write */
};

/* 'offset' is not the text's business: 0. */
typedef ndi_layout ndi_npy_header;

/* Where the text lies, from the first 'count' bytes of a file, which are ND_NPY_LEAD of them unless
 * the file is shorter. */
nd_status ndi_npy_lead(const unsigned char *bytes, size_t count, size_t *at, size_t *length,
                       nd_error *err);

/* Read the text, a literal of a Python dict. What NumPy refuses is ND_FORMAT, what NumPy has and
 * ndbuf has not (records, texts, dates, objects, long double, more than 16 axes) is ND_UNSUPPORTED.
 * Duplicate keys: the last one counts, as in NumPy.
 *
 * Raw items ('V') have no dtype of their own. Two bytes are read as bf16, because that is what the
 * Python package ml_dtypes writes for it; one byte may be either f8, so it is read as u8, and
 * bitcast makes an f8 of it. Other sizes are refused. */
nd_status ndi_npy_parse(const char *text, size_t length, ndi_npy_header *out, nd_error *err);

/* Write a whole header, lead included, version 1. Returns its size, a multiple of ND_NPY_ALIGN. It
 * never needs version 2: 16 extents of 20 digits are far below 65535 bytes. */
size_t ndi_npy_format(const ndi_npy_header *header, char text[ND_NPY_HEADER_BYTES]);

#endif
