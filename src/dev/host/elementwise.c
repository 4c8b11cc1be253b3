/* Element-wise operations on the host.
 *
 * A kernel exists for operands of one dtype. Where views have other dtypes, the work goes in
 * batches through buffers that stay in the L1 cache: operands are converted into them, the kernel
 * runs on packed buffers, the result is converted out. */
#include "kern/elementwise.h"
#include "dev/host/host.h"
#include "dev/threads.h"
#include "kern/cast.h"
#include "kern/mixed.h"
#include "kern/pass.h"
#include "view/iter.h"

enum {
  BUFFER = 16 << 10, /* bytes of a buffer; there is one for each view */
};

typedef struct {
  ndi_cast_kernel *convert; /* NULL: the view has the dtype that the kernel wants */
  ptrdiff_t item;           /* bytes of an element in the kernel's dtype */
} side;

/* Small floats compute in f32. Where the result goes on to another dtype, it is first rounded to
 * the small float, by narrowing and widening again, so that the dtype of the computation shows. */
typedef struct {
  ndi_cast_kernel *narrow, *widen; /* NULL: no such rounding */
  ptrdiff_t item, wide;
} rounding;

typedef struct {
  nd_iter walk;
  ndi_kernel *kernel;
  side sides[ND_ITER_VIEWS]; /* side 0 is the output */
  rounding round;
  size_t most;     /* elements of a batch */
  bool is_passing; /* the result goes past the caches */
  ndi_poll poll;
} plan;

/* Run one batch of 'n' elements: convert the operands (a broadcast one only once), run the kernel,
 * round, convert the result. */
static void run_some(const plan *p, size_t n, char *const *at, const ptrdiff_t *step) {
  _Alignas(64) char buffers[ND_ITER_VIEWS][BUFFER];
  char *side_at[ND_ITER_VIEWS] = {NULL};
  ptrdiff_t side_step[ND_ITER_VIEWS] = {0};
  for (int i = 0; i < p->walk.count; i++) {
    const side *s = &p->sides[i];
    side_at[i] = s->convert ? buffers[i] : at[i];
    /* a broadcast operand stays one: the kernel reads its one element again */
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

/* The same for a result that is packed and goes past the caches. */
static void pass_some(const plan *p, size_t n, char **at, const ptrdiff_t *step) {
  _Alignas(64) char result[NDI_PASSED];
  char *const z = at[0];
  at[0] = result;
  run_some(p, n, at, step);
  at[0] = z;
  ndi_pass(z, result, n * (size_t)step[0]);
}

static bool run_part(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  bool goes_on = true;
  nd_iter it;
  for (ndi_iter_part(&p->walk, part, parts, &it); goes_on && !it.is_done; ndi_iter_next(&it))
    for (size_t done = 0, n; goes_on && done < it.run; done += n) {
      char *at[ND_ITER_VIEWS] = {NULL};
      for (int i = 0; i < it.count; i++) at[i] = it.at[i] + (ptrdiff_t)done * it.step[i];
      n = it.run - done < p->most ? it.run - done : p->most;
      if (p->is_passing) n = ndi_pass_next(at[0], (size_t)it.step[0], n);
      if (p->is_passing) pass_some(p, n, at, it.step);
      else run_some(p, n, at, it.step);
      goes_on = !ndi_poll_stops(&p->poll, thread, n);
    }
  if (p->is_passing) ndi_pass_end();
  return goes_on;
}

/* The dtype that a kernel for 'dtype' wants for view i: bool for conditions and for results that
 * are truth values, a part's dtype for results that are parts of complex numbers, else 'dtype'. */
static nd_dtype side_dtype(const nd_task *task, int i, nd_dtype dtype) {
  const nd_result result = nd_op_get(task->op)->result;
  if (i == 0 && result == ND_RESULT_BOOL) return ND_BOOL;
  if (i == 0 && result == ND_RESULT_PART) return nd_dtype_part(dtype);
  return i == 1 && task->op == ND_OP_WHERE ? ND_BOOL : dtype;
}

/* A comparison of two dtypes that no dtype represents exactly: each side is converted to the widest
 * dtype of its kind, and a mixed kernel compares those. */
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

/* Small floats have no kernels of their own and use those of f32; '*dtype' says which. */
static ndi_kernel *find_kernel(nd_op op, nd_dtype *dtype) {
  ndi_kernel *found = ndi_kernel_find(op, *dtype);
  const bool is_small = nd_dtype_get(*dtype)->kind == ND_KIND_FLOAT && *dtype != ND_F64;
  return found || !is_small ? found : ndi_kernel_find(op, *dtype = ND_F32);
}

static void choose_kernel(plan *p, const nd_task *task) {
  nd_dtype dtype = task->compute_dtype;
  p->kernel = find_kernel(task->op, &dtype);
  for (int i = 0; i < task->count; i++) {
    const nd_dtype own = (nd_dtype)task->views[i]->dtype, wanted = side_dtype(task, i, dtype);
    p->sides[i].item = nd_dtype_get(wanted)->bytes;
    /* Round only where it would show: the kernel's dtype is wider than the one asked for, and the
     * result is not stored in that one anyway. */
    const bool rounds = i == 0 && wanted == dtype && dtype != task->compute_dtype &&
                        own != task->compute_dtype;
    if (own == wanted && !rounds) continue;
    p->sides[i].convert = i > 0 ? ndi_cast_find(wanted, own, ND_SATURATE)
                                : ndi_cast_find(own, wanted, ND_SATURATE);
    p->most = BUFFER / 16;
    if (!rounds) continue;
    p->round = (rounding){.narrow = ndi_cast_find(task->compute_dtype, dtype, ND_SATURATE),
                          .widen = ndi_cast_find(dtype, task->compute_dtype, ND_SATURATE),
                          .item = nd_dtype_get(task->compute_dtype)->bytes,
                          .wide = nd_dtype_get(dtype)->bytes};
  }
}

/* Is moving the bytes what takes the time? */
static bool is_light(const plan *p, const nd_task *task) {
  const nd_domain domain = nd_op_get(task->op)->domain;
  for (int i = 0; i < task->count; i++)
    if (p->sides[i].convert) return false;
  switch (task->op) {
    case ND_OP_IDIV:
    case ND_OP_MOD:
    case ND_OP_FMOD:
    case ND_OP_POW: return false;
    case ND_OP_DIV: return nd_dtype_get((nd_dtype)task->views[0]->dtype)->kind == ND_KIND_FLOAT;
    default: return domain != ND_DOMAIN_FLOAT && domain != ND_DOMAIN_MATH;
  }
}

bool ndi_host_can_elementwise(const nd_task *task) {
  nd_dtype dtype = task->compute_dtype;
  if (dtype != ND_DTYPE_COUNT) return find_kernel(task->op, &dtype) != NULL;
  return ndi_mixed_find(task->op, nd_dtype_widest((nd_dtype)task->views[1]->dtype),
                        nd_dtype_widest((nd_dtype)task->views[2]->dtype)) != NULL;
}

nd_status ndi_host_elementwise(const nd_task *task, char *const *bases, nd_error *err) {
  /* without conversions a batch is limited by the polls only, else by the buffers */
  plan p = {.most = NDI_BETWEEN_POLLS, .poll = {.err = err}};
  /* bytes of all views as if none were broadcast: what the work is worth in threads */
  uint64_t bytes = 0;
  if (task->compute_dtype == ND_DTYPE_COUNT) choose_mixed(&p, task);
  else choose_kernel(&p, task);
  for (int i = 0; i < task->count; i++)
    bytes += (uint64_t)task->views[0]->size * nd_view_itemsize(task->views[i]);
  ndi_iter_init(&p.walk, task->count, task->views, bases, false);
  p.is_passing = is_light(&p, task) && ndi_host_passes(&p.walk, task->views, BUFFER);
  ndi_run_parts(ndi_split_of(bytes, 0), run_part, &p);
  return p.poll.status;
}
