/* Elementwise operations of the host: runs go to a kernel, through buffers where dtypes differ. */
#include "dev/host.h"
#include "dev/threads.h"
#include "kern/cast.h"
#include "kern/elementwise.h"
#include "kern/mixed.h"
#include "view/iter.h"

enum {
  BUFFER = 16 << 10, /* bytes of one side converted at a time */
};

typedef struct {
  ndi_cast_kernel *convert; /* NULL: the side has the dtype of the kernel */
  ptrdiff_t item;           /* bytes there */
} side;

/* A small float is rounded to, in the buffer, before it becomes another dtype. */
typedef struct {
  ndi_cast_kernel *narrow, *widen; /* NULL: nothing to round */
  ptrdiff_t item, wide;
} rounding;

typedef struct {
  nd_iter walk;
  ndi_kernel *kernel;
  side sides[ND_ITER_VIEWS]; /* 0 is written */
  rounding round;
  size_t most; /* elements at a time */
  ndi_poll poll;
} plan;

/* 'n' elements of each side. */
static void run_some(const plan *p, size_t n, char *const *at, const ptrdiff_t *step) {
  _Alignas(64) char buffers[ND_ITER_VIEWS][BUFFER];
  char *side_at[ND_ITER_VIEWS] = {NULL};
  ptrdiff_t side_step[ND_ITER_VIEWS] = {0};
  for (int i = 0; i < p->walk.count; i++) {
    const side *s = &p->sides[i];
    side_at[i] = s->convert ? buffers[i] : at[i];
    side_step[i] = !s->convert ? step[i] : step[i] == 0 ? 0 : s->item;
    if (s->convert && i > 0) s->convert(step[i] == 0 ? 1 : n, buffers[i], s->item, at[i], step[i]);
  }
  p->kernel(n, side_at, side_step);
  if (p->round.narrow) {
    p->round.narrow(n, buffers[1], p->round.item, buffers[0], p->round.wide);
    p->round.widen(n, buffers[0], p->round.wide, buffers[1], p->round.item);
  }
  if (p->sides[0].convert) p->sides[0].convert(n, at[0], step[0], buffers[0], p->sides[0].item);
}

static void run_part(void *context, size_t part, size_t parts) {
  plan *p = context;
  nd_iter it;
  size_t since = 0;
  for (ndi_iter_part(&p->walk, part, parts, &it); !it.is_done; ndi_iter_next(&it))
    for (size_t done = 0; done < it.run; done += p->most) {
      const size_t n = it.run - done < p->most ? it.run - done : p->most;
      char *at[ND_ITER_VIEWS] = {NULL};
      for (int i = 0; i < it.count; i++) at[i] = it.at[i] + (ptrdiff_t)done * it.step[i];
      run_some(p, n, at, it.step);
      if (ndi_poll_stops(&p->poll, part, &since, n)) return;
    }
}

/* What a side has to be for a kernel of 'dtype': bool for conditions and truths, else that. */
static nd_dtype side_dtype(const nd_task *task, int i, nd_dtype dtype) {
  static const nd_gives gives[] = {
#define ND_ROW(ID, name, operands, domain, result) ND_GIVES_##result,
      ND_ELEMENTWISE_OPS(ND_ROW)
#undef ND_ROW
  };
  if (i == 0 && gives[task->op] == ND_GIVES_BOOL) return ND_BOOL;
  if (i == 0 && gives[task->op] == ND_GIVES_PART) return nd_dtype_part(dtype);
  return i == 1 && task->op == ND_OP_WHERE ? ND_BOOL : dtype;
}

/* Both sides of a comparison as the widest of their kinds. */
static void choose_mixed(plan *p, const nd_task *task) {
  nd_dtype wide[ND_ITER_VIEWS] = {ND_BOOL};
  for (int i = 0; i < task->count; i++) {
    const nd_dtype own = (nd_dtype)task->views[i]->dtype;
    if (i > 0) wide[i] = nd_dtype_widest(own);
    p->sides[i].item = nd_dtype_get(wide[i])->bytes;
    if (own == wide[i]) continue;
    p->sides[i].convert = i > 0 ? ndi_cast_find(wide[i], own, ND_SATURATE)
                                : ndi_cast_find(own, wide[i], ND_SATURATE);
    p->most = BUFFER / 16;
  }
  p->kernel = ndi_mixed_find(task->op, wide[1], wide[2]);
}

/* The small floats have no kernels of their own: they compute in f32. */
static void choose_kernel(plan *p, const nd_task *task) {
  nd_dtype dtype = task->dtype;
  p->kernel = ndi_kernel_find(task->op, dtype);
  if (!p->kernel) p->kernel = ndi_kernel_find(task->op, dtype = ND_F32);
  for (int i = 0; i < task->count; i++) {
    const nd_dtype own = (nd_dtype)task->views[i]->dtype, wanted = side_dtype(task, i, dtype);
    p->sides[i].item = nd_dtype_get(wanted)->bytes;
    const bool rounds = i == 0 && wanted == dtype && dtype != task->dtype && own != task->dtype;
    if (own == wanted && !rounds) continue;
    p->sides[i].convert = i > 0 ? ndi_cast_find(wanted, own, ND_SATURATE)
                                : ndi_cast_find(own, wanted, ND_SATURATE);
    p->most = BUFFER / 16;
    if (!rounds) continue;
    p->round = (rounding){.narrow = ndi_cast_find(task->dtype, dtype, ND_SATURATE),
                          .widen = ndi_cast_find(dtype, task->dtype, ND_SATURATE),
                          .item = nd_dtype_get(task->dtype)->bytes,
                          .wide = nd_dtype_get(dtype)->bytes};
  }
}

/* The position of the first second operand that is refused; it is the only view. */
static nd_status check_operand(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *y = task->views[0];
  ndi_operand_check *check = ndi_operand_check_find(task->op, (nd_dtype)y->dtype);
  nd_iter it;
  size_t before = 0;
  *task->result = y->size;
  if (!check) return ND_OK;
  for (ndi_iter_init(&it, 1, task->views, bases, true); !it.is_done; ndi_iter_next(&it))
    for (size_t done = 0; done < it.run; done += NDI_BETWEEN_POLLS) {
      const size_t n = it.run - done < NDI_BETWEEN_POLLS ? it.run - done : NDI_BETWEEN_POLLS;
      const size_t at = check(n, it.at[0] + (ptrdiff_t)done * it.step[0], it.step[0]);
      if (at < n) return *task->result = before + at, ND_OK;
      before += n;
      ND_TRY(nd_check_interrupt(err));
    }
  return ND_OK;
}

nd_status ndi_host_elementwise(const nd_task *task, char *const *bases, nd_error *err) {
  plan p = {.most = NDI_BETWEEN_POLLS, .poll = {.err = err}};
  uint64_t bytes = 0;
  if (task->result) return check_operand(task, bases, err);
  if (task->dtype == ND_DTYPE_COUNT) choose_mixed(&p, task);
  else choose_kernel(&p, task);
  for (int i = 0; i < task->count; i++)
    bytes += (uint64_t)task->views[0]->size * nd_view_itemsize(task->views[i]);
  ndi_iter_init(&p.walk, task->count, task->views, bases, false);
  ndi_run_parts(ndi_parts(bytes), run_part, &p);
  return p.poll.status;
}
