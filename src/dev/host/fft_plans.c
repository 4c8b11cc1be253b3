/* The cache of plans: a table of the ones that were used last. To make a plan takes as long as
 * tens of transforms. */
#include "dev/host/fft_plans.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/lock.h"

enum {
  PLANS = 32, /* in the cache, at most */
  ALIGN = 64
};
static const size_t MOST = (size_t)128 << 20; /* bytes of all of them, at most */

/* All but 'way' and 'bytes': under NDI_LOCK_PLANS. */
typedef struct {
  ndi_fft_way way; /* first: what callers have is its address */
  void *memory;    /* of the tables */
  size_t bytes;    /* about */
  size_t users;
  uint64_t used; /* when, by 'clock' */
  bool is_kept;  /* is it in the table? */
} entry;

static entry *table[PLANS];
static size_t count, bytes_kept;
static uint64_t ticks;

/* {=== one plan ===} */

static void free_entry(entry *e) {
  if (e->way.plan) {
    ndi_lock(NDI_LOCK_FFTW);
    e->way.library->call.destroy_plan(e->way.plan);
    ndi_unlock(NDI_LOCK_FFTW);
  }
  free(e->memory);
  free(e);
}

/* By the library; else there is no plan. An estimate reads and writes no array, and gives the same
 * plan each time: it needs addresses only for their alignment. */
static void plan_by_library(ndi_fft_way *way) {
  static _Alignas(ALIGN) char arrays[2][ALIGN];
  const ndi_fft *own = &way->own;
  const ndi_fftw *f = own->n <= INT32_MAX ? ndi_fftw_find(own->dtype, NULL) : NULL;
  const int n = (int)own->n, sign = own->is_inverse ? NDI_FFTW_BACKWARD : NDI_FFTW_FORWARD;
  char *x = arrays[0], *z = arrays[1];
  if (!f) return;
  way->library = f;
  ndi_lock(NDI_LOCK_FFTW);
  switch (own->form) {
    case NDI_FFT_COMPLEX: way->plan = f->call.plan_dft_1d(n, x, z, sign, NDI_FFTW_ESTIMATE); break;
    case NDI_FFT_REAL: way->plan = f->call.plan_dft_r2c_1d(n, x, z, NDI_FFTW_ESTIMATE); break;
    case NDI_FFT_HERMITIAN: way->plan = f->call.plan_dft_c2r_1d(n, x, z, NDI_FFTW_ESTIMATE); break;
  }
  ndi_unlock(NDI_LOCK_FFTW);
}

static char *aligned(void *memory) {
  return (char *)(((uintptr_t)memory + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1));
}

static nd_status fill_tables(entry *e, nd_error *err) {
  ndi_fft *own = &e->way.own;
  void *work = malloc(own->work_bytes + ALIGN);
  e->memory = malloc(own->table_bytes + ALIGN);
  if (!work || !e->memory) {
    free(work);
    return nd_fail(err, ND_OUT_OF_MEMORY, "there is no memory for a Fourier transform of %zu",
                   own->n);
  }
  own->tables = aligned(e->memory);
  ndi_fft_fill(own, aligned(work));
  free(work);
  e->bytes += own->table_bytes;
  return ND_OK;
}

static nd_status make_entry(const ndi_fft *own, entry **out, nd_error *err) {
  entry *e = calloc(1, sizeof *e);
  if (!e)
    return nd_fail(err, ND_OUT_OF_MEMORY, "there is no memory for a Fourier transform of %zu",
                   own->n);
  e->way.own = *own;
  e->bytes = sizeof *e + own->n * nd_dtype_get(own->dtype)->bytes;
  plan_by_library(&e->way);
  const nd_status status = e->way.plan ? ND_OK : fill_tables(e, err);
  if (status == ND_OK) *out = e;
  else free_entry(e);
  return status;
}

/* {=== the table ===} under NDI_LOCK_PLANS */

static entry *find_entry(const ndi_fft *own) {
  for (size_t i = 0; i < count; i++) {
    const ndi_fft *has = &table[i]->way.own;
    if (has->n == own->n && has->form == own->form && has->dtype == own->dtype &&
        has->is_inverse == own->is_inverse)
      return table[i];
  }
  return NULL;
}

/* Take the one out that was used longest ago of those that nobody has taken. NULL: there is none.
 */
static entry *remove_oldest(void) {
  size_t oldest = count;
  for (size_t i = 0; i < count; i++)
    if (table[i]->users == 0 && (oldest == count || table[i]->used < table[oldest]->used))
      oldest = i;
  if (oldest == count) return NULL;
  entry *e = table[oldest];
  table[oldest] = table[--count];
  bytes_kept -= e->bytes;
  e->is_kept = false;
  return e;
}

/* Is there room for 'e' beside those that are taken? What has to go for it is in 'gone'. */
static bool make_room(const entry *e, entry **gone, size_t *n) {
  *n = 0;
  if (e->bytes > MOST) return false;
  while (count == PLANS || bytes_kept + e->bytes > MOST) {
    entry *old = remove_oldest();
    if (!old) return false;
    gone[(*n)++] = old;
  }
  return true;
}

static void use(entry *e) {
  e->users++;
  e->used = ++ticks;
}

/* {=== taking and giving back ===} */

/* Put 'e' into the table, unless another thread was sooner: then that thread's is taken. */
static entry *keep(entry *e) {
  entry *gone[PLANS + 1];
  size_t n = 0;
  ndi_lock(NDI_LOCK_PLANS);
  entry *there = find_entry(&e->way.own);
  if (!there && make_room(e, gone, &n)) {
    table[count++] = e;
    bytes_kept += e->bytes;
    e->is_kept = true;
  }
  use(there ? there : e);
  ndi_unlock(NDI_LOCK_PLANS);
  for (size_t i = 0; i < n; i++) free_entry(gone[i]);
  if (there) free_entry(e);
  return there ? there : e;
}

nd_status ndi_fft_way_take(nd_dtype real, ndi_fft_form form, bool is_inverse, size_t n,
                           const ndi_fft_way **out, nd_error *err) {
  const ndi_fft asked = {.dtype = real, .form = form, .is_inverse = is_inverse, .n = n};
  ndi_fft own;
  ndi_lock(NDI_LOCK_PLANS);
  entry *e = find_entry(&asked);
  if (e) use(e);
  ndi_unlock(NDI_LOCK_PLANS);
  if (!e) {
    if (!ndi_fft_plan(real, form, is_inverse, n, &own))
      return nd_fail_with(err, ND_OVERFLOW, ND_NUMBERS({"value", (int64_t)n}),
                          "a Fourier transform of %zu needs more memory than there is", n);
    ND_TRY(make_entry(&own, &e, err));
    e = keep(e);
  }
  *out = &e->way;
  return ND_OK;
}

void ndi_fft_way_give(const ndi_fft_way *way) {
  entry *e = (entry *)(uintptr_t)way;
  ndi_lock(NDI_LOCK_PLANS);
  const bool is_last = --e->users == 0 && !e->is_kept;
  ndi_unlock(NDI_LOCK_PLANS);
  if (is_last) free_entry(e);
}

void ndi_fft_ways_free(void) {
  entry *gone[PLANS];
  size_t n = 0;
  ndi_lock(NDI_LOCK_PLANS);
  for (entry *e; (e = remove_oldest());) gone[n++] = e;
  ndi_unlock(NDI_LOCK_PLANS);
  for (size_t i = 0; i < n; i++) free_entry(gone[i]);
}

void ndi_fft_ways_count(size_t *plans, size_t *taken) {
  ndi_lock(NDI_LOCK_PLANS);
  *plans = count;
  *taken = 0;
  for (size_t i = 0; i < count; i++) *taken += table[i]->users;
  ndi_unlock(NDI_LOCK_PLANS);
}

/* The code of the library may go before ours, but not while its handle is open. */
__attribute__((destructor)) static void free_at_unload(void) { ndi_fft_ways_free(); }

/* {=== transforming ===} */

size_t ndi_fft_way_work(const ndi_fft_way *way) { return way->plan ? 0 : way->own.work_bytes; }

bool ndi_fft_way_fits(const ndi_fft_way *way, const char *at) {
  if (way->plan) return way->library->call.alignment_of(at) == 0;
  return (uintptr_t)at % nd_dtype_get(way->own.dtype)->bytes == 0;
}

void ndi_fft_way_run(const ndi_fft_way *way, char *x, char *z, char *work) {
  if (!way->plan) {
    ndi_fft_run(&way->own, x, z, work);
    return;
  }
  switch (way->own.form) {
    case NDI_FFT_COMPLEX: way->library->call.execute_dft(way->plan, x, z); break;
    case NDI_FFT_REAL: way->library->call.execute_dft_r2c(way->plan, x, z); break;
    case NDI_FFT_HERMITIAN: way->library->call.execute_dft_c2r(way->plan, x, z); break;
  }
}
