/* The table of devices, and the wrappers of nd_device_ops, which supply its defaults. Devices are
 * only ever added, so readers need no lock. */
#include "dev/device.h"
#include "base/lock.h"

static _Atomic(nd_device *) devices[ND_DEVICES];
static atomic_int count = 1; /* number 0 is the host, which is not in the table */

nd_status nd_device_register(nd_device *device, nd_error *err) {
  ndi_lock(NDI_LOCK_REGISTRY);
  const int at = atomic_load(&count);
  if (at < ND_DEVICES) {
    device->number = (uint16_t)at;
    devices[at] = device;
    atomic_store(&count, at + 1);
  }
  ndi_unlock(NDI_LOCK_REGISTRY);
  return at < ND_DEVICES ? ND_OK
                         : nd_fail_with(err, ND_CAPACITY, ND_NUMBERS({"limit", ND_DEVICES}),
                                        "%d devices are registered already", ND_DEVICES);
}

nd_device *nd_device_get(uint16_t number) {
  nd_device *found = number < ND_DEVICES ? devices[number] : NULL;
  return found ? found : nd_host_device();
}

nd_device *nd_device_of(const nd_view *view) {
  return nd_device_get(view->storage->resource->device);
}

nd_status nd_device_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                         nd_error *err) {
  return self->ops->copy(self, dst, src, mode, err);
}

nd_status nd_device_run(nd_device *self, const nd_task *task, nd_error *err) {
  if (!self->ops->can(self, task))
    return nd_fail_remedy(err, ND_UNSUPPORTED, ND_REMEDY_HOST, "%s is not supported on %s",
                          task->name ? task->name : nd_op_get(task->op)->name, self->name);
  return self->ops->run(self, task, err);
}

nd_status nd_device_sync(nd_device *self, nd_error *err) {
  return self->ops->sync ? self->ops->sync(self, err) : ND_OK;
}
