/* Fourier transforms on the host, of lines along one axis.
 *
 * A line is transformed from where it lies to where its result is to lie, if both are packed and
 * aligned; what is not goes through a buffer, where a line is also filled up with zeros. Where
 * neighbouring lines are closer in memory than the elements of a line, a tile of them goes through
 * buffers at once, so that cache lines are moved whole. Threads share the tiles; a line is
 * transformed by one thread, by the same plan wherever it lies, so that the bits are the same. */
#include "dev/host/fft_plans.h"

#include <string.h>

#include "dev/host/host.h"
#include "dev/small.h"
#include "kern/transpose.h"
#include "view/iter.h"

enum {
  LINE = 64,         /* bytes of a cache line: of neighbours in a tile, at least */
  WIDE = 128,        /* bytes of neighbours in a tile whose buffers have */
  BUFFERS = 1 << 20, /* bytes, at most */
};

/* One side, what is read or what is written: lines of 'len' elements. */
typedef struct {
  size_t item, len;
  ptrdiff_t step; /* bytes from one element to the next */
  bool is_direct; /* transformed where it lies */
} side;

typedef struct {
  const ndi_fft_way *way;
  const nd_task *task;
  const nd_fft_numbers *how;
  nd_dtype from, to;
  side in, out;
  size_t reads; /* elements that a transform reads; those after in.len are 0 */
  bool conjugates_before, conjugates_after, mirrors;
  nd_iter lines; /* walk from line to line; views: out, src */
  /* lines of a tile, tiles of a run of 'lines', tiles in all */
  size_t width, tiles_of_run, tiles;
  size_t pitch;      /* bytes of a line in the buffers */
  size_t room, each; /* bytes of the buffers, and with work memory, of a thread */
  char *scratch;
  ndi_poll poll;
} plan;

/* {=== a tile ===} */

/* The addresses of the first line of a tile. Returns its width. */
static size_t find_tile(const plan *p, size_t tile, char **x, char **z) {
  nd_iter it = p->lines;
  const size_t first = tile % p->tiles_of_run * p->width, left = it.run - first;
  ndi_iter_seek(&it, tile / p->tiles_of_run);
  *z = it.at[0] + (ptrdiff_t)first * it.step[0];
  *x = it.at[1] ? it.at[1] + (ptrdiff_t)first * it.step[1] : NULL;
  return left < p->width ? left : p->width;
}

/* Read a tile into the buffers: line w to 'to' + w * pitch. */
static void gather(const plan *p, size_t width, const char *x, char *to) {
  const size_t item = p->in.item, bytes = p->in.len * item;
  const ndi_steps packed = {(ptrdiff_t)p->pitch, (ptrdiff_t)item};
  const ndi_steps given = {p->lines.step[1], p->in.step};
  if (bytes > 0) ndi_transpose(item, width, p->in.len, to, packed, x, given);
  for (size_t w = 0; w < width; w++, to += p->pitch) {
    memset(to + bytes, 0, p->reads * item - bytes);
    if (p->conjugates_before) ndi_fft_scale(p->from, p->in.len, to, 1, true);
  }
}

/* What is left to do with a line after its transform. */
static void finish(const plan *p, char *z) {
  const size_t n = p->way->own.n, half = n / 2 + 1;
  if (p->how->scale != 1 || p->conjugates_after)
    ndi_fft_scale(p->to, p->mirrors ? half : p->out.len, z, p->how->scale, p->conjugates_after);
  if (p->mirrors) ndi_fft_mirror(p->to, n, half, z);
}

/* In the buffers, line w is read from place w + 1 and written to place w, which was read before. */
static void run_tile(const plan *p, size_t width, char *x, char *z, char *buffers, char *work) {
  char *from = buffers + p->pitch, *to = buffers;
  if (!p->in.is_direct) gather(p, width, x, from);
  for (size_t w = 0; w < width; w++) {
    char *in = p->in.is_direct ? x + (ptrdiff_t)w * p->lines.step[1] : from + w * p->pitch;
    char *out = p->out.is_direct ? z + (ptrdiff_t)w * p->lines.step[0] : to + w * p->pitch;
    ndi_fft_way_run(p->way, in, out, work);
    finish(p, out);
  }
  if (p->out.is_direct) return;
  const ndi_steps packed = {(ptrdiff_t)p->pitch, (ptrdiff_t)p->out.item};
  const ndi_steps given = {p->lines.step[0], p->out.step};
  ndi_transpose(p->out.item, width, p->out.len, z, given, to, packed);
}

static bool run_tiles(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  char none = 0; /* where there are no buffers nothing is read or written there */
  char *buffers = p->scratch ? p->scratch + thread * p->each : &none;
  char *work = p->scratch ? buffers + p->room : NULL;
  const size_t n = p->way->own.n;
  for (size_t tile = p->tiles * part / parts; tile < p->tiles * (part + 1) / parts; tile++) {
    char *x, *z;
    const size_t width = find_tile(p, tile, &x, &z);
    run_tile(p, width, x, z, buffers, work);
    if (ndi_poll_stops(&p->poll, thread, 8 * n * width)) return false;
  }
  return true;
}

/* {=== the plan ===} */

/* View 'v' without the axis of the lines. Borrows the storage. */
static void find_lines(const nd_view *v, int axis, nd_view *out) {
  nd_view_borrow(v, out);
  out->ndim = 0;
  out->size = 1;
  for (int i = 0; i < v->ndim; i++) {
    if (i == axis) continue;
    out->axis[out->ndim++] = v->axis[i];
    out->size *= v->axis[i].len;
  }
}

static side side_of(const nd_view *v, int axis) {
  return (side){.item = nd_view_itemsize(v), .len = v->axis[axis].len, .step = v->axis[axis].step};
}

/* Can lines of 'needs' elements be transformed where they lie? 'at' is the first one. */
static bool is_direct(const plan *p, const side *s, int view, size_t needs) {
  const nd_iter *it = &p->lines;
  const char *at = it->at[view];
  if (!at || s->len != needs || (s->len > 1 && s->step != (ptrdiff_t)s->item)) return false;
  bool fits = ndi_fft_way_fits(p->way, at);
  if (it->run > 1) fits &= ndi_fft_way_fits(p->way, at + it->step[view]);
  for (int i = 0; i < it->ndim; i++)
    if (it->len[i] > 1) fits &= ndi_fft_way_fits(p->way, at + it->steps[view][i]);
  return fits;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* The width of tiles: of several lines where neighbours are closer than elements. */
static void find_tiles(plan *p) {
  const size_t run = p->lines.run, item = least(p->in.item, p->out.item);
  const size_t in = p->reads * p->in.item, out = p->out.len * p->out.item;
  const bool is_across = (!p->in.is_direct &&
                          ndi_step_abs(p->lines.step[1]) < ndi_step_abs(p->in.step)) ||
                         (!p->out.is_direct &&
                          ndi_step_abs(p->lines.step[0]) < ndi_step_abs(p->out.step));
  /* apart by some cache lines: lines a power of two apart drive one another out of caches */
  p->pitch = ((in > out ? in : out) + 3 * LINE - 1) / LINE * LINE;
  p->width = !is_across ? 1 : p->pitch < BUFFERS / (WIDE / item) ? WIDE / item : LINE / item;
  p->width = least(p->width, run);
  p->room = p->in.is_direct && p->out.is_direct ? 0 : (p->width + 1) * p->pitch;
  p->tiles_of_run = (run - 1) / p->width + 1;
  p->tiles = p->tiles_of_run;
  for (int i = 0; i < p->lines.ndim; i++) p->tiles *= p->lines.len[i];
}

/* The elements of lines, and what is done with them before and after. */
static void find_sides(plan *p, const nd_view *out, const nd_view *src) {
  const ndi_fft_form form = p->way->own.form;
  const size_t n = p->way->own.n;
  p->in = side_of(src, p->how->axis), p->out = side_of(out, p->how->axis);
  p->reads = form == NDI_FFT_HERMITIAN ? n / 2 + 1 : n;
  p->mirrors = form == NDI_FFT_REAL && p->out.len == n;
  p->conjugates_before = form == NDI_FFT_HERMITIAN && !p->how->is_inverse;
  p->conjugates_after = form == NDI_FFT_REAL && p->how->is_inverse;
}

static void find_walk(plan *p, char *const *bases) {
  const nd_view *out = p->task->views[0], *src = p->task->views[1];
  const ndi_fft_form form = p->way->own.form;
  nd_view lines[2];
  const nd_view *views[] = {&lines[0], &lines[1]};
  find_lines(out, p->how->axis, &lines[0]);
  find_lines(src, p->how->axis, &lines[1]);
  ndi_iter_init(&p->lines, 2, views, bases, false);
  p->in.is_direct = form != NDI_FFT_HERMITIAN && src->storage != out->storage &&
                    is_direct(p, &p->in, 1, p->reads);
  p->out.is_direct = is_direct(p, &p->out, 0, p->out.len);
}

static nd_status run_plan(plan *p) {
  const size_t n = p->way->own.n;
  const uint64_t bytes = (uint64_t)p->tiles * p->width * n * (p->in.item + p->out.item) * 2;
  const ndi_split split = ndi_split_of(bytes, p->tiles);
  p->each = p->room + ndi_fft_way_work(p->way);
  if (p->each == 0) ndi_run_parts(split, run_tiles, p);
  else
    ND_TRY(
        ndi_lines_run(p->task->name, n, split, run_tiles, p, &p->each, &p->scratch, p->poll.err));
  return p->poll.status;
}

static ndi_fft_form form_of(nd_dtype from, nd_dtype to) {
  return nd_dtype_part(from) == from ? NDI_FFT_REAL
         : nd_dtype_part(to) == to   ? NDI_FFT_HERMITIAN
                                     : NDI_FFT_COMPLEX;
}

/* Take the plan of lines of these dtypes. */
static nd_status take_way(const nd_fft_numbers *how, nd_dtype from, nd_dtype to,
                          const ndi_fft_way **out, nd_error *err) {
  const ndi_fft_form form = form_of(from, to);
  const bool is_inverse = form == NDI_FFT_COMPLEX && how->is_inverse;
  return ndi_fft_way_take(nd_dtype_part(from), form, is_inverse, how->n, out, err);
}

nd_status ndi_host_fft(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *out = task->views[0], *src = task->views[1];
  plan p = {.task = task,
            .how = &task->fft,
            .from = (nd_dtype)src->dtype,
            .to = (nd_dtype)out->dtype,
            .poll = {.err = err}};
  if (out->size == 0) return ND_OK;
  ND_TRY(take_way(p.how, p.from, p.to, &p.way, err));
  find_sides(&p, out, src);
  find_walk(&p, bases);
  find_tiles(&p);
  const nd_status status = run_plan(&p);
  ndi_fft_way_give(p.way);
  return status;
}

/* {=== one line ===} that is not worth the plan of a walk; see dev/small.h */

static bool is_small(const nd_view *v) {
  const nd_storage *s = v->storage;
  return v->size > 0 && nd_view_nbytes(v) <= NDI_SMALL_LINE && s->resource->kind == ND_MEM_HOST &&
         s->resource->device == 0 && nd_storage_get_state(s) == ND_STORAGE_LIVE &&
         nd_view_is_contiguous(v);
}

/* The line at 'x' to 'z', if both are aligned. */
static bool run_line(const plan *p, char *x, char *z) {
  const size_t bytes = ndi_fft_way_work(p->way);
  nd_block block = {.host = NULL};
  if (!ndi_fft_way_fits(p->way, x) || !ndi_fft_way_fits(p->way, z)) return false;
  if (bytes > 0 && ndi_host_scratch(bytes, &block, NULL) != ND_OK) return false;
  ndi_fft_way_run(p->way, x, z, block.host);
  finish(p, z);
  if (bytes > 0) ndi_host_unscratch(&block);
  return true;
}

bool ndi_small_fft(const nd_view *out, const nd_view *x, const nd_fft_numbers *how) {
  plan p = {.how = how, .from = (nd_dtype)x->dtype, .to = (nd_dtype)out->dtype};
  char *from, *to;
  if (out->is_read_only || !is_small(out) || !is_small(x) ||
      take_way(how, p.from, p.to, &p.way, NULL) != ND_OK)
    return false;
  find_sides(&p, out, x);
  const bool is_done = nd_view_host(x, false, &from, NULL) == ND_OK &&
                       nd_view_host(out, true, &to, NULL) == ND_OK &&
                       run_line(&p, from + x->offset, to + out->offset);
  ndi_fft_way_give(p.way);
  return is_done;
}
