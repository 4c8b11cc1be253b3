/* Finding the library of linear algebra, and who may call it when. */
#include "dev/host/blas.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/library.h"
#include "base/lock.h"
#include "dev/threads.h"
#include "kern/level.h"

/* ORDER BLAS: as in ndi_blas_functions. */
static const char *const symbols[] = {"cblas_sgemm",
                                      "cblas_dgemm",
                                      "cblas_cgemm",
                                      "cblas_zgemm",
                                      "cblas_ddot",
                                      "openblas_get_config",
                                      "openblas_get_corename",
                                      "openblas_get_parallel",
                                      "openblas_get_num_threads",
                                      "openblas_set_num_threads",
                                      "MKL_Get_Max_Threads",
                                      "MKL_Set_Num_Threads",
                                      NULL};
enum { OPTIONAL = 7, PATH = 4096 };

/* The first is the one that is named; of the others the first that is there is used. */
static char named[PATH];
static ndi_blas found[4];
#define LIBRARY(at, of, in, from)                                                      \
  {                                                                                    \
    .name = of, .file = in, .package = from, .symbols = symbols, .optional = OPTIONAL, \
    .functions = &found[at].call                                                       \
  }
static ndi_library libraries[] = {
    LIBRARY(0, "a BLAS", named, "libopenblas0-pthread"),
    LIBRARY(1, "OpenBLAS", "libopenblas.so.0", "libopenblas0-pthread"),
    LIBRARY(2, "MKL", "libmkl_rt.so", "intel-mkl"), LIBRARY(3, "BLAS", "libblas.so.3", "libblas3")};

/* {=== what a library is ===} */

/* 1 * 3 + 2 * 4 by the library. The lower half of 'n' is 2, but as a number of 64 bits it is
 * negative: there is nothing to add up for a library that reads all of it. */
static nd_status check_integers(const ndi_blas *blas, const char *file, nd_error *err) {
  const double x[] = {1, 2}, y[] = {3, 4};
  const double dot = blas->call.ddot(INT64_MIN + 2, x, 1, y, 1);
  if (dot == 11) return ND_OK;
  if (dot == 0)
    return nd_fail(err, ND_UNSUPPORTED,
                   "%.200s has 64-bit integers (ILP64); ndbuf needs a BLAS with 32-bit ones", file);
  return nd_fail(err, ND_UNSUPPORTED, "%.200s is no BLAS: 1 * 3 + 2 * 4 is %g by cblas_ddot", file,
                 dot);
}

/* Was it made for processors without AVX, as which it takes those that are newer than itself? Then
 * our own kernels are faster on any that has AVX2. */
static bool is_for_older(const char *core) {
  static const char *const older[] = {"Prescott",  "Core2",  "Penryn",  "Dunnington",
                                      "Nehalem",   "Athlon", "Opteron", "Opteron_SSE3",
                                      "Barcelona", "Bobcat", "Atom",    "Nano"};
  bool is_one = false;
  for (size_t i = 0; i < ND_COUNTOF(older); i++) is_one |= strcasecmp(core, older[i]) == 0;
  return is_one && ndi_level() >= 3;
}

static void describe_openblas(ndi_blas *blas, const char *file) {
  const char *config = blas->call.openblas_get_config();
  const char *core = blas->call.openblas_get_corename ? blas->call.openblas_get_corename() : "";
  const char *version = strchr(config, ' ');
  const int length = version ? (int)strcspn(version + 1, " ") : 0;
  const bool is_slow = is_for_older(core);
  blas->multiplies = !is_slow;
  blas->is_shared = blas->call.openblas_get_parallel && blas->call.openblas_get_parallel() == 1 &&
                    blas->call.openblas_get_num_threads && blas->call.openblas_set_num_threads;
  snprintf(blas->text, sizeof blas->text, "OpenBLAS %.*s (%.200s)%s%.20s", length,
           version ? version + 1 : "", file,
           is_slow ? ", which is slower, as it takes this processor for a " : " for ", core);
}

static void describe(ndi_blas *blas, const ndi_library *from) {
  if (blas->call.openblas_get_config) {
    describe_openblas(blas, from->file);
  } else if (blas->call.mkl_set_num_threads && blas->call.mkl_get_max_threads) {
    blas->multiplies = blas->is_shared = true;
    snprintf(blas->text, sizeof blas->text, "MKL (%.200s)", from->file);
  } else {
    snprintf(blas->text, sizeof blas->text, "BLAS (%.200s)%s", from->file,
             from->file == named ? "" : ", which may be slower: NDBUF_BLAS can name it");
  }
  blas->file = from->file;
  if (from->file == named) blas->multiplies = true;
}

/* {=== which library ===} */

enum { UNKNOWN, ABSENT, PRESENT };
static atomic_int state;
static const ndi_blas *chosen; /* these two: set before 'state', and not changed after */
static nd_error reason;
static bool is_chosen;

void ndi_blas_choose(const char *file) {
  ndi_lock(NDI_LOCK_BLAS);
  if (!is_chosen && file) snprintf(named, sizeof named, "%s", file);
  is_chosen = true;
  ndi_unlock(NDI_LOCK_BLAS);
}

/* Without the lock, as ndi_library_open. */
static nd_status open_one(size_t at, nd_error *err) {
  ND_TRY(ndi_library_open(&libraries[at], err));
  return check_integers(&found[at], libraries[at].file, err);
}

/* The library at the index that is returned; 'why' says what is wrong with the first one, or with
 * one that is there but refused. */
static size_t look(nd_error *why) {
  bool is_refused = false;
  if (strcmp(named, "none") == 0) {
    nd_fail(why, ND_UNSUPPORTED,
            "NDBUF_BLAS is none; a library, with LAPACK, is in Debian's package %s",
            libraries[1].package);
    return ND_COUNTOF(libraries);
  }
  const size_t first = *named ? 0 : 1, end = *named ? 1 : ND_COUNTOF(libraries);
  for (size_t i = first; i < end; i++) {
    nd_error err;
    if (open_one(i, &err) == ND_OK) return i;
    if (i == first || (libraries[i].is_open && !is_refused)) *why = err;
    is_refused |= libraries[i].is_open;
  }
  return ND_COUNTOF(libraries);
}

/* Threads that get here at the same time find the same. */
static void find(void) {
  nd_error why;
  const size_t at = look(&why);
  ndi_lock(NDI_LOCK_BLAS);
  if (atomic_load(&state) == UNKNOWN) {
    const bool is_there = at < ND_COUNTOF(libraries);
    if (is_there) describe(&found[at], &libraries[at]), chosen = &found[at];
    else reason = why;
    atomic_store(&state, is_there ? PRESENT : ABSENT);
  }
  ndi_unlock(NDI_LOCK_BLAS);
}

const ndi_blas *ndi_blas_find(nd_error *err) {
  if (atomic_load(&state) == UNKNOWN) find();
  if (atomic_load(&state) == PRESENT) return chosen;
  if (err) *err = reason;
  return NULL;
}

/* {=== who may call it ===} All under NDI_LOCK_BLAS. */

static unsigned inside;     /* calls of ndi_blas_enter that were not left */
static int own_threads;     /* of the library, before the first of them */
static bool is_lost;        /* see ndi_blas_enter */
static unsigned seen_forks; /* that all of these are of */
static pthread_cond_t to_leave = PTHREAD_COND_INITIALIZER;

static int threads_of(const ndi_blas *blas) {
  if (blas->call.mkl_set_num_threads) return blas->call.mkl_get_max_threads();
  return blas->call.openblas_get_num_threads ? blas->call.openblas_get_num_threads() : 0;
}

static void set_threads(const ndi_blas *blas, int count) {
  if (blas->call.mkl_set_num_threads) blas->call.mkl_set_num_threads(count);
  else if (blas->call.openblas_set_num_threads) blas->call.openblas_set_num_threads(count);
}

/* In a forked child nobody is inside, but who was when it was forked may have left a lock of the
 * library locked. */
static void notice_fork(void) {
  if (seen_forks == ndi_forks()) return;
  seen_forks = ndi_forks();
  is_lost |= inside > 0;
  inside = 0;
}

bool ndi_blas_enter(const ndi_blas *blas) {
  ndi_lock(NDI_LOCK_BLAS);
  notice_fork();
  while (!is_lost && !blas->is_shared && inside > 0) ndi_lock_wait(NDI_LOCK_BLAS, &to_leave);
  const bool enters = !is_lost;
  if (enters && inside++ == 0) {
    own_threads = threads_of(blas);
    set_threads(blas, blas->is_shared ? 1 : nd_threads_get());
  }
  ndi_unlock(NDI_LOCK_BLAS);
  return enters;
}

/* Other libraries may use the same one: they get back the threads that they had. */
void ndi_blas_leave(const ndi_blas *blas) {
  ndi_lock(NDI_LOCK_BLAS);
  notice_fork();
  if (inside > 0 && --inside == 0 && own_threads > 0) set_threads(blas, own_threads);
  pthread_cond_signal(&to_leave);
  ndi_unlock(NDI_LOCK_BLAS);
}
