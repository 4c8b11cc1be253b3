/* Normal forms of two views, and copies of them by 1-, 2- and 3-dimensional driver calls.
 *
 * A copy is cut as follows: the axes that are contiguous on both sides become one run of 'width'
 * bytes; the one or two axes outside of it go into one 2-D or 3-D call if the driver can express
 * their strides; any axes left over are loops of calls. */
#include "dev/cuda/block.h"

#include "view/iter.h"

/* {=== forms ===} */

/* The set-up of a walk finds the form, unless it is plain; the walk itself is not made. Its run is
 * an axis of the form like the others. */
void ndi_form_make(const nd_view *const *views, char *const *bases, ndi_form *out) {
  nd_iter walk;
  if (nd_view_is_contiguous(views[0]) && nd_view_is_contiguous(views[1])) {
    out->ndim = views[0]->size > 1;
    out->len[0] = views[0]->size;
    for (int side = 0; side < 2; side++) {
      out->step[side][0] = (ptrdiff_t)nd_view_itemsize(views[side]);
      out->at[side] = bases[side] + views[side]->offset;
    }
    return;
  }
  ndi_iter_init(&walk, 2, views, bases, false);
  out->ndim = walk.ndim;
  for (int side = 0; side < 2; side++) {
    out->at[side] = walk.at[side];
    for (int a = 0; a < walk.ndim; a++) out->step[side][a] = walk.steps[side][a];
    if (walk.run > 1) out->step[side][walk.ndim] = walk.step[side];
  }
  for (int a = 0; a < walk.ndim; a++) out->len[a] = walk.len[a];
  if (walk.run > 1) out->len[out->ndim++] = walk.run;
}

nd_view ndi_form_view(const ndi_form *f, int side, nd_storage *storage, const char *base,
                      nd_dtype dtype) {
  nd_view v;
  v.storage = storage;
  v.offset = (size_t)(f->at[side] - base);
  v.dtype = (uint8_t)dtype;
  v.ndim = (uint8_t)f->ndim;
  /* the caller of the copy has checked it */
  v.is_read_only = false;
  v.size = ndi_form_size(f);
  for (int a = 0; a < f->ndim; a++) v.axis[a] = (nd_axis){f->len[a], f->step[side][a]};
  return v;
}

/* Steps are those of a packed array of the same extents, the last axis varying fastest. */
void ndi_form_pack(ndi_form *f, size_t item, char *at) {
  ptrdiff_t run = (ptrdiff_t)item;
  f->at[1] = at;
  for (int a = f->ndim; a-- > 0;) {
    f->step[1][a] = run;
    run *= (ptrdiff_t)f->len[a];
  }
}

size_t ndi_form_size(const ndi_form *f) {
  size_t size = 1;
  for (int a = 0; a < f->ndim; a++) size *= f->len[a];
  return size;
}

/* The steps of side 0 are not negative, so its first element has the lowest address. */
size_t ndi_form_hull(const ndi_form *f, size_t item) {
  size_t bytes = item;
  for (int a = 0; a < f->ndim; a++) bytes += (f->len[a] - 1) * (size_t)f->step[0][a];
  return bytes;
}

/* The run goes on outwards as long as an axis steps by exactly what is inside of it. */
size_t ndi_form_width(const ndi_form *f, size_t item) {
  size_t width = item;
  for (int a = f->ndim; a-- > 0; width *= f->len[a])
    if (f->len[a] > 1 && f->step[0][a] != (ptrdiff_t)width) break;
  return width;
}

/* Steps of side 1 may be negative: then the first element is not the lowest. */
ndi_access ndi_form_access(const ndi_form *f, int side, size_t item, nd_storage *storage,
                           const char *base, bool is_write) {
  ptrdiff_t lo = f->at[side] - base, hi = lo + (ptrdiff_t)item;
  for (int a = 0; a < f->ndim; a++) {
    const ptrdiff_t reach = (ptrdiff_t)(f->len[a] - 1) * f->step[side][a];
    if (reach < 0) lo += reach;
    else hi += reach;
  }
  const nd_use use = {.lo = (size_t)lo, .hi = (size_t)hi, .is_write = is_write};
  return (ndi_access){.storage = storage, .use = use};
}

/* {=== blocks ===} */

/* A form without the axes that are one contiguous run of 'width' bytes on both sides. */
typedef struct {
  ndi_queue *q;
  size_t width;
  int ndim, to; /* axes outside of the run; the side that is written */
  CUmemorytype type[2];
  size_t len[ND_MAX_NDIM];
  ptrdiff_t step[2][ND_MAX_NDIM];
  bool is_refused[3]; /* [1], [2]: the driver refused such a 2-D, 3-D call; do not try again */
} block;

/* From the innermost axis outwards, as long as a longer run results. */
static void init(block *b, const ndi_form *f, size_t item) {
  int n = f->ndim;
  b->width = item;
  b->ndim = 0;
  while (n > 0 && (f->len[n - 1] == 1 || (f->step[0][n - 1] == (ptrdiff_t)b->width &&
                                          f->step[1][n - 1] == (ptrdiff_t)b->width)))
    b->width *= f->len[--n];
  for (int a = 0; a < n; a++) {
    if (f->len[a] == 1) continue;
    b->len[b->ndim] = f->len[a];
    for (int side = 0; side < 2; side++) b->step[side][b->ndim] = f->step[side][a];
    b->ndim++;
  }
}

/* Can 'axis' be the rows of a 2-D copy? The pitch must be positive, at least a row, and at most
 * what the device takes. */
static bool is_rows(const block *b, size_t max_pitch, int axis) {
  for (int side = 0; side < 2; side++) {
    const ptrdiff_t pitch = b->step[side][axis];
    if (pitch < (ptrdiff_t)b->width || (size_t)pitch > max_pitch) return false;
  }
  return true;
}

/* Can 'axis' be the planes of a 3-D copy, the next axis its rows? The driver wants the distance of
 * planes as a whole number of rows. */
static bool is_planes(const block *b, size_t max_pitch, int axis) {
  if (!is_rows(b, max_pitch, axis + 1)) return false;
  for (int side = 0; side < 2; side++) {
    const ptrdiff_t plane = b->step[side][axis], pitch = b->step[side][axis + 1];
    if (plane % pitch != 0 || plane / pitch < (ptrdiff_t)b->len[axis + 1]) return false;
  }
  return true;
}

/* Number of innermost axes that one call covers: 2, 1, or 0 for a plain run. */
static int axes_of_call(const block *b, size_t max_pitch) {
  if (b->ndim >= 2 && ndi_cu.cuMemcpy3DAsync && is_planes(b, max_pitch, b->ndim - 2)) return 2;
  return b->ndim >= 1 && ndi_cu.cuMemcpy2DAsync && is_rows(b, max_pitch, b->ndim - 1) ? 1 : 0;
}

size_t ndi_block_calls(const ndi_cuda *d, const ndi_form *f, size_t item) {
  block b;
  /* the axes that one call does not cover are loops of calls */
  size_t calls = 1;
  init(&b, f, item);
  const int left = b.ndim - axes_of_call(&b, d->max_pitch);
  for (int a = 0; a < left; a++) calls *= b.len[a];
  return calls;
}

/* {=== calls ===} */

static CUdeviceptr device_of(const char *at) { return (CUdeviceptr)(uintptr_t)at; }

/* One run of bytes. The driver has a function of its own for each direction; host to host does not
 * occur. */
static CUresult copy_run(const block *b, char *const *at) {
  const int from = !b->to;
  char *dst = at[b->to], *src = at[from];
  CUstream stream = b->q->stream;
  if (b->type[b->to] == CU_MEMORYTYPE_HOST)
    return ndi_cu.cuMemcpyDtoHAsync(dst, device_of(src), b->width, stream);
  if (b->type[from] == CU_MEMORYTYPE_HOST)
    return ndi_cu.cuMemcpyHtoDAsync(device_of(dst), src, b->width, stream);
  return ndi_cu.cuMemcpyDtoDAsync(device_of(dst), device_of(src), b->width, stream);
}

static const char *name_of_run(const block *b) {
  if (b->type[b->to] == CU_MEMORYTYPE_HOST) return "cuMemcpyDtoHAsync";
  return b->type[!b->to] == CU_MEMORYTYPE_HOST ? "cuMemcpyHtoDAsync" : "cuMemcpyDtoDAsync";
}

/* Host and device addresses are both filled in; the driver reads the one that the memory type says.
 * In copy_planes likewise. */
static CUresult copy_rows(const block *b, int axis, char *const *at) {
  const int from = !b->to;
  const CUDA_MEMCPY2D copy = {.srcMemoryType = b->type[from],
                              .srcHost = at[from],
                              .srcDevice = device_of(at[from]),
                              .srcPitch = (size_t)b->step[from][axis],
                              .dstMemoryType = b->type[b->to],
                              .dstHost = at[b->to],
                              .dstDevice = device_of(at[b->to]),
                              .dstPitch = (size_t)b->step[b->to][axis],
                              .WidthInBytes = b->width,
                              .Height = b->len[axis]};
  return ndi_cu.cuMemcpy2DAsync(&copy, b->q->stream);
}

static CUresult copy_planes(const block *b, int axis, char *const *at) {
  const int from = !b->to;
  const ptrdiff_t *src = &b->step[from][axis], *dst = &b->step[b->to][axis];
  const CUDA_MEMCPY3D copy = {.srcMemoryType = b->type[from],
                              .srcHost = at[from],
                              .srcDevice = device_of(at[from]),
                              .srcPitch = (size_t)src[1],
                              .srcHeight = (size_t)(src[0] / src[1]),
                              .dstMemoryType = b->type[b->to],
                              .dstHost = at[b->to],
                              .dstDevice = device_of(at[b->to]),
                              .dstPitch = (size_t)dst[1],
                              .dstHeight = (size_t)(dst[0] / dst[1]),
                              .WidthInBytes = b->width,
                              .Height = b->len[axis + 1],
                              .Depth = b->len[axis]};
  return ndi_cu.cuMemcpy3DAsync(&copy, b->q->stream);
}

/* Can one call cover all axes from 'axis' on? As axes_of_call, less what the driver has refused. */
static bool may_call(const block *b, int axis) {
  const int left = b->ndim - axis;
  if (left == 0) return true;
  if (left == 1)
    return !b->is_refused[1] && ndi_cu.cuMemcpy2DAsync && is_rows(b, b->q->device->max_pitch, axis);
  return left == 2 && !b->is_refused[2] && ndi_cu.cuMemcpy3DAsync &&
         is_planes(b, b->q->device->max_pitch, axis);
}

/* Copy what the axes from 'axis' on span; it begins at the addresses 'at', one for each side.
 * Recurses over the outer axes. Where the driver refuses pitches that passed our checks
 * (INVALID_VALUE), the call is replaced by calls of one dimension less. */
static nd_status copy_axes(block *b, int axis, char *const *at, nd_error *err) {
  const char *const names[] = {name_of_run(b), "cuMemcpy2DAsync", "cuMemcpy3DAsync"};
  const int left = b->ndim - axis;
  if (may_call(b, axis)) {
    const CUresult result = left == 0   ? copy_run(b, at)
                            : left == 1 ? copy_rows(b, axis, at)
                                        : copy_planes(b, axis, at);
    /* Only a refused shape has an alternative. */
    if (left == 0 || result != CUDA_ERROR_INVALID_VALUE)
      return ndi_cuda_check(b->q->device, result, names[left], err);
    /* for the rest of this copy: all its calls have the same pitches */
    b->is_refused[left] = true;
  }
  for (size_t i = 0; i < b->len[axis]; i++) {
    char *const row[] = {at[0] + (ptrdiff_t)i * b->step[0][axis],
                         at[1] + (ptrdiff_t)i * b->step[1][axis]};
    ND_TRY(copy_axes(b, axis + 1, row, err));
  }
  return ND_OK;
}

nd_status ndi_block_copy(ndi_queue *q, const ndi_form *f, size_t item, int to, bool is_host,
                         nd_error *err) {
  block b = {.q = q,
             .to = to,
             .type = {CU_MEMORYTYPE_DEVICE, is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE}};
  init(&b, f, item);
  return copy_axes(&b, 0, f->at, err);
}
