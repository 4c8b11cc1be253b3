/* zlib, for what is compressed by deflate: the declarations are our own, of its version 1.2. */
#ifndef ND_XCHG_ZLIB_H
#define ND_XCHG_ZLIB_H

#include "base/library.h"

typedef struct {
  const unsigned char *next_in;
  unsigned avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *(*zalloc)(void *opaque, unsigned items, unsigned bytes);
  void (*zfree)(void *opaque, void *at);
  void *opaque;
  int data_type;
  unsigned long adler, reserved;
} ndi_z_stream;
_Static_assert(sizeof(ndi_z_stream) == 112, "z_stream");

enum { NDI_Z_OK = 0, NDI_Z_STREAM_END = 1, NDI_Z_BUF_ERROR = -5, NDI_Z_MEM_ERROR = -4 };

/* Without a header: the contents of ZIP files. */
enum { NDI_Z_RAW = -15 };

typedef struct {
  const char *(*zlibVersion)(void);
  int (*inflateInit2_)(ndi_z_stream *stream, int window_bits, const char *version, int bytes);
  int (*inflate)(ndi_z_stream *stream, int flush);
  int (*inflateEnd)(ndi_z_stream *stream);
} ndi_zlib_functions;

extern ndi_zlib_functions ndi_zlib; /* once the library is open */
extern ndi_library ndi_zlib_library;

#endif
