/* Finding FFTW. */
#include "dev/host/fftw.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/library.h"
#include "base/lock.h"

/* ORDER FFTW: as in ndi_fftw_functions. */
#define SYMBOLS(of)                                                                       \
  {                                                                                       \
    of "plan_dft_1d", of "plan_dft_r2c_1d", of "plan_dft_c2r_1d", of "execute_dft",       \
        of "execute_dft_r2c", of "execute_dft_c2r", of "destroy_plan", of "alignment_of", \
        of "version", NULL                                                                \
  }
static const char *const wide[] = SYMBOLS("fftw_"), *const narrow[] = SYMBOLS("fftwf_");
enum { OPTIONAL = 1, PATH = 4096, NAMED = 2, WAYS = NAMED + 1 };

/* Of either kind: those that are named, then the one that is looked for. */
static char named[NAMED][PATH];
static ndi_fftw found[2][WAYS];
#define LIBRARY(is_wide, at, in, from)                                                 \
  {                                                                                    \
    .name = "FFTW", .file = in, .package = from, .symbols = (is_wide) ? wide : narrow, \
    .optional = OPTIONAL, .functions = &found[is_wide][at].call                        \
  }
static ndi_library libraries[2][WAYS] = {
    {LIBRARY(0, 0, named[0], "libfftw3-single3"), LIBRARY(0, 1, named[1], "libfftw3-single3"),
     LIBRARY(0, 2, "libfftw3f.so.3", "libfftw3-single3")},
    {LIBRARY(1, 0, named[0], "libfftw3-double3"), LIBRARY(1, 1, named[1], "libfftw3-double3"),
     LIBRARY(1, 2, "libfftw3.so.3", "libfftw3-double3")}};

/* {=== which one ===} */

enum { UNKNOWN, ABSENT, PRESENT };
static atomic_int states[2];
static const ndi_fftw *chosen[2]; /* these two: set before the state, and not changed after */
static nd_error reasons[2];
static bool is_chosen, is_named, is_none;

static void split_names(const char *files) {
  const char *colon = strchr(files, ':');
  const int first = colon ? (int)(colon - files) : (int)strlen(files);
  snprintf(named[0], PATH, "%.*s", first, files);
  if (colon) snprintf(named[1], PATH, "%s", colon + 1);
}

void ndi_fftw_choose(const char *files) {
  ndi_lock(NDI_LOCK_FFTW);
  if (!is_chosen && files) {
    is_named = true;
    is_none = *files == 0 || strcmp(files, "none") == 0;
    split_names(files);
  }
  is_chosen = true;
  ndi_unlock(NDI_LOCK_FFTW);
}

/* {=== what it is ===} */

/* The transform of 1, 2 by the library, whose numbers are of 'T'. */
#define CHECK(name, T)                                                                 \
  static bool name(const ndi_fftw *f) {                                                \
    _Alignas(64) T in[] = {1, 0, 2, 0};                                                \
    _Alignas(64) T out[4] = {0};                                                       \
    void *plan = f->call.plan_dft_1d(2, in, out, NDI_FFTW_FORWARD, NDI_FFTW_ESTIMATE); \
    if (!plan) return false;                                                           \
    f->call.execute_dft(plan, in, out);                                                \
    f->call.destroy_plan(plan);                                                        \
    return out[0] == 3 && out[1] == 0 && out[2] == -1 && out[3] == 0;                  \
  }
CHECK(is_right_f32, float)
CHECK(is_right_f64, double)

static void describe(ndi_fftw *f, const char *file) {
  const char *version = f->call.version ? strchr(f->call.version, '-') : NULL;
  const int length = version ? (int)strcspn(version + 1, "-") : 0;
  snprintf(f->text, sizeof f->text, "FFTW%s%.*s (%.200s)", length ? " " : "",
           length < 20 ? length : 20, version ? version + 1 : "", file);
}

/* The file is opened without the lock (base/library.h); its planner is for one thread at a time. */
static nd_status open_one(bool is_wide, size_t at, nd_error *err) {
  ndi_library *library = &libraries[is_wide][at];
  ND_TRY(ndi_library_open(library, err));
  ndi_lock(NDI_LOCK_FFTW);
  const bool is_right = (is_wide ? is_right_f64 : is_right_f32)(&found[is_wide][at]);
  ndi_unlock(NDI_LOCK_FFTW);
  if (is_right) return ND_OK;
  return nd_fail(err, ND_UNSUPPORTED, "%.200s is no FFTW: the transform of 1, 2 is not 3, -1",
                 library->file);
}

/* The first of those in question that is there; 'why' says what is wrong with the first. */
static const ndi_fftw *look(bool is_wide, nd_error *why) {
  if (is_none) {
    nd_fail(why, ND_UNSUPPORTED, "NDBUF_FFTW is none");
    return NULL;
  }
  const size_t first = is_named ? 0 : NAMED, end = is_named ? NAMED : WAYS;
  for (size_t i = first; i < end && *libraries[is_wide][i].file; i++) {
    nd_error err;
    if (open_one(is_wide, i, &err) == ND_OK) return &found[is_wide][i];
    if (i == first) *why = err;
  }
  return NULL;
}

/* Threads that get here at the same time find the same. */
static void find(bool is_wide) {
  nd_error why;
  const ndi_fftw *library = look(is_wide, &why);
  ndi_lock(NDI_LOCK_FFTW);
  if (atomic_load(&states[is_wide]) == UNKNOWN) {
    if (library) {
      const size_t at = (size_t)(library - found[is_wide]);
      describe(&found[is_wide][at], libraries[is_wide][at].file);
    } else {
      reasons[is_wide] = why;
    }
    chosen[is_wide] = library;
    atomic_store(&states[is_wide], library ? PRESENT : ABSENT);
  }
  ndi_unlock(NDI_LOCK_FFTW);
}

const ndi_fftw *ndi_fftw_find(nd_dtype real, nd_error *err) {
  const bool is_wide = real == ND_F64;
  if (atomic_load(&states[is_wide]) == UNKNOWN) find(is_wide);
  if (atomic_load(&states[is_wide]) == PRESENT) return chosen[is_wide];
  if (err) *err = reasons[is_wide];
  return NULL;
}
