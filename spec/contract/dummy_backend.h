/* A backend in one file, registered by one line: memory that the host may not touch, copies, and
 * nothing else. */
#ifndef ND_SPEC_DUMMY_BACKEND_H
#define ND_SPEC_DUMMY_BACKEND_H

#include <stdlib.h>
#include <string.h>

#include "dev/backend.h"
#include "mem/gauge.h"

#include "borrow.h"

static ndi_counters counters;

static nd_status dummy_take(nd_resource *self, const nd_request *request, nd_block *out,
                            nd_error *err) {
  (void)self;
  const size_t bytes = (request->bytes + 63) & ~(size_t)63;
  void *at = NULL;
  if (request->bytes > SIZE_MAX / 4 || (bytes && (at = aligned_alloc(64, bytes)) == NULL))
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for %zu B", request->bytes);
  if (at) memset(at, request->zeroed ? 0 : 0xcc, bytes);
  out->ptr = at;
  out->granted = bytes;
  out->zeroed = request->zeroed;
  ndi_counters_take(&counters, bytes);
  return ND_OK;
}

static nd_status dummy_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                            nd_error *err) {
  (void)self, (void)after, (void)err;
  free(block->ptr);
  ndi_counters_give(&counters, block->granted);
  return ND_OK;
}

static void dummy_stats(nd_resource *self, nd_mem_stats *out) {
  (void)self;
  ndi_counters_read(&counters, out);
}

static nd_status dummy_copy(nd_device *self, const nd_view *dst, const nd_view *src,
                            nd_cast_mode mode, nd_error *err) {
  (void)self;
  nd_view to, from;
  ND_TRY(borrow_view(dst, &to, err));
  nd_status status = borrow_view(src, &from, err);
  if (status == ND_OK) {
    status = nd_device_copy(nd_host_device(), &to, &from, mode, err);
    nd_view_drop(&from);
  }
  nd_view_drop(&to);
  return status;
}

/* Copies that are checked need one operation. */
static bool dummy_can(nd_device *self, const nd_task *task) {
  (void)self;
  return task->op == ND_OP_CAST_CHECK;
}

static nd_status dummy_run(nd_device *self, const nd_task *task, nd_error *err) {
  (void)self;
  nd_task on_host = *task;
  nd_view from;
  ND_TRY(borrow_view(task->views[0], &from, err));
  on_host.views[0] = &from;
  const nd_status status = nd_device_run(nd_host_device(), &on_host, err);
  nd_view_drop(&from);
  return status;
}

static const nd_resource_ops memory_ops = {
    .name = "dummy", .take = dummy_take, .give = dummy_give, .stats = dummy_stats};
static nd_resource memory = {.ops = &memory_ops, .holds = 1, .kind = ND_MEM_DEVICE};

static const nd_device_ops device_ops = {.copy = dummy_copy, .run = dummy_run, .can = dummy_can};
static nd_device device; /* registered when it is opened */

static const nd_backend dummy_backend;

static nd_status dummy_open(nd_backend_facts *out, nd_error *err) {
  (void)err;
  *out = (nd_backend_facts){.devices = 1};
  return ND_OK;
}

static nd_status dummy_device(int64_t ordinal, nd_device **out, nd_error *err) {
  if (ordinal != 0) return nd_fail(err, ND_DEVICE_NOT_FOUND, "there is dummy:0 alone");
  if (!device.ops) {
    device = (nd_device){
        .ops = &device_ops, .name = "dummy:0", .backend = &dummy_backend, .memory = &memory};
    ND_TRY(nd_device_register(&device, err));
    memory.device = device.number;
  }
  *out = &device;
  return ND_OK;
}

static nd_status dummy_resource(const nd_place *place, nd_place_options options, nd_resource **out,
                                nd_error *err) {
  (void)options;
  nd_device *opened;
  ND_TRY(dummy_device(place->ordinal, &opened, err));
  *out = nd_resource_hold(&memory);
  return ND_OK;
}

static const nd_place_kind kinds[] = {{"dummy", "mock", ND_MEM_DEVICE, ND_SUFFIX_ORDINAL, 12},
                                      {.name = NULL}};
static const nd_backend dummy_backend = {.name = "dummy",
                                         .kinds = kinds,
                                         .open = dummy_open,
                                         .device = dummy_device,
                                         .resource = dummy_resource};

#endif
