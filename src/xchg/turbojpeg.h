/* libjpeg-turbo, for JPEG images: the declarations are our own, of its TurboJPEG API, version 2. */
#ifndef ND_XCHG_TURBOJPEG_H
#define ND_XCHG_TURBOJPEG_H

#include "base/library.h"

/* Pixels, subsampling, colours, flags, as far as they are used. */
enum { NDI_TJ_RGB = 0, NDI_TJ_GRAY = 6 };
enum { NDI_TJ_444 = 0, NDI_TJ_ONLY_GRAY = 3 };
enum { NDI_TJ_COLORS_GRAY = 2, NDI_TJ_COLORS_CMYK = 3 }; /* from CMYK on: no RGB */
enum { NDI_TJ_ACCURATE = 4096, NDI_TJ_STOP_ON_WARNING = 8192, NDI_TJ_LIMIT_SCANS = 32768 };

typedef struct {
  void *(*tjInitDecompress)(void);
  void *(*tjInitCompress)(void);
  int (*tjDestroy)(void *handle);
  char *(*tjGetErrorStr2)(void *handle);
  int (*tjDecompressHeader3)(void *handle, const unsigned char *from, unsigned long bytes,
                             int *width, int *height, int *subsampling, int *colors);
  int (*tjDecompress2)(void *handle, const unsigned char *from, unsigned long bytes,
                       unsigned char *to, int width, int pitch, int height, int pixels, int flags);
  int (*tjCompress2)(void *handle, const unsigned char *from, int width, int pitch, int height,
                     int pixels, unsigned char **to, unsigned long *bytes, int subsampling,
                     int quality, int flags);
  void (*tjFree)(unsigned char *made);
} ndi_turbojpeg_functions;

extern ndi_turbojpeg_functions ndi_turbojpeg; /* once the library is open */
extern ndi_library ndi_turbojpeg_library;

#endif
