/* The operations of the host device: each walks the views and leaves the runs to a kernel. */
#include <string.h>

#include "dev/host.h"
#include "kern/arith.h"
#include "kern/cast.h"
#include "kern/compare.h"
#include "kern/gather.h"
#include "kern/random.h"
#include "view/iter.h"

/* {=== interrupts ===} */

enum { CHUNK = 1 << 20 }; /* elements between two polls */

static size_t chunk_of(size_t n, size_t done) { return n - done < CHUNK ? n - done : CHUNK; }

/* After 'n' more elements, of which 'since' are not polled for yet. */
static nd_status check_interrupt(size_t *since, size_t n, nd_error *err) {
  if ((*since += n) < CHUNK) return ND_OK;
  *since = 0;
  return nd_check_interrupt(err);
}

/* {=== filling ===} */

enum { BATCH = 256 };

/* out[before … before + n) of a range, through a small buffer and the cast to the dtype. */
static void range_run(const nd_task *task, size_t before, size_t n, char *z, ptrdiff_t dz) {
  double wide[BATCH];
  int64_t whole[BATCH];
  const nd_dtype from = task->is_integer ? ND_I64 : ND_F64;
  const char *x = task->is_integer ? (const char *)whole : (const char *)wide;
  ndi_cast_kernel *cast = ndi_cast_find((nd_dtype)task->views[0]->dtype, from, ND_SATURATE);
  for (size_t done = 0; done < n; done += BATCH) {
    const size_t some = n - done < BATCH ? n - done : BATCH;
    for (size_t i = 0; i < some; i++) {
      const size_t at = before + done + i;
      if (task->is_integer)
        whole[i] = (int64_t)((uint64_t)task->ifirst + (uint64_t)at * (uint64_t)task->istep);
      else wide[i] = task->first + (double)at * task->step;
    }
    cast(some, z + (ptrdiff_t)done * dz, dz, x, 8);
  }
}

static void fill_run(const nd_task *task, size_t before, size_t n, char *z, ptrdiff_t dz) {
  const nd_dtype dtype = (nd_dtype)task->views[0]->dtype;
  switch (task->op) {
    case ND_OP_UNIFORM:
      ndi_random_uniform(dtype, n, z, dz, task->seed, task->stream, before);
      break;
    case ND_OP_NORMAL: ndi_random_normal(dtype, n, z, dz, task->seed, task->stream, before); break;
    case ND_OP_INTEGERS:
      ndi_random_integers(dtype, n, z, dz, task->seed, task->stream, before, task->ifirst,
                          task->span);
      break;
    case ND_OP_PERMUTATION: ndi_random_permutation(n, z, dz, task->seed, task->stream); break;
    default: range_run(task, before, n, z, dz);
  }
}

static nd_status run_fill(const nd_task *task, char *const *bases, nd_error *err) {
  nd_iter it;
  size_t before = 0;
  for (ndi_iter_init(&it, 1, task->views, bases, true); !it.is_done;
       ndi_iter_next(&it), before += it.run) {
    const size_t chunk = task->op == ND_OP_PERMUTATION ? it.run : CHUNK; /* 1-D: one run */
    for (size_t done = 0; done < it.run; done += chunk) {
      const size_t n = it.run - done < chunk ? it.run - done : chunk;
      fill_run(task, before + done, n, it.at[0] + (ptrdiff_t)done * it.step[0], it.step[0]);
      ND_TRY(nd_check_interrupt(err));
    }
  }
  return ND_OK;
}

/* {=== rows picked by an index ===} */

typedef void row_kernel(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx);

/* A view without its first axis, for a walk over one row; it borrows the storage. */
static void first_row(const nd_view *v, nd_view *row) {
  memcpy(row, v, sizeof *v);
  row->ndim--;
  memmove(&row->axis[0], &row->axis[1], row->ndim * sizeof row->axis[0]);
  row->size = 1;
  for (int i = 0; i < row->ndim; i++) row->size *= row->axis[i].len;
}

static void row_walk(const nd_iter *proto, ptrdiff_t z, ptrdiff_t x, row_kernel *kernel) {
  if (proto->ndim == 0) {
    kernel(proto->run, proto->at[0] + z, proto->step[0], proto->at[1] + x, proto->step[1]);
    return;
  }
  nd_iter it = *proto;
  for (; !it.is_done; ndi_iter_next(&it))
    kernel(it.run, it.at[0] + z, it.step[0], it.at[1] + x, it.step[1]);
}

static ptrdiff_t resolve(const char *index, ptrdiff_t step, size_t k, size_t extent) {
  int64_t at;
  memcpy(&at, index + (ptrdiff_t)k * step, sizeof at);
  return (ptrdiff_t)(at > 0 ? at - 1 : at + (int64_t)extent);
}

/* views: {out, src} for TAKE, {dst, values} else, then the index. The picked side is src or dst. */
static nd_status run_rows(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *z = task->views[0], *x = task->views[1], *index = task->views[2];
  const bool takes = task->op == ND_OP_TAKE;
  const size_t extent = takes ? x->axis[0].len : z->axis[0].len, n = index->size;
  const char *at = ndi_host_at(bases[2], index->offset);
  const ptrdiff_t step = index->ndim ? index->axis[0].step : 0;
  if (z->size == 0 || x->size == 0) return ND_OK;
  row_kernel *kernel = task->op == ND_OP_INDEX_ADD
                           ? ndi_add_find((nd_dtype)z->dtype)
                           : ndi_cast_find((nd_dtype)z->dtype, (nd_dtype)x->dtype, ND_SATURATE);
  nd_view rows[2];
  first_row(z, &rows[0]);
  first_row(x, &rows[1]);
  nd_iter proto;
  ndi_iter_init(&proto, 2, (const nd_view *const[]){&rows[0], &rows[1]}, bases, false);
  const ptrdiff_t dz = z->axis[0].step, dx = x->axis[0].step;
  size_t since = 0;
  for (size_t k = 0; k < n; k++) {
    const ptrdiff_t picked = resolve(at, step, k, extent), own = (ptrdiff_t)k;
    row_walk(&proto, (takes ? own : picked) * dz, (takes ? picked : own) * dx, kernel);
    ND_TRY(check_interrupt(&since, rows[0].size, err));
  }
  return ND_OK;
}

static nd_status run_take_put(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *z = task->views[0], *x = task->views[1], *index = task->views[2];
  if (z->ndim != 1) return run_rows(task, bases, err);
  const size_t item = nd_view_itemsize(z);
  char *to = ndi_host_at(bases[0], z->offset);
  const char *from = ndi_host_at(bases[1], x->offset), *at = ndi_host_at(bases[2], index->offset);
  size_t since = 0;
  for (size_t done = 0; done < index->size; done += CHUNK) {
    const size_t n = chunk_of(index->size, done);
    const ptrdiff_t di = index->axis[0].step, dz = z->axis[0].step, dx = x->axis[0].step;
    const ptrdiff_t k = (ptrdiff_t)done;
    if (task->op == ND_OP_TAKE)
      ndi_take(item, n, to + k * dz, dz, from, dx, x->axis[0].len, at + k * di, di);
    else ndi_put(item, n, to, dz, z->axis[0].len, at + k * di, di, from + k * dx, dx);
    ND_TRY(check_interrupt(&since, n, err));
  }
  return ND_OK;
}

/* {=== masks ===} */

static nd_status count_true(const nd_view *mask, char *base, size_t *count, nd_error *err) {
  nd_iter it;
  size_t since = 0;
  *count = 0;
  for (ndi_iter_init(&it, 1, &mask, &base, false); !it.is_done; ndi_iter_next(&it))
    for (size_t done = 0; done < it.run; done += CHUNK) {
      const size_t n = chunk_of(it.run, done);
      *count += ndi_mask_count(n, it.at[0] + (ptrdiff_t)done * it.step[0], it.step[0]);
      ND_TRY(check_interrupt(&since, n, err));
    }
  return ND_OK;
}

/* SELECT: views {out, src, mask}; ASSIGN: {dst, values, mask}. 'packed' is the 1-D side. */
static nd_status run_mask(const nd_task *task, char *const *bases, nd_error *err) {
  const bool selects = task->op == ND_OP_MASK_SELECT;
  const int whole = selects ? 1 : 0, packed = selects ? 0 : 1;
  const nd_view *walked[] = {task->views[whole], task->views[2]}, *line = task->views[packed];
  const ptrdiff_t step = line->ndim ? line->axis[0].step : 0;
  const size_t item = nd_view_itemsize(line);
  char *at = ndi_host_at(bases[packed], line->offset);
  nd_iter it;
  if (line->size == 0) return ND_OK;
  ndi_iter_init(&it, 2, walked, (char *const[]){bases[whole], bases[2]}, true);
  size_t since = 0;
  for (; !it.is_done; ndi_iter_next(&it))
    for (size_t done = 0; done < it.run; done += CHUNK) {
      const size_t n = chunk_of(it.run, done);
      const ptrdiff_t dw = it.step[0], dm = it.step[1];
      char *w = it.at[0] + (ptrdiff_t)done * dw;
      const char *m = it.at[1] + (ptrdiff_t)done * dm;
      const size_t moved = selects ? ndi_mask_select(item, n, at, step, w, dw, m, dm)
                                   : ndi_mask_assign(item, n, w, dw, m, dm, at, step);
      at += (ptrdiff_t)moved * step;
      ND_TRY(check_interrupt(&since, n, err));
    }
  return ND_OK;
}

/* {=== looking for the first ===} */

/* Among 'n' elements of the run, from 'done'. */
static size_t find_in_run(const nd_task *task, const nd_iter *it, size_t done, size_t n) {
  const nd_dtype dtype = (nd_dtype)task->views[0]->dtype;
  const ptrdiff_t dx = it->step[0];
  const char *x = it->at[0] + (ptrdiff_t)done * dx;
  if (task->op == ND_OP_INDEX_CHECK) return ndi_index_check(n, x, dx, task->extent);
  const ptrdiff_t dy = it->step[1];
  const char *y = it->at[1] + (ptrdiff_t)done * dy;
  if (task->op == ND_OP_EQUAL) return ndi_equal_find(dtype)(n, x, dx, y, dy);
  return ndi_close_find(dtype)(n, x, dx, y, dy, task->step, task->first);
}

static nd_status run_find(const nd_task *task, char *const *bases, nd_error *err) {
  nd_iter it;
  size_t before = 0, since = 0;
  *task->result = task->views[0]->size;
  for (ndi_iter_init(&it, task->count, task->views, bases, true); !it.is_done;
       ndi_iter_next(&it), before += it.run)
    for (size_t done = 0; done < it.run; done += CHUNK) {
      const size_t n = chunk_of(it.run, done), at = find_in_run(task, &it, done, n);
      if (at < n) {
        *task->result = before + done + at;
        return ND_OK;
      }
      ND_TRY(check_interrupt(&since, n, err));
    }
  return ND_OK;
}

nd_status ndi_host_run(nd_device *self, const nd_task *task, nd_error *err) {
  (void)self;
  char *bases[3];
  const bool reads_only = task->result != NULL;
  ND_TRY(ndi_host_bases(task->count, task->views, !reads_only, bases, err));
  switch (task->op) {
    case ND_OP_TAKE:
    case ND_OP_PUT: ND_TRY(run_take_put(task, bases, err)); break;
    case ND_OP_INDEX_ADD: ND_TRY(run_rows(task, bases, err)); break;
    case ND_OP_MASK_COUNT: ND_TRY(count_true(task->views[0], bases[0], task->result, err)); break;
    case ND_OP_MASK_SELECT:
    case ND_OP_MASK_ASSIGN: ND_TRY(run_mask(task, bases, err)); break;
    case ND_OP_INDEX_CHECK:
    case ND_OP_EQUAL:
    case ND_OP_CLOSE: ND_TRY(run_find(task, bases, err)); break;
    default: ND_TRY(run_fill(task, bases, err));
  }
  return ndi_host_verify(task->count, task->views, err);
}
