/* Picking and assigning by index and by mask, on the host.
 *
 * Threads: TAKE shares out the picks, as each writes a place of its own. PUT and INDEX_ADD may
 * write one place several times, and the order counts (the last wins, floats are added in order):
 * so each part goes through all indices, but writes only its share of each row. */
#include <string.h>

#include "dev/host/host.h"
#include "dev/threads.h"
#include "kern/cast.h"
#include "kern/gather.h"
#include "kern/index_add.h"
#include "view/iter.h"

/* Part 'part' of a walk that is cut along its outermost axis only, so that the parts follow one
 * another in row-major order. (ndi_iter_part may cut any axis.) */
static void cut(const nd_iter *whole, size_t part, size_t parts, nd_iter *out) {
  const size_t len = whole->ndim > 0 ? whole->len[0] : whole->run;
  const size_t first = len * part / parts, end = len * (part + 1) / parts;
  *out = *whole;
  out->is_done |= first == end;
  if (whole->ndim > 0) out->len[0] = end - first;
  else out->run = end - first;
  for (int i = 0; i < whole->count; i++)
    out->at[i] += (ptrdiff_t)first * (whole->ndim > 0 ? whole->steps[i][0] : whole->step[i]);
}

/* {=== rows picked by an index ===} */

typedef void row_kernel(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx);

/* The views are {out, src, index} for TAKE, else {dst, values, index}. The indices pick rows of src
 * or dst. */
typedef struct {
  const nd_task *task;
  const nd_view *z, *x;
  char *to;
  const char *from, *index;
  size_t n, extent, width; /* number of indices; rows to pick from; elements of a row */
  ptrdiff_t step;          /* byte step of the index list */
  row_kernel *kernel;
  nd_iter row; /* walk over row 0 of z and x; other rows are offsets from it */
  ndi_poll poll;
} picks;

/* The first row of 'v': the view without its first axis. It stands for all rows, which differ from
 * it by an offset only. Borrows the storage. */
static void first_row(const nd_view *v, nd_view *row) {
  nd_view_borrow(v, row);
  row->ndim--;
  memmove(&row->axis[0], &row->axis[1], row->ndim * sizeof row->axis[0]);
  row->size = 1;
  for (int i = 0; i < row->ndim; i++) row->size *= row->axis[i].len;
}

/* Run the kernel on one row, 'z' and 'x' bytes from row 0. */
static void row_walk(const nd_iter *proto, ptrdiff_t z, ptrdiff_t x, row_kernel *kernel) {
  /* the common case: no need to copy the walk */
  if (proto->ndim == 0) {
    kernel(proto->run, proto->at[0] + z, proto->step[0], proto->at[1] + x, proto->step[1]);
    return;
  }
  nd_iter it = *proto;
  for (; !it.is_done; ndi_iter_next(&it))
    kernel(it.run, it.at[0] + z, it.step[0], it.at[1] + x, it.step[1]);
}

/* Index k of the list as a 0-based row. The indices are 1-based, negative ones count from the end;
 * they have been checked. */
static ptrdiff_t resolve(const char *index, ptrdiff_t step, size_t k, size_t extent) {
  int64_t at;
  memcpy(&at, index + (ptrdiff_t)k * step, sizeof at);
  return (ptrdiff_t)(at > 0 ? at - 1 : at + (int64_t)extent);
}

/* Indices first … end - 1, row by row: the picked row is in src for TAKE, else in dst. */
static void run_rows(const picks *p, const nd_iter *row, size_t first, size_t end) {
  const bool takes = p->task->op == ND_OP_TAKE;
  const ptrdiff_t dz = p->z->axis[0].step, dx = p->x->axis[0].step;
  for (size_t k = first; k < end; k++) {
    const ptrdiff_t own = (ptrdiff_t)k, picked = resolve(p->index, p->step, k, p->extent);
    row_walk(row, (takes ? own : picked) * dz, (takes ? picked : own) * dx, p->kernel);
  }
}

/* Indices first … end - 1. Single elements and packed rows have kernels; all else goes row by
 * row. */
static void run_some(const picks *p, const nd_iter *row, size_t first, size_t end) {
  const size_t item = nd_view_itemsize(p->z), n = end - first;
  const ptrdiff_t dz = p->z->axis[0].step, dx = p->x->axis[0].step;
  const bool is_packed = row->ndim == 0 && row->step[0] == (ptrdiff_t)item &&
                         row->step[1] == (ptrdiff_t)item;
  const bool is_line = p->z->ndim == 1;
  const char *index = p->index + (ptrdiff_t)first * p->step;
  char *to = p->to + (ptrdiff_t)first * dz;
  if (p->task->op == ND_OP_TAKE && is_line)
    ndi_take(item, n, to, dz, p->from, dx, p->extent, index, p->step);
  else if (p->task->op == ND_OP_TAKE && is_packed)
    ndi_take_rows(row->run * item, n, row->at[0] + (ptrdiff_t)first * dz, dz, row->at[1], dx,
                  p->extent, index, p->step);
  else if (p->task->op == ND_OP_PUT && is_line) /* then there is one part: see split_of */
    ndi_put(item, n, p->to, dz, p->extent, index, p->step, p->from + (ptrdiff_t)first * dx, dx);
  else run_rows(p, row, first, end);
}

/* See the top of the file for how parts differ. */
static bool run_part(void *context, size_t part, size_t parts, size_t thread) {
  picks *p = context;
  const bool takes = p->task->op == ND_OP_TAKE;
  const size_t first = takes ? p->n * part / parts : 0;
  const size_t end = takes ? p->n * (part + 1) / parts : p->n;
  /* rows between two polls, at least one */
  const size_t rows = NDI_BETWEEN_POLLS / p->width + 1;
  nd_iter row = p->row;
  /* a share of each row, for all indices */
  if (!takes) cut(&p->row, part, parts, &row);
  for (size_t k = first; k < end; k += rows) {
    const size_t some = end - k < rows ? end - k : rows;
    run_some(p, &row, k, k + some);
    if (ndi_poll_stops(&p->poll, thread, some * p->width)) return false;
  }
  return true;
}

/* Do the rows lie across the axis that is picked along, on both sides? Then one line along the axis
 * after the other is picked from: the cache holds a line, while each place of a row is in a cache
 * line of its own. Threads share out the lines, each of which goes through all indices in order.
 * INDEX_ADD has no kernel for them. */
static bool goes_by_lines(const picks *p) {
  const nd_iter *row = &p->row;
  const ptrdiff_t dz = ndi_step_abs(p->z->axis[0].step), dx = ndi_step_abs(p->x->axis[0].step);
  const ptrdiff_t apart_z = ndi_step_abs(row->step[0]), apart_x = ndi_step_abs(row->step[1]);
  return p->task->op != ND_OP_INDEX_ADD && p->width > 1 && dz <= apart_z && dx <= apart_x;
}

/* Indices first … first + n - 1 of the line at z and x. */
static void run_line(const picks *p, char *z, const char *x, size_t first, size_t n) {
  const size_t item = nd_view_itemsize(p->z);
  const ptrdiff_t dz = p->z->axis[0].step, dx = p->x->axis[0].step, at = (ptrdiff_t)first;
  const char *index = p->index + at * p->step;
  if (p->task->op == ND_OP_TAKE)
    ndi_take(item, n, z + at * dz, dz, x, dx, p->extent, index, p->step);
  else ndi_put(item, n, z, dz, p->extent, index, p->step, x + at * dx, dx);
}

static bool lines_part(void *context, size_t part, size_t parts, size_t thread) {
  picks *p = context;
  nd_iter it;
  for (cut(&p->row, part, parts, &it); !it.is_done; ndi_iter_next(&it))
    for (size_t i = 0; i < it.run; i++)
      for (size_t first = 0, n; first < p->n; first += n) {
        n = p->n - first < NDI_BETWEEN_POLLS ? p->n - first : NDI_BETWEEN_POLLS;
        run_line(p, it.at[0] + (ptrdiff_t)i * it.step[0], it.at[1] + (ptrdiff_t)i * it.step[1],
                 first, n);
        if (ndi_poll_stops(&p->poll, thread, n)) return false;
      }
  return true;
}

/* PUT and INDEX_ADD cut rows, so a part of less than NARROW bytes is not worth a thread; and each
 * part goes through all indices, so there are few. */
static ndi_split split_of(const picks *p) {
  enum { NARROW = 512, FEW = 4 }; /* bytes; parts of a thread */
  /* bytes of a row, which is read and written */
  const uint64_t bytes = p->width * nd_view_itemsize(p->z), all = p->n * bytes * 2;
  const ndi_split split = ndi_split_of(all, 0);
  if (p->task->op == ND_OP_TAKE) return split;
  const uint64_t most = bytes / NARROW + 1, few = split.threads * FEW;
  return ndi_split_of(all, (size_t)(most < few ? most : few));
}

static ndi_split lines_split(const picks *p) {
  const size_t lines = p->row.ndim > 0 ? p->row.len[0] : p->row.run;
  return ndi_split_of((uint64_t)p->n * p->width * nd_view_itemsize(p->z) * 2, lines);
}

static nd_status run_picks(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *z = task->views[0], *x = task->views[1], *index = task->views[2];
  const nd_view *picked = task->op == ND_OP_TAKE ? x : z;
  nd_view rows[2];
  /* Nothing to do, and a storage without bytes has no address. */
  if (z->size == 0 || x->size == 0 || index->size == 0) return ND_OK;
  picks p = {.task = task,
             .z = z,
             .x = x,
             .to = ndi_host_at(bases[0], z->offset),
             .from = ndi_host_at(bases[1], x->offset),
             .index = ndi_host_at(bases[2], index->offset),
             .n = index->size,
             .extent = picked->axis[0].len,
             .step = index->ndim ? index->axis[0].step : 0,
             .poll = {.err = err}};
  p.kernel = task->op == ND_OP_INDEX_ADD
                 ? ndi_index_add_find((nd_dtype)z->dtype)
                 : ndi_cast_find((nd_dtype)z->dtype, (nd_dtype)x->dtype, ND_SATURATE);
  first_row(z, &rows[0]);
  first_row(x, &rows[1]);
  ndi_iter_init(&p.row, 2, (const nd_view *const[]){&rows[0], &rows[1]}, bases, false);
  p.width = rows[0].size;
  const bool by_lines = goes_by_lines(&p);
  ndi_run_parts(by_lines ? lines_split(&p) : split_of(&p), by_lines ? lines_part : run_part, &p);
  return p.poll.status;
}

/* {=== masks ===} */

/* MASK_SELECT has the views {out, src, mask}, MASK_ASSIGN {dst, values, mask}. 'line' is the 1-D
 * side (out or values); 'walk' goes over the other side and the mask in row-major order. With
 * several parts the true elements of each are counted first: the sums tell where in 'line' each
 * part begins. */
typedef struct {
  nd_iter walk;
  bool selects;
  size_t item;
  char *line;
  ptrdiff_t step;
  size_t counts[NDI_MAX_PARTS]; /* true elements of the mask in each part */
  ndi_poll poll;
} masked;

/* Elements until the next poll for an interrupt. */
static size_t piece_of(const nd_iter *it, size_t done) {
  return it->run - done < NDI_BETWEEN_POLLS ? it->run - done : NDI_BETWEEN_POLLS;
}

static bool count_part(void *context, size_t part, size_t parts, size_t thread) {
  masked *m = context;
  nd_iter it;
  size_t count = 0;
  for (cut(&m->walk, part, parts, &it); !it.is_done; ndi_iter_next(&it))
    for (size_t done = 0, n; done < it.run; done += n) {
      /* the mask is the last view */
      const ptrdiff_t step = it.step[it.count - 1];
      n = piece_of(&it, done);
      count += ndi_mask_count(n, it.at[it.count - 1] + (ptrdiff_t)done * step, step);
      if (ndi_poll_stops(&m->poll, thread, n)) return false;
    }
  m->counts[part] = count;
  return true;
}

/* Move the true elements of one part, 'room' of them; behind the last one the walk may end
 * early. */
static bool mask_part(void *context, size_t part, size_t parts, size_t thread) {
  masked *m = context;
  nd_iter it;
  char *at = m->line;
  size_t room = m->counts[part];
  /* the values of earlier parts come first in the line */
  for (size_t i = 0; i < part; i++) at += (ptrdiff_t)m->counts[i] * m->step;
  for (cut(&m->walk, part, parts, &it); !it.is_done && room > 0; ndi_iter_next(&it))
    for (size_t done = 0, n; done < it.run && room > 0; done += n) {
      n = piece_of(&it, done);
      char *whole = it.at[0] + (ptrdiff_t)done * it.step[0];
      const char *mask = it.at[1] + (ptrdiff_t)done * it.step[1];
      const size_t moved = m->selects ? ndi_mask_select(m->item, n, at, room, whole, it.step[0],
                                                        mask, it.step[1])
                                      : ndi_mask_assign(m->item, n, whole, it.step[0], mask,
                                                        it.step[1], at, m->step, room);
      at += (ptrdiff_t)moved * m->step;
      room -= moved;
      if (ndi_poll_stops(&m->poll, thread, n)) return false;
    }
  return true;
}

/* The number of true elements, in whatever order they are counted. */
static nd_status count_true(const nd_view *mask, char *base, size_t *out, nd_error *err) {
  masked m = {.poll = {.err = err}};
  const ndi_split split = ndi_split_of(mask->size, 0);
  ndi_iter_init(&m.walk, 1, &mask, &base, false);
  ndi_run_parts(split, count_part, &m);
  ND_TRY(m.poll.status);
  *out = 0;
  for (size_t i = 0; i < split.parts; i++) *out += m.counts[i];
  return ND_OK;
}

static nd_status run_mask(const nd_task *task, char *const *bases, nd_error *err) {
  const bool selects = task->op == ND_OP_MASK_SELECT;
  const int whole = selects ? 1 : 0, packed = selects ? 0 : 1;
  const nd_view *walked[] = {task->views[whole], task->views[2]}, *line = task->views[packed];
  masked m = {.selects = selects,
              .item = nd_view_itemsize(line),
              .line = ndi_host_at(bases[packed], line->offset),
              .step = line->ndim ? line->axis[0].step : 0,
              .poll = {.err = err}};
  if (line->size == 0) return ND_OK;
  /* row-major, the order in which the 1-D side has its elements */
  ndi_iter_init(&m.walk, 2, walked, (char *const[]){bases[whole], bases[2]}, true);
  const ndi_split split = ndi_split_of((uint64_t)nd_view_nbytes(walked[0]), 0);
  /* one part needs no counting: the line is as long as the number of true elements */
  m.counts[0] = line->size;
  if (split.parts > 1) ndi_run_parts(split, count_part, &m);
  ND_TRY(m.poll.status);
  ndi_run_parts(split, mask_part, &m);
  return m.poll.status;
}

static nd_status run_count(const nd_task *task, char *const *bases, nd_error *err) {
  return count_true(task->views[0], bases[0], task->result, err);
}

typedef nd_status gather(const nd_task *task, char *const *bases, nd_error *err);
static gather *const gathers[ND_OP_COUNT] = {
    [ND_OP_TAKE] = run_picks,       [ND_OP_PUT] = run_picks,
    [ND_OP_INDEX_ADD] = run_picks,  [ND_OP_INDEX_JOIN] = ndi_host_join,
    [ND_OP_MASK_COUNT] = run_count, [ND_OP_MASK_SELECT] = run_mask,
    [ND_OP_MASK_ASSIGN] = run_mask};

bool ndi_host_can_gather(const nd_task *task) { return gathers[task->op] != NULL; }

nd_status ndi_host_gather(const nd_task *task, char *const *bases, nd_error *err) {
  return gathers[task->op](task, bases, err);
}
