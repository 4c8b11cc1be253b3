/* The operations of the host device: each walks the views and leaves the runs to a kernel. */
#include <string.h>

#include "dev/host.h"
#include "kern/arith.h"
#include "kern/cast.h"
#include "kern/compare.h"
#include "kern/gather.h"
#include "kern/random.h"
#include "view/iter.h"

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

enum { CHUNK = 1 << 20 };

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
static void run_rows(const nd_task *task, char *const *bases) {
  const nd_view *z = task->views[0], *x = task->views[1], *index = task->views[2];
  const bool takes = task->op == ND_OP_TAKE;
  const size_t extent = takes ? x->axis[0].len : z->axis[0].len, n = index->size;
  const char *at = ndi_host_at(bases[2], index->offset);
  const ptrdiff_t step = index->ndim ? index->axis[0].step : 0;
  if (z->size == 0 || x->size == 0) return;
  row_kernel *kernel = task->op == ND_OP_INDEX_ADD
                           ? ndi_add_find((nd_dtype)z->dtype)
                           : ndi_cast_find((nd_dtype)z->dtype, (nd_dtype)x->dtype, ND_SATURATE);
  nd_view rows[2];
  first_row(z, &rows[0]);
  first_row(x, &rows[1]);
  nd_iter proto;
  ndi_iter_init(&proto, 2, (const nd_view *const[]){&rows[0], &rows[1]}, bases, false);
  const ptrdiff_t dz = z->axis[0].step, dx = x->axis[0].step;
  for (size_t k = 0; k < n; k++) {
    const ptrdiff_t picked = resolve(at, step, k, extent), own = (ptrdiff_t)k;
    row_walk(&proto, (takes ? own : picked) * dz, (takes ? picked : own) * dx, kernel);
  }
}

static void run_take_put(const nd_task *task, char *const *bases) {
  const nd_view *z = task->views[0], *x = task->views[1], *index = task->views[2];
  if (z->ndim != 1) {
    run_rows(task, bases);
    return;
  }
  const size_t item = nd_view_itemsize(z);
  char *to = ndi_host_at(bases[0], z->offset);
  const char *from = ndi_host_at(bases[1], x->offset), *at = ndi_host_at(bases[2], index->offset);
  if (index->size == 0) return;
  if (task->op == ND_OP_TAKE)
    ndi_take(item, index->size, to, z->axis[0].step, from, x->axis[0].step, x->axis[0].len, at,
             index->axis[0].step);
  else
    ndi_put(item, index->size, to, z->axis[0].step, z->axis[0].len, at, index->axis[0].step, from,
            x->axis[0].step);
}

/* {=== masks ===} */

static size_t count_true(const nd_view *mask, char *base) {
  nd_iter it;
  size_t n = 0;
  for (ndi_iter_init(&it, 1, &mask, &base, false); !it.is_done; ndi_iter_next(&it))
    n += ndi_mask_count(it.run, it.at[0], it.step[0]);
  return n;
}

/* SELECT: views {out, src, mask}; ASSIGN: {dst, values, mask}. 'packed' is the 1-D side. */
static void run_mask(const nd_task *task, char *const *bases) {
  const bool selects = task->op == ND_OP_MASK_SELECT;
  const int whole = selects ? 1 : 0, packed = selects ? 0 : 1;
  const nd_view *walked[] = {task->views[whole], task->views[2]}, *line = task->views[packed];
  const ptrdiff_t step = line->ndim ? line->axis[0].step : 0;
  const size_t item = nd_view_itemsize(line);
  char *at = ndi_host_at(bases[packed], line->offset);
  nd_iter it;
  if (line->size == 0) return;
  ndi_iter_init(&it, 2, walked, (char *const[]){bases[whole], bases[2]}, true);
  for (; !it.is_done; ndi_iter_next(&it)) {
    const size_t moved = selects ? ndi_mask_select(item, it.run, at, step, it.at[0], it.step[0],
                                                   it.at[1], it.step[1])
                                 : ndi_mask_assign(item, it.run, it.at[0], it.step[0], it.at[1],
                                                   it.step[1], at, step);
    at += (ptrdiff_t)moved * step;
  }
}

/* {=== looking for the first ===} */

static size_t find_in_run(const nd_task *task, const nd_iter *it) {
  const nd_dtype dtype = (nd_dtype)task->views[0]->dtype;
  if (task->op == ND_OP_INDEX_CHECK)
    return ndi_index_check(it->run, it->at[0], it->step[0], task->extent);
  if (task->op == ND_OP_EQUAL)
    return ndi_equal_find(dtype)(it->run, it->at[0], it->step[0], it->at[1], it->step[1]);
  return ndi_close_find(dtype)(it->run, it->at[0], it->step[0], it->at[1], it->step[1], task->step,
                               task->first);
}

static void run_find(const nd_task *task, char *const *bases) {
  nd_iter it;
  size_t before = 0;
  *task->result = task->views[0]->size;
  for (ndi_iter_init(&it, task->count, task->views, bases, true); !it.is_done;
       ndi_iter_next(&it), before += it.run) {
    const size_t at = find_in_run(task, &it);
    if (at == it.run) continue;
    *task->result = before + at;
    return;
  }
}

nd_status ndi_host_run(nd_device *self, const nd_task *task, nd_error *err) {
  (void)self;
  char *bases[3];
  const bool reads_only = task->result != NULL;
  ND_TRY(ndi_host_bases(task->count, task->views, !reads_only, bases, err));
  switch (task->op) {
    case ND_OP_TAKE:
    case ND_OP_PUT: run_take_put(task, bases); break;
    case ND_OP_INDEX_ADD: run_rows(task, bases); break;
    case ND_OP_MASK_COUNT: *task->result = count_true(task->views[0], bases[0]); break;
    case ND_OP_MASK_SELECT:
    case ND_OP_MASK_ASSIGN: run_mask(task, bases); break;
    case ND_OP_INDEX_CHECK:
    case ND_OP_EQUAL:
    case ND_OP_CLOSE: run_find(task, bases); break;
    default: ND_TRY(run_fill(task, bases, err));
  }
  return ndi_host_verify(task->count, task->views, err);
}
