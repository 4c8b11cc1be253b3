/* What the files of the host device share: interrupts, addresses, scratch memory, and the functions
 * of its operations.
 *
 * The functions return a status and are called with a valid task (dev/device.h); 'bases' are the
 * addresses of the storages of its views, from ndi_host_bases. */
#ifndef ND_DEV_HOST_H
#define ND_DEV_HOST_H

#include <stdatomic.h>

#include "dev/device.h"
#include "dev/threads.h"
#include "view/iter.h"

/* Elements that are processed between two polls for an interrupt. */
enum { NDI_BETWEEN_POLLS = 1 << 20 };

/* How the threads of one operation end early: thread 0, the caller's, polls for interrupts, the
 * others only read the flag. */
typedef struct {
  atomic_bool is_stopped;
  size_t since; /* elements of thread 0 since its last poll */
  nd_error *err;
  nd_status status;
} ndi_poll;

/* Call after 'n' more elements on thread 'thread' of ndi_run_parts. True when the work is to end:
 * 'poll->status' then has the reason. */
bool ndi_poll_stops(ndi_poll *poll, size_t thread, size_t n);

/* Host addresses of the views' storages, which are allocated if need be, after waiting for pending
 * work that conflicts. The first 'written' views will be written, all others only read. Allocating
 * may run finalizers, so call it before anything else is held. */
nd_status ndi_host_bases(int count, const nd_view *const *views, int written, char **bases,
                         nd_error *err);

/* Scratch memory for the length of an operation, from the host resource. Taken without collecting
 * garbage, as a finalizer might free what the operation works on; ND_OUT_OF_MEMORY. Give it back by
 * ndi_host_unscratch. */
nd_status ndi_host_scratch(size_t bytes, nd_block *out, nd_error *err);
void ndi_host_unscratch(const nd_block *block);

/* How threads share lines: where there are enough of them, each part of 'across' has some; else
 * they are worked on one after another, cut into the parts of 'within'. The other split has one
 * part, so jobs do not nest. 'bytes' is what all lines have. */
void ndi_lines_split(uint64_t bytes, size_t lines, ndi_split *across, ndi_split *within);

/* Run the parts of lines, with scratch memory of 'each' bytes for each thread, which '*scratch'
 * tells: of thread i it begins at i * *each, which is rounded up to cache lines. 'what' and 'n',
 * the length of a line, are for the message of ND_OVERFLOW. */
nd_status ndi_lines_run(const char *what, size_t n, ndi_split across, ndi_part *run, void *context,
                        size_t *each, char **scratch, nd_error *err);

/* Call after the work: ND_IO where a mapped file that backs one of the views shrank meanwhile. */
nd_status ndi_host_verify(int count, const nd_view *const *views, nd_error *err);

/* Address 'at' bytes after 'base'; NULL where the storage has no bytes and so no base. */
static inline char *ndi_host_at(char *base, size_t at) { return base ? base + at : NULL; }

nd_status ndi_host_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                        nd_error *err);
nd_status ndi_host_elementwise(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_fill(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_reduce(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_gather(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_join(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_sort(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_partition(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_topk(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_quantile(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_mode(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_count(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_scan(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_product(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_factor(const nd_task *task, char *const *bases, nd_error *err);
/* How many views of a factorisation are written; the others are its operands. */
int ndi_factor_results(const nd_task *task);
nd_status ndi_host_fft(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_convolve(const nd_task *task, char *const *bases, nd_error *err);
/* Write elements first … first + n - 1 of a progression to 'z', converted to 'dtype'. */
void ndi_range_fill(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, const nd_progression *p,
                    size_t first);
nd_status ndi_host_run(nd_device *self, const nd_task *task, nd_error *err);
bool ndi_host_can(nd_device *self, const nd_task *task);
bool ndi_host_can_elementwise(const nd_task *task);
bool ndi_host_can_gather(const nd_task *task);

/* Should an operation that walks over 'views' store view 0, its result, past the caches
 * (kern/pass.h)? Where its runs are packed and have 'worth' bytes at least, and either a device
 * will read it, or the views have enough bytes together (ndi_passes_from), elements are no wider
 * and no narrower than the widest operand's, and no operand is of the same storage, as lines that
 * were just read are in the caches anyway. */
bool ndi_host_passes(const nd_iter *walk, const nd_view *const *views, size_t worth);

/* Elements that a loop processes between two prefetches: so few that these do not queue up. */
enum { NDI_STRIP = 128 };

/* Prefetch 'bytes' bytes from 1 KiB after 'at' on for writing, from 2 KiB after it for reading; may
 * be past the end of the array, as a prefetch never faults. Hardware prefetchers look too short a
 * way ahead, most of all for writes. */
static inline void ndi_fetch_to_write(const void *at, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64) ND_FETCH_TO_WRITE(at, 1024 + i);
}

static inline void ndi_fetch_to_read(const void *at, size_t bytes) {
  const uintptr_t first = (uintptr_t)at + 2048;
  for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const void *)(first + i));
}

#endif
