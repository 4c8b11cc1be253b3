/* libpng, for PNG images: the declarations are our own, of its version 1.6. Its functions do not
 * return from an error, but call 'fail', which has to jump. */
#ifndef ND_XCHG_LIBPNG_H
#define ND_XCHG_LIBPNG_H

#include "base/library.h"

typedef struct png_struct_def ndi_png;
typedef struct png_info_def ndi_png_info;

typedef void ndi_png_fail(ndi_png *png, const char *message);
typedef void ndi_png_move(ndi_png *png, unsigned char *bytes, size_t count);

enum { NDI_PNG_GRAY = 0, NDI_PNG_RGB = 2, NDI_PNG_ALPHA = 4 }; /* color types, the last added */

typedef struct {
  const char *(*png_get_libpng_ver)(const ndi_png *png);
  ndi_png *(*png_create_read_struct)(const char *version, void *owner, ndi_png_fail *fail,
                                     ndi_png_fail *warn);
  ndi_png *(*png_create_write_struct)(const char *version, void *owner, ndi_png_fail *fail,
                                      ndi_png_fail *warn);
  ndi_png_info *(*png_create_info_struct)(const ndi_png *png);
  void (*png_destroy_read_struct)(ndi_png **png, ndi_png_info **info, ndi_png_info **end);
  void (*png_destroy_write_struct)(ndi_png **png, ndi_png_info **info);
  void *(*png_get_error_ptr)(const ndi_png *png); /* 'owner' */
  void (*png_set_read_fn)(ndi_png *png, void *io, ndi_png_move *read);
  void (*png_set_write_fn)(ndi_png *png, void *io, ndi_png_move *write, void (*flush)(ndi_png *));
  void (*png_error)(ndi_png *png, const char *message);
  void (*png_set_user_limits)(ndi_png *png, uint32_t width, uint32_t height);
  void (*png_set_chunk_cache_max)(ndi_png *png, uint32_t most);
  void (*png_read_info)(ndi_png *png, ndi_png_info *info);
  uint32_t (*png_get_IHDR)(const ndi_png *png, const ndi_png_info *info, uint32_t *width,
                           uint32_t *height, int *depth, int *color, int *interlace,
                           int *compression, int *filter);
  uint8_t (*png_get_channels)(const ndi_png *png, const ndi_png_info *info);
  size_t (*png_get_rowbytes)(const ndi_png *png, const ndi_png_info *info);
  void (*png_set_expand)(ndi_png *png);
  void (*png_set_swap)(ndi_png *png);
  int (*png_set_interlace_handling)(ndi_png *png);
  void (*png_read_update_info)(ndi_png *png, ndi_png_info *info);
  void (*png_read_row)(ndi_png *png, unsigned char *row, unsigned char *shown);
  void (*png_read_end)(ndi_png *png, ndi_png_info *info);
  void (*png_set_IHDR)(ndi_png *png, ndi_png_info *info, uint32_t width, uint32_t height, int depth,
                       int color, int interlace, int compression, int filter);
  void (*png_set_compression_buffer_size)(ndi_png *png, size_t bytes);
  void (*png_write_info)(ndi_png *png, const ndi_png_info *info);
  void (*png_write_row)(ndi_png *png, const unsigned char *row);
  void (*png_write_end)(ndi_png *png, ndi_png_info *info);
} ndi_libpng_functions;

extern ndi_libpng_functions ndi_libpng; /* once the library is open */
extern ndi_library ndi_libpng_library;

#endif
