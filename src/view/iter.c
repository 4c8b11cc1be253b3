/* The n-d walk. All work is in the set-up: the fewer and longer the runs, the more time is spent in
 * kernels, and the more often these get contiguous data. So axes are normalised (flipped, sorted,
 * merged) before the innermost becomes the run. */
#include "view/iter.h"

#include <stdlib.h>
#include <string.h>

/* An axis with its step in each view. */
typedef struct {
  size_t len;
  ptrdiff_t step[ND_ITER_VIEWS];
} axis_steps;

/* Has 'a' the smaller steps, so that it belongs inside of 'b'? View 0 decides if both axes have a
 * step there, and these differ; else view 1, and so on. */
static bool belongs_inside(const axis_steps *a, const axis_steps *b, int count) {
  for (int i = 0; i < count; i++)
    if (a->step[i] && b->step[i] && ndi_step_abs(a->step[i]) != ndi_step_abs(b->step[i]))
      return ndi_step_abs(a->step[i]) < ndi_step_abs(b->step[i]);
  return false;
}

/* Sort the axes so that the smallest strides are innermost. The first view decides in which both
 * axes move and their strides differ, so view 0 does unless it is broadcast along one of them. An
 * insertion sort is stable: axes that compare equal stay in row-major order. */
static void sort_axes(axis_steps *axis, int n, int count) {
  for (int i = 1; i < n; i++) {
    const axis_steps moving = axis[i];
    int at = i;
    for (; at > 0 && belongs_inside(&axis[at - 1], &moving, count); at--) axis[at] = axis[at - 1];
    axis[at] = moving;
  }
}

/* Does 'inner', in every view, end where the next item of 'outer' begins? Then they can be one
 * axis. */
static bool runs_on(const axis_steps *outer, const axis_steps *inner, int count) {
  for (int i = 0; i < count; i++)
    if (outer->step[i] != inner->step[i] * (ptrdiff_t)inner->len) return false;
  return true;
}

/* Merge neighbours that can be one axis, which then has the steps of the inner one. Returns how
 * many axes are left. */
static int merge_axes(axis_steps *axis, int n, int count) {
  int kept = 0;
  for (int i = 0; i < n; i++) {
    if (kept > 0 && runs_on(&axis[kept - 1], &axis[i], count)) {
      axis[i].len *= axis[kept - 1].len;
      axis[kept - 1] = axis[i];
    } else {
      axis[kept++] = axis[i];
    }
  }
  return kept;
}

/* Walk the axes along which view 0 has a negative step from their other end, in all views. 'shift'
 * gets the bytes by which the first element of each view moves. */
static void flip_axes(axis_steps *axis, int n, int count, ptrdiff_t *shift) {
  for (int a = 0; a < n; a++) {
    if (axis[a].step[0] >= 0) continue;
    for (int i = 0; i < count; i++) {
      shift[i] += axis[a].step[i] * (ptrdiff_t)(axis[a].len - 1);
      axis[a].step[i] = -axis[a].step[i];
    }
  }
}

/* The axes of extent other than 1. Returns how many. */
static int collect_axes(int count, const nd_view *const *views, axis_steps *axis) {
  int n = 0;
  for (int a = 0; a < views[0]->ndim; a++) {
    if (views[0]->axis[a].len == 1) continue;
    axis[n] = (axis_steps){.len = views[0]->axis[a].len};
    for (int i = 0; i < count; i++) axis[n].step[i] = views[i]->axis[a].step;
    n++;
  }
  return n;
}

void ndi_iter_init(nd_iter *it, int count, const nd_view *const *views, char *const *bases,
                   bool in_order) {
  axis_steps axis[ND_MAX_NDIM];
  ptrdiff_t shift[ND_ITER_VIEWS] = {0};
  it->is_done = views[0]->size == 0; /* the steps of an empty view may be anything */
  int n = it->is_done ? 0 : collect_axes(count, views, axis);
  /* first, since only neighbours are merged: axes that can be one end up next to each other */
  if (!in_order) flip_axes(axis, n, count, shift), sort_axes(axis, n, count);
  n = merge_axes(axis, n, count);
  const int outer = n > 0 ? n - 1 : 0;
  it->count = count;
  it->ndim = outer;
  it->run = n > 0 ? axis[n - 1].len : 1;
  for (int i = 0; i < count; i++) {
    it->at[i] = bases[i] ? bases[i] + views[i]->offset + shift[i] : NULL;
    it->step[i] = n > 0 ? axis[n - 1].step[i] : 0;
    for (int a = 0; a < outer; a++) it->steps[i][a] = axis[a].step[i];
  }
  for (int a = 0; a < outer; a++) it->len[a] = axis[a].len, it->index[a] = 0;
}

/* Cuts one axis: the outermost that has at least two items for each part, so that parts differ
 * little in size and runs stay whole; else the longest. Axis -1 is the run. */
/* The border before part 'part' of a run, between cache lines where the run begins at one. */
static size_t border_of(size_t run, size_t part, size_t parts) {
  enum { ALIGNED = 64 }; /* elements: a cache line of bytes or more */
  const size_t border = run * part / parts;
  return part == parts || run < ALIGNED * parts ? border : border / ALIGNED * ALIGNED;
}

/* Cuts the outermost axis if that gives half of the parts or more, as runs are better left whole;
 * else the longest. */
void ndi_iter_part(const nd_iter *whole, size_t part, size_t parts, nd_iter *out) {
  int longest = -1;
  size_t len = whole->run;
  for (int a = whole->ndim; a-- > 0;)
    /* from the innermost on: the last one that qualifies is the outermost */
    if (whole->len[a] > len || whole->len[a] >= parts / 2) longest = a, len = whole->len[a];
  const bool is_run = longest < 0;
  const size_t first = is_run ? border_of(len, part, parts) : len * part / parts;
  const size_t end = is_run ? border_of(len, part + 1, parts) : len * (part + 1) / parts;
  *out = *whole;
  if (whole->is_done) return;
  out->is_done = first == end;
  if (is_run) out->run = end - first;
  else out->len[longest] = end - first;
  for (int i = 0; i < whole->count; i++)
    out->at[i] += (ptrdiff_t)first * (is_run ? whole->step[i] : whole->steps[i][longest]);
}

/* Counts like an odometer, the innermost outer axis first. An axis that wraps around moves back by
 * all its steps, and carries to the next. */
void ndi_iter_next(nd_iter *it) {
  for (int a = it->ndim; a-- > 0;) {
    const bool wraps = ++it->index[a] == it->len[a];
    const ptrdiff_t times = wraps ? 1 - (ptrdiff_t)it->len[a] : 1;
    for (int i = 0; i < it->count; i++) it->at[i] += times * it->steps[i][a];
    if (!wraps) return;
    it->index[a] = 0;
  }
  it->is_done = true;
}

void ndi_iter_seek(nd_iter *it, size_t at) {
  for (int a = it->ndim; a-- > 0; at /= it->len[a]) {
    it->index[a] = at % it->len[a];
    for (int i = 0; i < it->count; i++) it->at[i] += (ptrdiff_t)it->index[a] * it->steps[i][a];
  }
}
