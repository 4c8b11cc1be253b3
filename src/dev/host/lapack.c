/* Finding LAPACK, beside the library of linear algebra. */
#include "dev/host/lapack.h"

#include <stdatomic.h>
#include <stdio.h>

#include "base/library.h"
#include "base/lock.h"

/* ORDER LAPACK: as in ndi_lapack_functions. */
#define FOUR(name) "s" name "_", "d" name "_", "c" name "_", "z" name "_"
#define TWICE_TWO(real, complex) "s" real "_", "d" real "_", "c" complex "_", "z" complex "_"
static const char *const symbols[] = {"ilaver_",     FOUR("gesv"),
                                      FOUR("getrf"), FOUR("potrf"),
                                      FOUR("geqrf"), TWICE_TWO("orgqr", "ungqr"),
                                      FOUR("gesdd"), TWICE_TWO("syevd", "heevd"),
                                      FOUR("geev"),  FOUR("gelsd"),
                                      NULL};

/* The first is in the file of the BLAS, whatever that is. */
enum { BESIDE_BLAS, ALONE, LIBRARIES };
static ndi_lapack found[LIBRARIES];
static ndi_library libraries[LIBRARIES] = {{.name = "LAPACK",
                                            .package = "libopenblas0-pthread",
                                            .symbols = symbols,
                                            .functions = &found[BESIDE_BLAS].call},
                                           {.name = "LAPACK",
                                            .file = "liblapack.so.3",
                                            .package = "liblapack3",
                                            .symbols = symbols,
                                            .functions = &found[ALONE].call}};

/* Of liblapack we do not know which BLAS it calls, nor whether that has threads: one thread at a
 * time may be in it. */
static const ndi_blas unknown = {.file = "liblapack.so.3"};

static atomic_bool is_found;
static const ndi_lapack *chosen; /* set before 'is_found', and not changed after */

/* Where integers have 32 bits, the upper halves of the numbers stay as they are. */
static nd_status check_integers(const ndi_lapack *lapack, const char *file, int64_t *version,
                                nd_error *err) {
  for (int i = 0; i < 3; i++) version[i] = -1;
  lapack->call.ilaver(&version[0], &version[1], &version[2]);
  if (version[0] >= 0)
    return nd_fail(err, ND_UNSUPPORTED,
                   "%.200s has 64-bit integers (ILP64); ndbuf needs a LAPACK with 32-bit ones",
                   file);
  for (int i = 0; i < 3; i++) version[i] &= UINT32_MAX;
  return ND_OK;
}

/* Without the lock, as ndi_library_open; threads that get here at the same time do the same. */
static nd_status open_one(int at, const ndi_blas *blas, nd_error *err) {
  ndi_lapack *lapack = &found[at];
  int64_t version[3];
  ND_TRY(ndi_library_open(&libraries[at], err));
  ND_TRY(check_integers(lapack, libraries[at].file, version, err));
  ndi_lock(NDI_LOCK_BLAS);
  if (!is_found) {
    snprintf(lapack->text, sizeof lapack->text, "LAPACK %d.%d.%d (%.200s)", (int)version[0],
             (int)version[1], (int)version[2], libraries[at].file);
    lapack->blas = blas;
    chosen = lapack;
    is_found = true;
  }
  ndi_unlock(NDI_LOCK_BLAS);
  return ND_OK;
}

const ndi_lapack *ndi_lapack_find(nd_error *err) {
  nd_error other;
  if (is_found) return chosen;
  const ndi_blas *blas = ndi_blas_find(err);
  if (!blas) return NULL;
  ndi_lock(NDI_LOCK_BLAS);
  if (!libraries[BESIDE_BLAS].file) libraries[BESIDE_BLAS].file = blas->file;
  ndi_unlock(NDI_LOCK_BLAS);
  if (open_one(BESIDE_BLAS, blas, err) == ND_OK || open_one(ALONE, &unknown, &other) == ND_OK)
    return chosen;
  return NULL;
}
