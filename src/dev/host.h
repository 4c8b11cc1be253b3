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

nd_status ndi_host_run(nd_device *self, const nd_task *task, nd_error *err);

#endif
