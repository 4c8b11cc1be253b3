/* The SIGBUS handler and the table of guarded ranges that it searches. A handler must not take a
 * lock or allocate: the table is of atomics, in chunks that are never freed or moved, and mmap is
 * the only call, a plain system call on Linux. The search may be linear, since it happens only when
 * a page is lost. */
#include "mem/sigbus.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/lock.h"
#include "mem/host.h"

struct ndi_guarded {
  atomic_uintptr_t lo, hi; /* the range [lo, hi); lo 0: this record is free */
  _Atomic(_Atomic uint64_t *) epoch;
  atomic_bool is_lost;
};

enum { CHUNK = 256, CHUNKS = 4096 }; /* a million mappings */
static _Atomic(ndi_guarded *) chunks[CHUNKS];
static pthread_once_t installed = PTHREAD_ONCE_INIT;
static struct sigaction former; /* the handler that was installed before */

/* The guarded range that has the address; NULL: none. Called by the handler, while other threads
 * guard and unguard. */
static ndi_guarded *find(uintptr_t at) {
  ndi_guarded *chunk;
  for (int c = 0; c < CHUNKS && (chunk = atomic_load(&chunks[c])); c++)
    for (int i = 0; i < CHUNK; i++) {
      const uintptr_t lo = atomic_load(&chunk[i].lo), hi = atomic_load(&chunk[i].hi);
      /* 'lo' again: another thread may have reused the record after its first read */
      if (lo && at >= lo && at < hi && atomic_load(&chunk[i].lo) == lo) return &chunk[i];
    }
  return NULL;
}

/* Map zeros over the page of 'at' and the rest of the mapping: where the file ends before this
 * page, all that follows is gone as well. */
static bool replace_tail(ndi_guarded *g, uintptr_t at) {
  const uintptr_t page = at & ~(uintptr_t)(ndi_page_bytes() - 1), hi = atomic_load(&g->hi);
  void *zeros = mmap((void *)page, hi - page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (zeros == MAP_FAILED) return false;
  /* before the epoch, which sends later accesses to the check that reads it */
  atomic_store(&g->is_lost, true);
  _Atomic uint64_t *epoch = atomic_load(&g->epoch);
  if (epoch) atomic_fetch_add(epoch, 1);
  return true;
}

static void pass_on(int number, siginfo_t *info, void *context) {
  if (former.sa_flags & SA_SIGINFO) former.sa_sigaction(number, info, context);
  else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) former.sa_handler(number);
  else sigaction(SIGBUS, &former, NULL); /* on return the access faults again, and kills us */
}

static void on_sigbus(int number, siginfo_t *info, void *context) {
  const int saved = errno; /* the interrupted code must not see it change */
  ndi_guarded *g = find((uintptr_t)info->si_addr);
  if (!g || !replace_tail(g, (uintptr_t)info->si_addr)) pass_on(number, info, context);
  errno = saved;
}

static void install(void) {
  struct sigaction ours = {.sa_sigaction = on_sigbus,
                           .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
  sigemptyset(&ours.sa_mask);
  sigaction(SIGBUS, NULL, &former); /* known before ours can run and need it */
  sigaction(SIGBUS, &ours, NULL);
}

/* A free record, in a new chunk if need be. NDI_LOCK_GUARDED is held. */
static ndi_guarded *find_free(void) {
  for (int c = 0; c < CHUNKS; c++) {
    ndi_guarded *chunk = atomic_load(&chunks[c]);
    if (!chunk) {
      if (!(chunk = calloc(CHUNK, sizeof *chunk))) return NULL;
      atomic_store(&chunks[c], chunk);
    }
    for (int i = 0; i < CHUNK; i++)
      if (atomic_load(&chunk[i].lo) == 0) return &chunk[i];
  }
  return NULL;
}

ndi_guarded *ndi_sigbus_guard(void *at, size_t bytes) {
  pthread_once(&installed, install);
  ndi_lock(NDI_LOCK_GUARDED);
  ndi_guarded *g = find_free();
  if (g) {
    atomic_store(&g->is_lost, false);
    atomic_store(&g->epoch, NULL);
    atomic_store(&g->hi, (uintptr_t)at + bytes);
    atomic_store(&g->lo, (uintptr_t)at); /* last: this makes the record visible to the handler */
  }
  ndi_unlock(NDI_LOCK_GUARDED);
  return g;
}

void ndi_sigbus_unguard(ndi_guarded *guarded) { atomic_store(&guarded->lo, 0); }

void ndi_sigbus_watch(ndi_guarded *guarded, _Atomic uint64_t *epoch) {
  atomic_store(&guarded->epoch, epoch);
}

bool ndi_sigbus_is_lost(const ndi_guarded *guarded) { return atomic_load(&guarded->is_lost); }
