/* What the files of the host device share. */
#ifndef ND_DEV_HOST_H
#define ND_DEV_HOST_H

#include <stdatomic.h>

#include "dev/device.h"

/* Elements between two looks for an interrupt. */
enum { NDI_BETWEEN_POLLS = 1 << 20 };

/* What threads that share work end by: part 0, whose thread has the hooks, looks for interrupts. */
typedef struct {
  atomic_bool is_stopped;
  nd_error *err;
  nd_status status;
} ndi_poll;

/* After 'n' more elements, of which '*since' have not been asked for: is the work to end? */
bool ndi_poll_stops(ndi_poll *poll, size_t part, size_t *since, size_t n);

/* The storages' host addresses, allocated and settled; the first view's for writing where
 * 'writes_first'. */
nd_status ndi_host_bases(int count, const nd_view *const *views, bool writes_first, char **bases,
                         nd_error *err);

/* Memory for the length of an operation. Nothing is collected for it, as finalizers might free what
 * the operation works on. Given back by ndi_host_unscratch. */
nd_status ndi_host_scratch(size_t bytes, nd_block *out, nd_error *err);
void ndi_host_unscratch(const nd_block *block);

/* After the work: did a file that was read or written shrink meanwhile? */
nd_status ndi_host_verify(int count, const nd_view *const *views, nd_error *err);

/* 'at' bytes behind a base, which is NULL where the storage has no bytes. */
static inline char *ndi_host_at(char *base, size_t at) { return base ? base + at : NULL; }

nd_status ndi_host_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                        nd_error *err);
nd_status ndi_host_elementwise(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_reduce(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_gather(const nd_task *task, char *const *bases, nd_error *err);
nd_status ndi_host_sort(const nd_task *task, char *const *bases, nd_error *err);
/* Elements first … first + n of a progression, converted to the dtype. */
void ndi_range_fill(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, const nd_progression *p,
                    size_t first);
nd_status ndi_host_run(nd_device *self, const nd_task *task, nd_error *err);

/* Elements that a loop over memory handles between two looks ahead. */
enum { NDI_STRIP = 512 };

/* Fetch what lies some lines ahead of these 'bytes', which may be past the end: a processor looks
 * too short a way ahead by itself, above all where it is to write. */
static inline void ndi_fetch_ahead(const void *at, size_t bytes) {
  const uintptr_t first = (uintptr_t)at + 1024;
  for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const void *)(first + i), 1);
}

#endif
