/* The devices of the process, and calls through their tables with the defaults. */
#include "base/lock.h"
#include "dev/device.h"

static nd_device *devices[ND_DEVICES];
static atomic_int count;

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
  return number < atomic_load(&count) ? devices[number] : nd_host_device();
}

nd_device *nd_device_of(const nd_view *view) {
  return nd_device_get(view->storage->resource->device);
}

nd_status nd_device_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                         nd_error *err) {
  return self->ops->copy(self, dst, src, mode, err);
}

nd_status nd_device_check(nd_device *self, const nd_view *src, nd_dtype dtype, size_t *first,
                          nd_error *err) {
  return self->ops->check(self, src, dtype, first, err);
}

nd_status nd_device_run(nd_device *self, const nd_task *task, nd_error *err) {
#define ND_ROW(ID, name, ...) #name,
  static const char *const names[] = {ND_OPS(ND_ROW)};
#undef ND_ROW
  if (!self->ops->run || (self->ops->can && !self->ops->can(self, task)))
    return nd_fail(err, ND_UNSUPPORTED, "%s is not supported on %s; use :to(\"cpu\")",
                   task->name ? task->name : names[task->op], self->name);
  return self->ops->run(self, task, err);
}

nd_status nd_device_sync(nd_device *self, nd_error *err) {
  return self->ops->sync ? self->ops->sync(self, err) : ND_OK;
}
