/* The CUDA driver: loaded with dlopen when a script first asks for a GPU, so that ndbuf runs
 * without one. Its function pointers and its errors. */
#ifndef ND_DEV_CUDA_DRIVER_H
#define ND_DEV_CUDA_DRIVER_H

#include <stdbool.h>

#include "dev/backend.h"
#include "dev/cuda/symbols.h"

/* The driver's functions by the names in its manual; an optional one that is missing is NULL.
 * Written once, when ndi_cuda_open succeeds, and constant from then on. */
typedef struct {
#define ND_ROW(function, symbol, since, need, arguments) CUresult(*function) arguments;
  ND_CUDA_SYMBOLS(ND_ROW)
#undef ND_ROW
} ndi_cuda_calls;

extern ndi_cuda_calls ndi_cu;

/* Load and initialise the driver. Idempotent, thread-safe. ND_DEVICE_NOT_FOUND with the reason:
 * switched off, no library, too old, a required function is missing, no device, a forked child. A
 * later call tries again after a failure. */
nd_status ndi_cuda_open(nd_error *err);

/* Begin and end what one thread at a time may do: open and close the driver and its devices. Waits
 * for another thread; no lock is held in between, nor may be held by the caller. */
void ndi_cuda_begin_opening(void);
void ndi_cuda_end_opening(void);
bool ndi_cuda_is_opening(void); /* does any thread? */

/* Set the options; ignored once the driver is open or being opened. is_synchronous returns the one
 * that matters later. */
void ndi_cuda_configure(const nd_backend_options *options);
bool ndi_cuda_is_synchronous(void);

/* Number of devices, and the driver's version as 12040 for 12.4; both 0 before it is open. */
int ndi_cuda_count(void);
int ndi_cuda_version(void);

/* Is the driver library loaded in this process, by ndbuf or by another library? Loads
 * nothing. */
bool ndi_cuda_is_loaded(void);

/* Is this a forked child of the process that opened the driver? It must not call the driver at
 * all. */
bool ndi_cuda_is_forked(void);

/* Is 'result' a sticky error, after which every call in the context fails (CUDA Driver API,
 * CUresult)? */
bool ndi_cuda_is_sticky(CUresult result);

/* ND_OK for CUDA_SUCCESS, ND_OUT_OF_MEMORY for CUDA_ERROR_OUT_OF_MEMORY, else ND_DRIVER; the
 * message has CUDA's name, number and text. 'call' begins with the function's name, up to a '('. */
nd_status ndi_cuda_status(CUresult result, const char *call, nd_error *err);

/* For example "CUDA_ERROR_INVALID_VALUE": from the driver, or from our list where the driver does
 * not know it. Never NULL. */
const char *ndi_cuda_error_name(CUresult result);

#endif
