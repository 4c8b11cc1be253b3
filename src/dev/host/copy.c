/* Copies and conversions on the host.
 *
 * The n-d walk (view/iter.h) sorts and merges axes for the destination; what is left to decide is
 * how its innermost run is copied: by memcpy, by a kernel for the steps, or, where the source is
 * closest along another axis, as a transposition. For that the axis is taken out of the walk and
 * becomes the rows of a 2-D block. */
#include <string.h>

#include "dev/host/host.h"
#include "dev/threads.h"
#include "kern/cast.h"
#include "kern/level.h"
#include "kern/pass.h"
#include "kern/transpose.h"
#include "view/iter.h"

enum {
  BUFFER = 16 << 10,       /* bytes converted at a time: two buffers fit in the L1 cache */
  SIDE = 32,               /* rows and columns of a block that is transposed and converted */
  WORTH_PASSING = 4 << 10, /* bytes of a run that is packed on both sides; else BUFFER */
  WORTH_TRANSPOSING = 4, /* elements along either axis, below which a transposition does not pay */
  /* bytes of one memcpy: large ones use better instructions, but interrupts are polled in
   * between */
  BLOCK = 32 << 20
};

typedef struct {
  nd_iter walk;             /* view 0 is the destination, view 1 the source */
  ndi_cast_kernel *convert; /* NULL: both sides have one dtype */
  /* strided copies within the source's, the destination's dtype */
  ndi_cast_kernel *move_from, *move_to;
  ptrdiff_t to, from; /* bytes of an element of the destination, of the source */
  /* extent of the axis that was taken out of the walk for a transposition; else 1 */
  size_t rows;
  ptrdiff_t z_row, x_row; /* byte steps along it */
  bool is_passing;        /* what is written goes past the caches */
  ndi_poll poll;
} copy_plan;

/* {=== one run ===} */

/* Convert a strided run through buffers, so that the converting loop sees packed elements and
 * vectorises. */
static void convert_run(const copy_plan *p, size_t n, char *z, ptrdiff_t dz, const char *x,
                        ptrdiff_t dx) {
  _Alignas(64) char in[BUFFER], out[BUFFER];
  const size_t widest = (size_t)(p->to > p->from ? p->to : p->from), most = BUFFER / widest;
  if (dx == 0) { /* a broadcast source: convert it once */
    p->convert(1, out, p->to, x, p->from);
    p->move_to(n, z, dz, out, 0);
    return;
  }
  for (size_t done = 0; done < n; done += most) {
    const size_t some = n - done < most ? n - done : most;
    const char *source = x + (ptrdiff_t)done * dx;
    char *target = z + (ptrdiff_t)done * dz;
    if (dx != p->from) p->move_from(some, in, p->from, source, dx), source = in;
    p->convert(some, dz == p->to ? target : out, p->to, source, p->from);
    if (dz != p->to) p->move_to(some, target, dz, out, p->to);
  }
}

/* Convert a run that is packed on both sides, fetching ahead what is written, or, where that is
 * narrower, what is read; the latter on all processors for results of at most 2 bytes, most of
 * which take long to compute. */
static void convert_packed(const copy_plan *p, size_t n, char *z, const char *x) {
  const bool fetches = atomic_load_explicit(&ndi_fetches_copies, memory_order_relaxed);
  const bool is_narrower = p->to < p->from, is_slow = p->to <= 2;
  for (size_t done = 0; done < n; done += NDI_STRIP) {
    const size_t some = n - done < NDI_STRIP ? n - done : NDI_STRIP;
    char *to = z + done * (size_t)p->to;
    const char *from = x + done * (size_t)p->from;
    if (is_narrower && (fetches || is_slow)) ndi_fetch_to_read(from, some * (size_t)p->from);
    if (!is_narrower && fetches) ndi_fetch_to_write(to, some * (size_t)p->to);
    p->convert(some, to, p->to, from, p->from);
  }
}

static void copy_run(const copy_plan *p, size_t n, char *z, ptrdiff_t dz, const char *x,
                     ptrdiff_t dx) {
  const bool is_block = !p->convert && dz == p->to && dx == p->to;
  if (is_block) memcpy(z, x, n * (size_t)p->to);
  else if (!p->convert) p->move_to(n, z, dz, x, dx);
  else if (n == 1) p->convert(n, z, dz, x, dx); /* not worth the set-up of a loop */
  else if (dz == p->to && dx == p->from) convert_packed(p, n, z, x);
  else convert_run(p, n, z, dz, x, dx);
}

/* A run that is packed in the destination, past the caches: some elements at a time are converted
 * into a buffer. */
static void pass_run(const copy_plan *p, size_t n, char *z, const char *x, ptrdiff_t dx) {
  _Alignas(64) char out[NDI_PASSED];
  const size_t item = (size_t)p->to;
  if (!p->convert && dx == p->to) {
    ndi_pass(z, x, n * item);
    return;
  }
  for (size_t done = 0, some; done < n; done += some) {
    char *to = z + done * item;
    some = ndi_pass_next(to, item, n - done);
    const char *from = x + (ptrdiff_t)done * dx;
    if (p->convert && dx == p->from) p->convert(some, out, p->to, from, dx);
    else copy_run(p, some, out, p->to, from, dx);
    ndi_pass(to, out, some * item);
  }
}

/* {=== one transposition ===} */

/* Transpose block by block into a buffer in the order of the destination, and convert from
 * there. */
static void convert_transposed(const copy_plan *p, size_t columns, char *z, ptrdiff_t dz,
                               const char *x, ptrdiff_t dx) {
  _Alignas(64) char block[SIDE * SIDE * 16];
  const ndi_steps packed = {SIDE * p->from, p->from}, steps = {p->x_row, dx};
  for (size_t r = 0; r < p->rows; r += SIDE)
    for (size_t c = 0; c < columns; c += SIDE) {
      const size_t n = p->rows - r < SIDE ? p->rows - r : SIDE;
      const size_t m = columns - c < SIDE ? columns - c : SIDE;
      char *to = z + (ptrdiff_t)r * p->z_row + (ptrdiff_t)c * dz;
      ndi_transpose((size_t)p->from, n, m, block, packed,
                    x + (ptrdiff_t)r * p->x_row + (ptrdiff_t)c * dx, steps);
      for (size_t i = 0; i < n; i++)
        p->convert(m, to + (ptrdiff_t)i * p->z_row, dz, block + (ptrdiff_t)i * packed.row, p->from);
    }
}

static void copy_transposed(const copy_plan *p, size_t columns, char *z, ptrdiff_t dz,
                            const char *x, ptrdiff_t dx) {
  const ndi_steps z_steps = {p->z_row, dz}, x_steps = {p->x_row, dx};
  if (p->convert) convert_transposed(p, columns, z, dz, x, dx);
  else ndi_transpose((size_t)p->to, p->rows, columns, z, z_steps, x, x_steps);
}

/* {=== the plan ===} */

/* Each run is then a 2-D block of 'rows' runs, and the walk goes over the axes that are left. */
static void take_axis_out(copy_plan *p, int axis) {
  nd_iter *w = &p->walk;
  p->rows = w->len[axis];
  p->z_row = w->steps[0][axis], p->x_row = w->steps[1][axis];
  w->ndim--;
  for (int a = axis; a < w->ndim; a++) {
    w->len[a] = w->len[a + 1];
    for (int i = 0; i < 2; i++) w->steps[i][a] = w->steps[i][a + 1];
  }
}

/* Choose a transposition if the source is closer along another axis than along the run: the axis
 * with its smallest step becomes the rows. */
static void plan_transposition(copy_plan *p) {
  const nd_iter *w = &p->walk;
  int best = -1;
  ptrdiff_t closest = ndi_step_abs(w->step[1]);
  p->rows = 1;
  if (w->run < WORTH_TRANSPOSING) return;
  for (int a = 0; a < w->ndim; a++) {
    const ptrdiff_t step = ndi_step_abs(w->steps[1][a]);
    if (step == 0 || step >= closest || w->len[a] < WORTH_TRANSPOSING) continue;
    best = a, closest = step;
  }
  if (best >= 0) take_axis_out(p, best);
}

/* {=== execution ===} */

static bool run_walk(copy_plan *p, size_t thread, nd_iter *it) {
  /* memcpy gets pieces of 32 MiB, all else about NDI_BETWEEN_POLLS elements between two polls. */
  const bool is_block = !p->convert && it->step[0] == p->to && it->step[1] == p->to;
  const size_t most = is_block ? BLOCK / (size_t)p->to : (NDI_BETWEEN_POLLS - 1) / p->rows + 1;
  for (; !it->is_done; ndi_iter_next(it))
    for (size_t done = 0; done < it->run; done += most) {
      const size_t n = it->run - done < most ? it->run - done : most;
      char *z = it->at[0] + (ptrdiff_t)done * it->step[0];
      const char *x = it->at[1] + (ptrdiff_t)done * it->step[1];
      if (p->rows > 1) copy_transposed(p, n, z, it->step[0], x, it->step[1]);
      else if (p->is_passing) pass_run(p, n, z, x, it->step[1]);
      else copy_run(p, n, z, it->step[0], x, it->step[1]);
      if (ndi_poll_stops(&p->poll, thread, n * p->rows)) return false;
    }
  return true;
}

static bool run_part(void *context, size_t part, size_t parts, size_t thread) {
  copy_plan *p = context;
  nd_iter it;
  ndi_iter_part(&p->walk, part, parts, &it);
  const bool goes_on = run_walk(p, thread, &it);
  if (p->is_passing) ndi_pass_end();
  return goes_on;
}

/* ndi_host_verify comes last: a mapped source that shrank has read as zeros. */
nd_status ndi_host_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                        nd_error *err) {
  (void)self;
  const nd_view *views[] = {dst, src};
  const nd_dtype to = (nd_dtype)dst->dtype, from = (nd_dtype)src->dtype;
  char *bases[2];
  ND_TRY(ndi_host_bases(2, views, 1, bases, err));
  copy_plan p = {.convert = to == from ? NULL : ndi_cast_find(to, from, mode),
                 .move_to = ndi_cast_find(to, to, mode),
                 .move_from = ndi_cast_find(from, from, mode),
                 .to = (ptrdiff_t)nd_view_itemsize(dst),
                 .from = (ptrdiff_t)nd_view_itemsize(src),
                 .poll = {.err = err}};
  ndi_iter_init(&p.walk, 2, views, bases, false);
  plan_transposition(&p);
  /* conversions of other widths take longer to compute than to move */
  const bool is_packed = !p.convert && p.walk.step[1] == p.to, is_light = !p.convert || p.to == 4;
  p.is_passing = p.rows == 1 && is_light &&
                 ndi_host_passes(&p.walk, views, is_packed ? WORTH_PASSING : BUFFER);
  const uint64_t bytes = (uint64_t)dst->size * (uint64_t)(p.to + p.from);
  ndi_run_parts(ndi_split_of(bytes, 0), run_part, &p);
  ND_TRY(p.poll.status);
  return ndi_host_verify(2, views, err);
}
