/* Copies on the host: one planner for whole blocks, runs, transpositions, gathers and conversions,
 * on as many threads as the bytes are worth. */
#include <string.h>

#include "dev/host.h"
#include "dev/threads.h"
#include "kern/cast.h"
#include "kern/transpose.h"
#include "view/iter.h"

enum {
  BUFFER = 16 << 10, /* bytes converted at a time: they stay in the first cache */
  SIDE = 32,         /* of a block that is transposed and converted */
  WORTH_TURNING = 4, /* elements along either axis */
  BLOCK = 32 << 20   /* bytes of one memcpy, which does better with many */
};

typedef struct {
  nd_iter walk;                         /* view 0 is the destination */
  ndi_cast_kernel *convert;             /* NULL: one dtype */
  ndi_cast_kernel *move_from, *move_to; /* within either dtype */
  ptrdiff_t to, from;                   /* bytes of an element */
  size_t rows;            /* of a transposition: an axis taken out of the walk; else 1 */
  ptrdiff_t z_row, x_row; /* its steps */
  ndi_poll poll;
} copy_plan;

/* {=== one run ===} */

/* Convert by way of buffers, so that the loop that converts runs over packed elements. */
static void convert_run(const copy_plan *p, size_t n, char *z, ptrdiff_t dz, const char *x,
                        ptrdiff_t dx) {
  _Alignas(64) char in[BUFFER], out[BUFFER];
  const size_t widest = (size_t)(p->to > p->from ? p->to : p->from), most = BUFFER / widest;
  if (dx == 0) { /* one value */
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

/* Both sides are packed. */
static void convert_packed(const copy_plan *p, size_t n, char *z, const char *x) {
  for (size_t done = 0; done < n; done += NDI_STRIP) {
    const size_t some = n - done < NDI_STRIP ? n - done : NDI_STRIP;
    char *to = z + done * (size_t)p->to;
    ndi_fetch_ahead(to, some * (size_t)p->to);
    p->convert(some, to, p->to, x + done * (size_t)p->from, p->from);
  }
}

static void copy_run(const copy_plan *p, size_t n, char *z, ptrdiff_t dz, const char *x,
                     ptrdiff_t dx) {
  if (!p->convert && dz == p->to && dx == p->to) memcpy(z, x, n * (size_t)p->to);
  else if (!p->convert) p->move_to(n, z, dz, x, dx);
  else if (n == 1) p->convert(n, z, dz, x, dx);
  else if (dz == p->to && dx == p->from) convert_packed(p, n, z, x);
  else convert_run(p, n, z, dz, x, dx);
}

/* {=== one transposition ===} */

/* Blocks go through a buffer in the destination's order, and are converted from there. */
static void convert_turned(const copy_plan *p, size_t columns, char *z, ptrdiff_t dz, const char *x,
                           ptrdiff_t dx) {
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

static void copy_turned(const copy_plan *p, size_t columns, char *z, ptrdiff_t dz, const char *x,
                        ptrdiff_t dx) {
  const ndi_steps z_steps = {p->z_row, dz}, x_steps = {p->x_row, dx};
  if (p->convert) convert_turned(p, columns, z, dz, x, dx);
  else ndi_transpose((size_t)p->to, p->rows, columns, z, z_steps, x, x_steps);
}

/* {=== the plan ===} */

static ptrdiff_t magnitude(ptrdiff_t step) { return step < 0 ? -step : step; }

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

/* The axis along which the source lies closest, where that is not the run's. */
static void plan_turn(copy_plan *p) {
  const nd_iter *w = &p->walk;
  int best = -1;
  ptrdiff_t closest = magnitude(w->step[1]);
  p->rows = 1;
  if (w->run < WORTH_TURNING) return;
  for (int a = 0; a < w->ndim; a++) {
    const ptrdiff_t step = magnitude(w->steps[1][a]);
    if (step == 0 || step >= closest || w->len[a] < WORTH_TURNING) continue;
    best = a, closest = step;
  }
  if (best >= 0) take_axis_out(p, best);
}

/* {=== carrying it out ===} */

static void run_walk(copy_plan *p, size_t part, nd_iter *it) {
  const bool is_block = !p->convert && it->step[0] == p->to && it->step[1] == p->to;
  const size_t most = is_block ? BLOCK / (size_t)p->to : NDI_BETWEEN_POLLS / p->rows + 1;
  size_t since = 0;
  for (; !it->is_done; ndi_iter_next(it))
    for (size_t done = 0; done < it->run; done += most) {
      const size_t n = it->run - done < most ? it->run - done : most;
      char *z = it->at[0] + (ptrdiff_t)done * it->step[0];
      const char *x = it->at[1] + (ptrdiff_t)done * it->step[1];
      if (p->rows > 1) copy_turned(p, n, z, it->step[0], x, it->step[1]);
      else copy_run(p, n, z, it->step[0], x, it->step[1]);
      if (ndi_poll_stops(&p->poll, part, &since, n * p->rows)) return;
    }
}

static void run_part(void *context, size_t part, size_t parts) {
  copy_plan *p = context;
  nd_iter it;
  ndi_iter_part(&p->walk, part, parts, &it);
  run_walk(p, part, &it);
}

nd_status ndi_host_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                        nd_error *err) {
  (void)self;
  const nd_view *views[] = {dst, src};
  const nd_dtype to = (nd_dtype)dst->dtype, from = (nd_dtype)src->dtype;
  char *bases[2];
  ND_TRY(ndi_host_bases(2, views, true, bases, err));
  copy_plan p = {.convert = to == from ? NULL : ndi_cast_find(to, from, mode),
                 .move_to = ndi_cast_find(to, to, mode),
                 .move_from = ndi_cast_find(from, from, mode),
                 .to = (ptrdiff_t)nd_view_itemsize(dst),
                 .from = (ptrdiff_t)nd_view_itemsize(src),
                 .poll = {.err = err}};
  ndi_iter_init(&p.walk, 2, views, bases, false);
  plan_turn(&p);
  ndi_run_parts(ndi_parts((uint64_t)dst->size * (uint64_t)(p.to + p.from)), run_part, &p);
  ND_TRY(p.poll.status);
  return ndi_host_verify(2, views, err);
}
