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
  NARROW = 64,          /* bytes: shorter rows are fetched together with the gaps between them, */
  MOST_WASTE = 8,       /* if that is at most so many times the wanted bytes, */
  OF_A_CALL = 64 << 10, /* or that much more for each call; a call takes as long as so many bytes */
  /* bytes that cross the bus about as fast as one: a part to be spread has as many */
  LEAST_BROADCAST = 1 << 16
};

static ndi_cuda *device_of(const nd_view *v) { return ndi_cuda_get(v->storage->resource->device); }

/* Memory that the CPU must not touch. */
static bool is_hidden(const nd_view *v) { return !v->storage->host; }

static char *base_of(const nd_view *v) { return v->storage->ptr; }

/* {=== between a device and the host ===} */

typedef struct job job;
struct job {
  ndi_queue *q;
  nd_point last; /* of what was enqueued last */
  /* the CPU waits for the buffer of each piece alone, whatever follows on the queue */
  bool is_awaited;
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
  if (j->measure(j, f) <= j->stage->bytes) {
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
  const size_t rows = one >= j->stage->bytes ? 1 : 1 + (j->stage->bytes - one) / (more ? more : 1);
  for (size_t first = 0; first < f->len[axis]; first += rows) {
    piece.len[axis] = f->len[axis] - first < rows ? f->len[axis] - first : rows;
    for (int side = 0; side < 2; side++)
      piece.at[side] = f->at[side] + (ptrdiff_t)first * f->step[side][axis];
    ND_TRY(move_pieces(j, &piece, err));
  }
  return ND_OK;
}

static nd_status copy_on_host(const job *j, const nd_view *dst, const nd_view *src, nd_error *err) {
  return nd_device_copy(nd_host_device(), dst, src, j->mode, err);
}

/* {=== to a device ===} */

static nd_status fail_short(const job *j, nd_error *err) {
  const nd_resource *file = j->other->storage->resource;
  const char *path = nd_file_resource_path(file);
  const size_t bytes = nd_file_resource_bytes(file);
  const long long now = lseek(j->fd, 0, SEEK_END);
  nd_fail_with(err, ND_IO,
               ND_NUMBERS({"expected", (int64_t)(j->file_offset + bytes)}, {"actual", now}),
               "%s was truncated while mapped: %zu B at offset %zu were mapped, the file now has "
               "%lld B",
               path, bytes, j->file_offset, now);
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

/* Enqueue a copy between side 0 of 'f', memory of j->device, and side 1, page-locked memory or
 * managed memory of 'other', the host's array or staging buffer 'in' of the pair. Its point is
 * j->last. */
static nd_status enqueue_copy(job *j, const ndi_form *f, size_t item, int to, int in,
                              nd_error *err) {
  nd_storage *const other = in < 0 ? j->other->storage : j->stage->storage[in];
  const nd_transfer kind = to == 0 ? ND_TRANSFER_H2D : ND_TRANSFER_D2H;
  ndi_access accesses[] = {
      ndi_form_access(f, 0, item, j->device->storage, base_of(j->device), to == 0),
      ndi_form_access(f, 1, item, other, other->host, to == 1)};
  const bool is_host = other->kind != ND_MEM_MANAGED;
  accesses[1].is_awaited = j->is_awaited;
  ND_TRY(nd_transfer_check(kind, ndi_form_size(f) * item, err));
  ND_VISIT(j->q->device, err);
  ND_TRY(ndi_cuda_begin(j->q, 2, accesses, err));
  const nd_status status = ndi_block_copy(j->q, f, item, to, is_host, err);
  ND_TRY(ndi_cuda_end(j->q, 2, accesses, status, err));
  j->last = accesses[0].use.at;
  nd_transfer_add(kind, ndi_form_size(f) * item);
  return ND_OK;
}

/* Fill the free buffer (from the file or the host's array, with conversion), then enqueue its copy
 * to the device. */
static nd_status push_piece(job *j, const ndi_form *f, nd_error *err) {
  int in;
  ndi_form packed = *f;
  const size_t bytes = packed_bytes(j, f);
  ND_TRY(ndi_stage_next(j->stage, &in, err));
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
  return enqueue_copy(j, &packed, j->item, 0, in, err);
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
  char *host;
  ND_TRY(nd_view_host(j->other, false, &host, err));
  ND_TRY(ndi_stage_take(j->q->device, &j->stage, err));
  open_file(j, f);
  j->measure = packed_bytes, j->move = push_piece;
  j->is_awaited = true;
  const nd_status status = move_pieces(j, f, err);
  if (j->fd >= 0) close(j->fd);
  ndi_stage_give(j->q->device, j->stage);
  return status;
}

/* Copy without staging. Unless the call named a stream it is complete on return. */
static nd_status copy_direct(job *j, const ndi_form *f, int to, nd_error *err) {
  ND_TRY(enqueue_copy(j, f, j->item, to, -1, err));
  return ndi_cuda_is_async() ? ND_OK : nd_point_wait(j->last, err);
}

static bool may_go_direct(const job *j, const ndi_form *f) {
  return j->other->storage->is_pinned && j->other->dtype == j->device->dtype &&
         ndi_block_calls(j->q->device, f, j->item) <= NDI_MOST_CALLS;
}

static nd_status push_part(job *j, const ndi_form *f, nd_error *err) {
  return may_go_direct(j, f) ? copy_direct(j, f, 0, err) : push_staged(j, f, err);
}

/* Would reading the source wait for work that the copy can be ordered after instead? */
static bool is_on_its_way(const job *j, const ndi_form *f) {
  return ndi_cuda_is_async() && j->other->storage->is_busy && may_go_direct(j, f);
}

/* '*is_done': it was one value, which a memset writes. */
static nd_status push_value(const job *j, const ndi_form *f, bool *is_done, nd_error *err) {
  unsigned value;
  size_t unit;
  char *host;
  *is_done = false;
  if (!ndi_is_one_value(f) || is_on_its_way(j, f)) return ND_OK;
  ND_TRY(nd_view_host(j->other, false, &host, err));
  if (!ndi_memset_find(f, (nd_dtype)j->device->dtype, j->other, j->mode, &value, &unit))
    return ND_OK;
  *is_done = true;
  ndi_access to = ndi_form_access(f, 0, j->item, j->device->storage, base_of(j->device), true);
  ND_VISIT(j->q->device, err);
  ND_TRY(ndi_cuda_begin(j->q, 1, &to, err));
  const nd_status status = ndi_memset(j->q, f->at[0], value, unit, packed_bytes(j, f) / unit, err);
  return ndi_cuda_end(j->q, 1, &to, status, err);
}

/* Fill in the job and its form. The current queue may be that of another device whose managed
 * memory is the host's side. */
static void start(job *j, const nd_view *device, const nd_view *host, nd_cast_mode mode,
                  ndi_form *f) {
  const nd_view *views[] = {device, host};
  char *const bases[] = {base_of(device), host->storage->host};
  *j = (job){.q = ndi_cuda_queue(device_of(device), NULL),
             .device = device,
             .other = host,
             .other_base = bases[1],
             .mode = mode,
             .item = nd_view_itemsize(device),
             .fd = -1};
  ndi_form_make(views, bases, f);
}

/* Host to device. Where it was staged, the source has been read on return; the device's side may
 * still be in flight. */
static nd_status push(const nd_view *dst, const nd_view *src, nd_cast_mode mode, nd_error *err) {
  job j;
  ndi_form f, first;
  bool is_done;
  start(&j, dst, src, mode, &f);
  ND_TRY(push_value(&j, &f, &is_done, err));
  if (is_done) return nd_storage_check(src->storage, err);
  const bool is_spread = ndi_broadcast_find(j.q->device, &f, j.item, LEAST_BROADCAST, &first);
  ND_TRY(push_part(&j, is_spread ? &first : &f, err));
  if (is_spread) ND_TRY(ndi_broadcast_copy(j.q, dst, &f, &first, err));
  return nd_storage_check(src->storage, err);
}

/* {=== from a device ===} */

/* Copy the piece that was fetched last to the host's array, with conversion. */
static nd_status unpack(job *j, nd_error *err) {
  if (!j->is_waiting) return ND_OK;
  ndi_form f = j->waiting;
  char *at = j->stage->at[j->waiting_in];
  j->is_waiting = false;
  ND_TRY(ndi_stage_wait(j->stage, j->waiting_in, err));
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

/* The whole range as one run of bytes. */
static ndi_form hull_form(const job *j, const ndi_form *f) {
  return (ndi_form){.ndim = 1, .len = {hull_bytes(j, f)}, .step = {{1}}, .at = {f->at[0]}};
}

/* Enqueue the fetch of this piece, then unpack the previous one meanwhile. */
static nd_status pull_piece(job *j, const ndi_form *f, nd_error *err) {
  int in;
  const bool is_hull = j->measure == hull_bytes;
  ndi_form fetched = is_hull ? hull_form(j, f) : *f;
  const size_t item = is_hull ? 1 : j->item;
  ND_TRY(ndi_stage_next(j->stage, &in, err));
  ndi_form_pack(&fetched, item, j->stage->at[in]);
  ND_TRY(enqueue_copy(j, &fetched, item, 1, in, err));
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
  const size_t calls = ndi_block_calls(j->q->device, f, j->item);
  if (hull <= payload || (hull - payload) / OF_A_CALL < calls - 1) return true;
  return ndi_form_width(f, j->item) < NARROW && hull / MOST_WASTE <= payload;
}

static nd_status pull_staged(job *j, const ndi_form *f, nd_error *err) {
  char *host;
  ND_TRY(nd_view_host(j->other, true, &host, err));
  ND_TRY(ndi_stage_take(j->q->device, &j->stage, err));
  j->measure = reads_hull(j, f) ? hull_bytes : packed_bytes;
  j->move = pull_piece;
  j->is_awaited = j->measure(j, f) > j->stage->bytes; /* a single piece is waited for at once */
  nd_status status = move_pieces(j, f, err);
  if (status == ND_OK) status = unpack(j, err);
  ndi_stage_give(j->q->device, j->stage);
  return status;
}

/* Device to host. Complete on return, unless it goes directly and the call named a stream. */
static nd_status pull(const nd_view *dst, const nd_view *src, nd_cast_mode mode, nd_error *err) {
  job j;
  ndi_form f;
  start(&j, src, dst, mode, &f);
  return may_go_direct(&j, &f) ? copy_direct(&j, &f, 1, err) : pull_staged(&j, &f, err);
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
  const size_t bytes = ndi_form_size(f) * nd_view_itemsize(j->device);
  ND_TRY(nd_transfer_check(ND_TRANSFER_STAGED, bytes, err));
  ndi_form_pack(&packed, nd_dtype_get(dtype)->bytes, at);
  const nd_view between = ndi_form_view(&packed, 1, j->stage->storage[0], at, dtype);
  /* of one dtype, so that only the push converts; the next piece waits for the buffer */
  ND_TRY(pull(&between, &src, ND_SATURATE, err));
  ND_TRY(push(&dst, &between, j->mode, err));
  nd_transfer_add(ND_TRANSFER_STAGED, bytes);
  return ND_OK;
}

/* Copy between devices through the host. Side 0 of 'f' is the destination. Only buffer 0 of the
 * pair is used: where pull and push need staging, they take pairs of their own. */
static nd_status bounce(const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                        const ndi_form *f, nd_error *err) {
  const size_t to = nd_view_itemsize(dst), from = nd_view_itemsize(src);
  ndi_cuda *d = device_of(dst);
  job j = {.device = dst,
           .other = src,
           .mode = mode,
           .item = to > from ? to : from,
           .measure = packed_bytes,
           .move = bounce_piece,
           .fd = -1};
  ND_TRY(ndi_stage_take(d, &j.stage, err));
  const nd_status status = move_pieces(&j, f, err);
  ndi_stage_give(d, j.stage);
  return status;
}

/* Enqueue the copy of what both sides span on 'q', in one device or between two. */
static nd_status enqueue_between(ndi_queue *q, const nd_view *dst, const nd_view *src,
                                 const ndi_form *f, nd_error *err) {
  ndi_cuda *d = device_of(dst), *other = device_of(src);
  const size_t item = nd_view_itemsize(dst), bytes = ndi_form_size(f) * item;
  const nd_transfer kind = d == other ? ND_TRANSFER_D2D : ND_TRANSFER_P2P;
  const CUdeviceptr to = (CUdeviceptr)(uintptr_t)f->at[0], from = (CUdeviceptr)(uintptr_t)f->at[1];
  ndi_access accesses[] = {ndi_form_access(f, 0, item, dst->storage, base_of(dst), true),
                           ndi_form_access(f, 1, item, src->storage, base_of(src), false)};
  ND_TRY(nd_transfer_check(kind, bytes, err));
  ND_VISIT(q->device, err);
  ND_TRY(ndi_cuda_begin(q, 2, accesses, err));
  const nd_status status = d == other ? ndi_block_copy(q, f, item, 0, false, err)
                                      : ND_CU(q->device,
                                              cuMemcpyPeerAsync(to, d->context, from,
                                                                other->context, bytes, q->stream),
                                              err);
  ND_TRY(ndi_cuda_end(q, 2, accesses, status, err));
  nd_transfer_add(kind, bytes);
  return d == other ? ND_OK : ndi_cuda_finish(q->device == d ? other : d, err);
}

static nd_status move_between(ndi_queue *q, const nd_view *dst, const nd_view *src,
                              nd_cast_mode mode, const ndi_form *f, nd_error *err) {
  ndi_cuda *d = device_of(dst), *other = device_of(src);
  const size_t item = nd_view_itemsize(dst);
  bool is_direct = dst->dtype == src->dtype;
  if (d == other) is_direct &= ndi_block_calls(d, f, item) <= NDI_MOST_CALLS;
  else is_direct &= is_run(f, 0, item) && is_run(f, 1, item) && ndi_cuda_reaches(d, other);
  return is_direct ? enqueue_between(q, dst, src, f, err) : bounce(dst, src, mode, f, err);
}

static nd_status between(const nd_view *dst, const nd_view *src, nd_cast_mode mode, nd_error *err) {
  const nd_view *views[] = {dst, src};
  char *const bases[] = {base_of(dst), base_of(src)};
  ndi_form f, first;
  ndi_cuda *d = device_of(dst);
  ndi_queue *q = ndi_cuda_queue(d, device_of(src));
  ndi_form_make(views, bases, &f);
  /* the device makes the copies itself, so that one repetition is enough to begin with */
  if (!ndi_broadcast_find(d, &f, nd_view_itemsize(dst), 0, &first))
    return move_between(q, dst, src, mode, &f, err);
  ND_TRY(move_between(q, dst, src, mode, &first, err));
  return ndi_broadcast_copy(ndi_cuda_queue(d, NULL), dst, &f, &first, err);
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
