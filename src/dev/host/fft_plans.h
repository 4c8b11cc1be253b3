/* Plans of Fourier transforms, by FFTW where it is, else our own, and a cache of those that were
 * used last. */
#ifndef ND_DEV_HOST_FFT_PLANS_H
#define ND_DEV_HOST_FFT_PLANS_H

#include "dev/host/fftw.h"
#include "kern/fft.h"

/* Any number of threads may use a plan at the same time. */
typedef struct {
  ndi_fft own;             /* what is asked for; the tables are there without 'plan' */
  const ndi_fftw *library; /* that 'plan' is of */
  void *plan;              /* NULL: our own kernels transform */
} ndi_fft_way;

/* The plan of a transform (kern/fft.h), from the cache or a new one. Give it back by
 * ndi_fft_way_give. ND_OUT_OF_MEMORY, ND_OVERFLOW. */
nd_status ndi_fft_way_take(nd_dtype real, ndi_fft_form form, bool is_inverse, size_t n,
                           const ndi_fft_way **out, nd_error *err);
void ndi_fft_way_give(const ndi_fft_way *way);

/* The work memory of a call, which is aligned to 64 bytes. */
size_t ndi_fft_way_work(const ndi_fft_way *way);

/* May a line begin at 'at'? Those that are aligned to 64 bytes may. */
bool ndi_fft_way_fits(const ndi_fft_way *way, const char *at);

/* Transform a packed line at 'x' to 'z', which shares no bytes with it. HERMITIAN overwrites 'x'.
 */
void ndi_fft_way_run(const ndi_fft_way *way, char *x, char *z, char *work);

/* Free all plans that nobody has taken. */
void ndi_fft_ways_free(void);

/* What the cache holds, for specs: plans, and those that are taken. */
void ndi_fft_ways_count(size_t *plans, size_t *taken);

#endif
