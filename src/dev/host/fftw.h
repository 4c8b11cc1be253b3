/* FFTW, the library of Fourier transforms, opened when it is first needed: one for f64, one for
 * f32. The declarations of its functions are our own, of the interface of its version 3, which
 * others have, too. */
#ifndef ND_DEV_HOST_FFTW_H
#define ND_DEV_HOST_FFTW_H

#include "base/dtype.h"
#include "base/status.h"

enum { NDI_FFTW_FORWARD = -1, NDI_FFTW_BACKWARD = 1, NDI_FFTW_ESTIMATE = 1 << 6 };

typedef struct {
  /* n, in, out, (sign,) flags; NULL: it has no such plan */
  void *(*plan_dft_1d)(int n, void *in, void *out, int sign, unsigned flags);
  void *(*plan_dft_r2c_1d)(int n, void *in, void *out, unsigned flags);
  void *(*plan_dft_c2r_1d)(int n, void *in, void *out, unsigned flags);
  /* of arrays that are aligned as those of the plan; by any number of threads at a time. c2r
   * overwrites 'in'. */
  void (*execute_dft)(const void *plan, void *in, void *out);
  void (*execute_dft_r2c)(const void *plan, void *in, void *out);
  void (*execute_dft_c2r)(const void *plan, void *in, void *out);
  void (*destroy_plan)(void *plan);
  int (*alignment_of)(const void *at); /* 0: as a block of memory */
  const char *version;                 /* "fftw-3.3.10-…"; of some libraries only */
} ndi_fftw_functions;

typedef struct {
  ndi_fftw_functions call;
  char text[256]; /* for people: what it is */
} ndi_fftw;

/* Use the libraries of these files or names, one or two between colons, and no others; "none" or
 * "" for none; NULL: look for them. Before the first ndi_fftw_find; later calls are ignored. */
void ndi_fftw_choose(const char *files);

/* The library for 'real', ND_F32 or ND_F64, which stays open and the same; NULL, with the reason:
 * there is none. Thread-safe; its plans are made and destroyed under NDI_LOCK_FFTW. */
const ndi_fftw *ndi_fftw_find(nd_dtype real, nd_error *err);

#endif
