/* The CUDA driver: opened when a script first asks for a GPU, its functions, its errors. */
#ifndef ND_DEV_CUDA_DRIVER_H
#define ND_DEV_CUDA_DRIVER_H

#include <stdbool.h>

#include "base/status.h"
#include "dev/cuda_symbols.h"

/* The driver's functions by the manual's names; an optional one that it lacks is NULL. Set once,
 * when ndi_cuda_open succeeds. */
typedef struct {
#define ND_ROW(function, symbol, since, need, arguments) CUresult(*function) arguments;
  ND_CUDA_SYMBOLS(ND_ROW)
#undef ND_ROW
} ndi_cuda_calls;

extern ndi_cuda_calls ndi_cu;

/* Open the driver, once. ND_DEVICE_NOT_FOUND with the reason: switched off, no library, too old, a
 * required function is missing, no device, a forked process. A failure may be tried again. */
nd_status ndi_cuda_open(nd_error *err);

/* What was asked for by nd_cuda_configure. */
bool ndi_cuda_is_synchronous(void);

/* Devices, the driver's version as 12040; 0 before it is open. */
int ndi_cuda_count(void);
int ndi_cuda_version(void);

/* Has this process the driver, whoever opened it? Opens nothing. */
bool ndi_cuda_is_loaded(void);

/* Is this a child of the process that opened the driver, which must not touch it? */
bool ndi_cuda_is_forked(void);

/* Whether the context that a call failed in is of no use any more. */
bool ndi_cuda_is_sticky(CUresult result);

/* ND_OK for CUDA_SUCCESS, else ND_DRIVER (ND_OUT_OF_MEMORY for the driver's own) with the name, the
 * number and the text that CUDA has for it. 'call' is text that begins with the function's name. */
nd_status ndi_cuda_status(CUresult result, const char *call, nd_error *err);

/* "CUDA_ERROR_INVALID_VALUE", from the driver or, where it does not know, from our list. */
const char *ndi_cuda_error_name(CUresult result);

#endif
