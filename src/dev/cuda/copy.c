/* Copies from and to CUDA devices. In order of preference: a memset for one repeated value; a
 * direct copy, if both sides can be addressed by the driver and few calls will do; a part of a
 * broadcast source, doubled on the device; else piece by piece through a pair of pinned staging
 * buffers, so that the transfer of one piece overlaps the packing or unpacking of another.
 * Conversions happen on the host, in the staging step.
 *
 * A staged copy is a job: move_pieces cuts the normal form of both sides (block.h) into pieces of
 * which 'measure' says that they fit a buffer, and 'move' copies each. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/call.h"
#include "dev/cuda/block.h"
#include "mem/file.h"

enum {
  NARROW = 64,    /* bytes: shorter rows are fetched together with the gaps between them, */
  MOST_WASTE = 8, /* if that is at most so many times the wanted bytes */
  /* bytes that cross the bus about as fast as one: a part to be spread has as many */
  LEAST_BROADCAST = 1 << 16
};

static ndi_cuda *device_of(const nd_view *v) { return ndi_cuda_get(v->storage->resource->device); }

/* Memory that the CPU must not touch. */
static bool is_hidden(const nd_view *v) { return !v->storage->host; }

static char *base_of(const nd_view *v) { return v->storage->ptr; }

/* Foreign memory is used by code that does not know our stream, so work on it is complete when we
 * return. */
static nd_status finish(ndi_cuda *d, const nd_view *v, nd_error *err) {
  return v->storage->kind == ND_MEM_FOREIGN ? ndi_cuda_wait(d, err) : ndi_cuda_finish(d, err);
}

/* {=== between a device and the host ===} */

typedef struct job job;
struct job {
  ndi_cuda *d;
  /* the host's side; in a bounce the source, which is also device memory */
  const nd_view *device, *other;
  char *other_base; /* host address of other's storage */
  nd_cast_mode mode;
  size_t item; /* bytes of an element of the device's side; of the wider side in a bounce */
  ndi_stage *stage;
  /* bytes of a staging buffer that a piece takes */
  size_t (*measure)(const job *j, const ndi_form *f);
  /* moves one piece that fits a buffer */
  nd_status (*move)(job *j, const ndi_form *f, nd_error *err);
  int fd; /* descriptor of a file that is read directly instead of through its mapping; else -1 */
  size_t file_offset;
  /* from the device: the previous piece is in flight or done, but not unpacked yet, */
  bool is_waiting;
  int waiting_in; /* in this buffer of the pair, */
  ndi_form waiting;
};

static size_t packed_bytes(const job *j, const ndi_form *f) { return ndi_form_size(f) * j->item; }
static size_t hull_bytes(const job *j, const ndi_form *f) { return ndi_form_hull(f, j->item); }

/* Move 'f' in pieces that fit a staging buffer: cut along the outermost axis that is longer than 1,
 * and recurse into pieces that are still too large. */
static nd_status move_pieces(job *j, const ndi_form *f, nd_error *err) {
  int axis = 0;
  if (j->measure(j, f) <= NDI_STAGE) {
    ND_TRY(nd_check_interrupt(err));
    return j->move(j, f, err);
  }
  while (f->len[axis] == 1) axis++;
  ndi_form piece = *f;
  /* Bytes grow linearly with the extent: find what one row takes, and how much each further one
   * adds, which is 0 where rows repeat in memory. */
  piece.len[axis] = 1;
  const size_t one = j->measure(j, &piece);
  piece.len[axis] = 2;
  const size_t more = j->measure(j, &piece) - one;
  const size_t rows = one >= NDI_STAGE ? 1 : 1 + (NDI_STAGE - one) / (more ? more : 1);
  for (size_t first = 0; first < f->len[axis]; first += rows) {
    piece.len[axis] = f->len[axis] - first < rows ? f->len[axis] - first : rows;
    for (int side = 0; side < 2; side++)
      piece.at[side] = f->at[side] + (ptrdiff_t)first * f->step[side][axis];
    ND_TRY(move_pieces(j, &piece, err));
  }
  return ND_OK;
}

/* Copy between views of host memory. Where the CPU must not touch managed memory while the device
 * works, wait for the device first. */
static nd_status copy_on_host(const job *j, const nd_view *dst, const nd_view *src, nd_error *err) {
  if (j->other->storage->kind == ND_MEM_MANAGED && !j->d->properties.is_concurrent)
    ND_TRY(ndi_cuda_wait(j->d, err));
  return nd_device_copy(nd_host_device(), dst, src, j->mode, err);
}

/* {=== to a device ===} */

static nd_status fail_short(const job *j, nd_error *err) {
  const char *path = nd_file_resource_path(j->other->storage->resource);
  nd_fail(err, ND_IO, "%s is shorter than the array that is mapped from it", path);
  nd_error_set_path(err, path);
  return ND_IO;
}

/* pread may return less than asked for, or be interrupted. */
static nd_status read_file(const job *j, char *to, size_t bytes, size_t offset, nd_error *err) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t got = pread(j->fd, to + done, bytes - done, (off_t)(offset + done));
    if (got < 0 && errno != EINTR)
      return nd_fail_errno(err, "cannot read", nd_file_resource_path(j->other->storage->resource),
                           errno);
    if (got == 0) return fail_short(j, err); /* end of file */
    if (got > 0) done += (size_t)got;
  }
  return ND_OK;
}

/* Fill the free buffer (from the file or the host's array, with conversion), then enqueue its copy
 * to the device. */
static nd_status push_piece(job *j, const ndi_form *f, nd_error *err) {
  int in;
  ndi_form packed = *f;
  const size_t bytes = packed_bytes(j, f);
  ND_TRY(ndi_stage_next(j->d, j->stage, &in, err));
  ndi_form_pack(&packed, j->item, j->stage->at[in]);
  if (j->fd >= 0) {
    const size_t offset = j->file_offset + (size_t)(f->at[1] - j->other_base);
    ND_TRY(read_file(j, j->stage->at[in], bytes, offset, err));
  } else {
    const nd_view to = ndi_form_view(&packed, 1, j->stage->storage[in], j->stage->at[in],
                                     (nd_dtype)j->device->dtype);
    const nd_view from = ndi_form_view(f, 1, j->other->storage, j->other_base,
                                       (nd_dtype)j->other->dtype);
    ND_TRY(copy_on_host(j, &to, &from, err));
  }
  ND_TRY(ndi_block_copy(j->d, &packed, j->item, 0, true, err));
  nd_transfer_add(ND_TRANSFER_H2D, bytes);
  return ndi_stage_mark(j->d, j->stage, in, err);
}

/* Is this side contiguous in row-major order? */
static bool is_run(const ndi_form *f, int side, size_t item) {
  size_t run = item;
  for (int a = f->ndim; a-- > 0; run *= f->len[a])
    if (f->len[a] > 1 && f->step[side][a] != (ptrdiff_t)run) return false;
  return true;
}

/* Where source and elements are contiguous and of one dtype, read the file itself: page faults on
 * its mapping are slower. */
static void open_file(job *j, const ndi_form *f) {
  const nd_resource *from = j->other->storage->resource;
  if (from->kind != ND_MEM_FILE || j->other->dtype != j->device->dtype) return;
  if (!is_run(f, 1, j->item)) return;
  if (!nd_file_resource_open(from, &j->fd, &j->file_offset)) j->fd = -1;
}

static nd_status push_staged(job *j, const ndi_form *f, nd_error *err) {
  ND_TRY(ndi_stage_take(j->d, &j->stage, err));
  open_file(j, f);
  j->measure = packed_bytes, j->move = push_piece;
  const nd_status status = move_pieces(j, f, err);
  if (j->fd >= 0) close(j->fd);
  ndi_stage_give(j->d, j->stage);
  return status;
}

/* Copy without staging. Waits, as the host's side is the caller's again on return. Managed memory
 * is passed as device memory. */
static nd_status copy_direct(const job *j, const ndi_form *f, int to, nd_error *err) {
  const bool is_host = j->other->storage->kind != ND_MEM_MANAGED;
  ND_TRY(ndi_block_copy(j->d, f, j->item, to, is_host, err));
  nd_transfer_add(to == 0 ? ND_TRANSFER_H2D : ND_TRANSFER_D2H, packed_bytes(j, f));
  return ndi_cuda_wait(j->d, err);
}

static bool may_go_direct(const job *j, const ndi_form *f) {
  return j->other->storage->is_pinned && j->other->dtype == j->device->dtype &&
         ndi_block_calls(j->d, f, j->item) <= NDI_MOST_CALLS;
}

static nd_status push_part(job *j, const ndi_form *f, nd_error *err) {
  return may_go_direct(j, f) ? copy_direct(j, f, 0, err) : push_staged(j, f, err);
}

static nd_status enqueue_push(job *j, const ndi_form *f, nd_error *err) {
  unsigned value;
  size_t unit;
  ndi_form first;
  const nd_dtype to = (nd_dtype)j->device->dtype;
  if (ndi_memset_find(f, to, j->other, j->mode, &value, &unit))
    return ndi_memset(j->d, f->at[0], value, unit, packed_bytes(j, f) / unit, err);
  if (!ndi_broadcast_find(j->d, f, j->item, LEAST_BROADCAST, &first)) return push_part(j, f, err);
  ND_TRY(push_part(j, &first, err));
  return ndi_broadcast_copy(j->d, f, &first, j->item, err);
}

/* Fill in the job and its form. nd_storage_host waits for the work that conflicts with the CPU. */
static nd_status start(job *j, const nd_view *device, const nd_view *host, bool for_write,
                       nd_cast_mode mode, ndi_form *f, nd_error *err) {
  const nd_view *views[] = {device, host};
  *j = (job){.d = device_of(device),
             .device = device,
             .other = host,
             .mode = mode,
             .item = nd_view_itemsize(device),
             .fd = -1};
  ND_TRY(nd_storage_host(host->storage, for_write, &j->other_base, err));
  char *const bases[] = {base_of(device), j->other_base};
  ndi_form_make(views, bases, f);
  return ND_OK;
}

/* Work that was enqueued before the failure may still be in flight: note it as a use of both. */
static void note_failed(const job *j, bool to_device) {
  const nd_point at = ndi_cuda_mark(j->d);
  nd_storage_use(j->device->storage, at, to_device, NULL);
  nd_storage_use(j->other->storage, at, !to_device, NULL);
}

/* Host to device. The source has been read on return; the device's side may still be in flight. */
static nd_status push(const nd_view *dst, const nd_view *src, nd_cast_mode mode, nd_error *err) {
  job j;
  ndi_form f;
  ND_TRY(start(&j, dst, src, false, mode, &f, err));
  const nd_status status = enqueue_push(&j, &f, err);
  if (status != ND_OK) {
    note_failed(&j, true);
    return status;
  }
  ND_TRY(nd_storage_use(dst->storage, ndi_cuda_mark(j.d), true, err));
  ND_TRY(finish(j.d, dst, err));
  return nd_storage_check(src->storage, err);
}

/* {=== from a device ===} */

/* Copy the piece that was fetched last to the host's array, with conversion. */
static nd_status unpack(job *j, nd_error *err) {
  if (!j->is_waiting) return ND_OK;
  ndi_form f = j->waiting;
  char *at = j->stage->at[j->waiting_in];
  j->is_waiting = false;
  ND_TRY(ndi_stage_wait(j->d, j->stage, j->waiting_in, err));
  const nd_view to = ndi_form_view(&f, 1, j->other->storage, j->other_base,
                                   (nd_dtype)j->other->dtype);
  /* the buffer is a copy of the device's bytes from the first element on, so its steps apply
   * there */
  if (j->measure == hull_bytes) f.at[0] = at;
  else ndi_form_pack(&f, j->item, at);
  const nd_view from = ndi_form_view(&f, j->measure == hull_bytes ? 0 : 1,
                                     j->stage->storage[j->waiting_in], at,
                                     (nd_dtype)j->device->dtype);
  return copy_on_host(j, &to, &from, err);
}

static nd_status pull_hull(ndi_cuda *d, char *to, const char *from, size_t bytes, nd_error *err) {
  ND_VISIT(d, err);
  return ND_CU(d, cuMemcpyDtoHAsync(to, (CUdeviceptr)(uintptr_t)from, bytes, d->stream), err);
}

/* Enqueue the fetch of this piece, then unpack the previous one meanwhile. */
static nd_status pull_piece(job *j, const ndi_form *f, nd_error *err) {
  int in;
  const size_t bytes = j->measure(j, f);
  ND_TRY(ndi_stage_next(j->d, j->stage, &in, err));
  if (j->measure == hull_bytes) {
    ND_TRY(pull_hull(j->d, j->stage->at[in], f->at[0], bytes, err));
  } else {
    ndi_form packed = *f;
    ndi_form_pack(&packed, j->item, j->stage->at[in]);
    ND_TRY(ndi_block_copy(j->d, &packed, j->item, 1, true, err));
  }
  nd_transfer_add(ND_TRANSFER_D2H, bytes);
  ND_TRY(ndi_stage_mark(j->d, j->stage, in, err));
  ND_TRY(unpack(j, err));
  j->is_waiting = true;
  j->waiting_in = in;
  j->waiting = *f;
  return ND_OK;
}

/* Fetch the whole byte range, gaps included, or packed elements? The range is better for narrow
 * rows, unless most of it is gaps, and where elements repeat (it is then no larger than the
 * elements). */
static bool reads_hull(const job *j, const ndi_form *f) {
  const size_t payload = packed_bytes(j, f), hull = hull_bytes(j, f);
  if (hull <= payload) return true;
  const bool is_poor = ndi_form_width(f, j->item) < NARROW ||
                       ndi_block_calls(j->d, f, j->item) > NDI_MOST_CALLS;
  return is_poor && hull / MOST_WASTE <= payload;
}

static nd_status pull_staged(job *j, const ndi_form *f, nd_error *err) {
  ND_TRY(ndi_stage_take(j->d, &j->stage, err));
  j->measure = reads_hull(j, f) ? hull_bytes : packed_bytes;
  j->move = pull_piece;
  nd_status status = move_pieces(j, f, err);
  if (status == ND_OK) status = unpack(j, err);
  ndi_stage_give(j->d, j->stage);
  return status;
}

static nd_status enqueue_pull(job *j, const ndi_form *f, nd_error *err) {
  return may_go_direct(j, f) ? copy_direct(j, f, 1, err) : pull_staged(j, f, err);
}

/* Device to host. Complete on return. */
static nd_status pull(const nd_view *dst, const nd_view *src, nd_cast_mode mode, nd_error *err) {
  job j;
  ndi_form f;
  ND_TRY(start(&j, src, dst, true, mode, &f, err));
  const nd_status status = enqueue_pull(&j, &f, err);
  if (status != ND_OK) note_failed(&j, false);
  return status;
}

/* {=== between devices ===} */

/* One piece of a copy that would need a device kernel (a conversion, irregular strides): fetch it
 * to the host, convert, send it back. */
static nd_status bounce_piece(job *j, const ndi_form *f, nd_error *err) {
  const nd_dtype dtype = (nd_dtype)j->other->dtype; /* of the source, which is also device memory */
  ndi_form packed = *f;
  const nd_view dst = ndi_form_view(f, 0, j->device->storage, base_of(j->device),
                                    (nd_dtype)j->device->dtype);
  const nd_view src = ndi_form_view(f, 1, j->other->storage, base_of(j->other), dtype);
  char *const at = j->stage->at[0];
  ndi_form_pack(&packed, nd_dtype_get(dtype)->bytes, at);
  const nd_view between = ndi_form_view(&packed, 1, j->stage->storage[0], at, dtype);
  /* of one dtype, so that only the push converts */
  ND_TRY(pull(&between, &src, ND_SATURATE, err));
  ND_TRY(push(&dst, &between, j->mode, err));
  nd_transfer_add(ND_TRANSFER_STAGED, ndi_form_size(f) * nd_view_itemsize(j->device));
  return ndi_cuda_wait(j->d, err); /* the next piece goes through the same buffer */
}

/* Copy between devices through the host. Side 0 of 'f' is the destination. Only buffer 0 of the
 * pair is used: where pull and push need staging, they take pairs of their own. */
static nd_status bounce(const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                        const ndi_form *f, nd_error *err) {
  const size_t to = nd_view_itemsize(dst), from = nd_view_itemsize(src);
  job j = {.d = device_of(dst),
           .device = dst,
           .other = src,
           .mode = mode,
           .item = to > from ? to : from,
           .measure = packed_bytes,
           .move = bounce_piece,
           .fd = -1};
  ND_TRY(ndi_stage_take(j.d, &j.stage, err));
  nd_status status = ndi_stage_wait(j.d, j.stage, 0, err);
  if (status == ND_OK) status = move_pieces(&j, f, err);
  /* it may still be writing to the buffer */
  if (status != ND_OK) ndi_cuda_wait(device_of(src), NULL);
  ndi_stage_give(j.d, j.stage);
  return status;
}

static nd_status note_both(ndi_cuda *d, const nd_view *dst, const nd_view *src, nd_error *err) {
  const nd_point at = ndi_cuda_mark(d);
  ND_TRY(nd_storage_use(dst->storage, at, true, err));
  return nd_storage_use(src->storage, at, false, err);
}

/* Within one device: enqueued on its stream, possibly in flight on return. */
static nd_status within(const nd_view *dst, const nd_view *src, const ndi_form *f, nd_error *err) {
  ndi_cuda *d = device_of(dst);
  const size_t item = nd_view_itemsize(dst);
  const nd_status status = ndi_block_copy(d, f, item, 0, false, err);
  const nd_status noted = note_both(d, dst, src, err);
  if (status != ND_OK || noted != ND_OK) return status != ND_OK ? status : noted;
  nd_transfer_add(ND_TRANSFER_D2D, ndi_form_size(f) * item);
  ND_TRY(finish(d, src, err));
  return finish(d, dst, err);
}

/* Between two devices, on the destination's stream: it waits for the source's stream before the
 * copy, and that one for the copy afterwards, so that later work on the source is ordered after the
 * read. */
static nd_status across(const nd_view *dst, const nd_view *src, const ndi_form *f, nd_error *err) {
  ndi_cuda *d = device_of(dst), *other = device_of(src);
  const size_t bytes = ndi_form_size(f) * nd_view_itemsize(dst);
  const CUdeviceptr to = (CUdeviceptr)(uintptr_t)f->at[0], from = (CUdeviceptr)(uintptr_t)f->at[1];
  ND_TRY(ndi_cuda_join(d, other, err));
  ND_VISIT(d, err);
  const nd_status status = ND_CU(
      d, cuMemcpyPeerAsync(to, d->context, from, other->context, bytes, d->stream), err);
  const nd_status noted = note_both(d, dst, src, err);
  if (status != ND_OK || noted != ND_OK) return status != ND_OK ? status : noted;
  nd_transfer_add(ND_TRANSFER_P2P, bytes);
  /* The source's stream must not overtake the read; if it cannot be told to wait, wait here. */
  if (ndi_cuda_join(other, d, NULL) != ND_OK) ND_TRY(ndi_cuda_wait(d, err));
  ND_TRY(finish(other, src, err));
  return finish(d, dst, err);
}

static nd_status move_between(const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                              const ndi_form *f, nd_error *err) {
  ndi_cuda *d = device_of(dst), *other = device_of(src);
  if (dst->dtype != src->dtype) return bounce(dst, src, mode, f, err);
  const size_t item = nd_view_itemsize(dst);
  if (d == other && ndi_block_calls(d, f, item) <= NDI_MOST_CALLS) return within(dst, src, f, err);
  const bool is_direct = d != other && is_run(f, 0, item) && is_run(f, 1, item) &&
                         ndi_cuda_reaches(d, other);
  return is_direct ? across(dst, src, f, err) : bounce(dst, src, mode, f, err);
}

static nd_status between(const nd_view *dst, const nd_view *src, nd_cast_mode mode, nd_error *err) {
  const nd_view *views[] = {dst, src};
  char *const bases[] = {base_of(dst), base_of(src)};
  const size_t item = nd_view_itemsize(dst);
  ndi_form f, first;
  ndi_cuda *d = device_of(dst);
  ndi_form_make(views, bases, &f);
  /* the device makes the copies itself, so that one repetition is enough to begin with */
  if (!ndi_broadcast_find(d, &f, item, 0, &first)) return move_between(dst, src, mode, &f, err);
  ND_TRY(move_between(dst, src, mode, &first, err));
  const nd_status status = ndi_broadcast_copy(d, &f, &first, item, err);
  const nd_status noted = nd_storage_use(dst->storage, ndi_cuda_mark(d), true, err);
  if (status != ND_OK || noted != ND_OK) return status != ND_OK ? status : noted;
  return finish(d, dst, err);
}

/* {=== the entry of the device's table ===} */

nd_status ndi_cuda_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                        nd_error *err) {
  const nd_view *views[] = {dst, src};
  (void)self;
  if (dst->size == 0) return ND_OK;
  for (int i = 0; i < 2; i++) {
    ND_TRY(nd_storage_allocate(views[i]->storage, err));
    ND_TRY(nd_storage_check(views[i]->storage, err));
  }
  if (is_hidden(dst) && is_hidden(src)) return between(dst, src, mode, err);
  if (is_hidden(dst)) return push(dst, src, mode, err);
  if (is_hidden(src)) return pull(dst, src, mode, err);
  /* the CPU can access both sides, of which at least one is managed memory */
  return nd_device_copy(nd_host_device(), dst, src, mode, err);
}
