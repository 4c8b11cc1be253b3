/* What the files of the host device share. */
#ifndef ND_DEV_HOST_H
#define ND_DEV_HOST_H

#include "dev/device.h"

/* The storages' host addresses, allocated and settled; the first view's for writing where
 * 'writes_first'. */
nd_status ndi_host_bases(int count, const nd_view *const *views, bool writes_first, char **bases,
                         nd_error *err);

/* After the work: did a file that was read or written shrink meanwhile? */
nd_status ndi_host_verify(int count, const nd_view *const *views, nd_error *err);

/* 'at' bytes behind a base, which is NULL where the storage has no bytes. */
static inline char *ndi_host_at(char *base, size_t at) { return base ? base + at : NULL; }

nd_status ndi_host_run(nd_device *self, const nd_task *task, nd_error *err);

#endif
