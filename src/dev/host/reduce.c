/* Reductions on the host.
 *
 * All elements that go into one result are a sequence. It is cut into chunks (the unit of work for
 * threads), these into blocks of NDI_BLOCK elements (the unit of kernels; packed elements, where
 * their order makes no difference, into longer ones); blocks, and then chunks, are merged pairwise.
 * Cuts and merges depend on the length of the sequence alone, so the result has the same bits for
 * every number of threads and every memory layout that keeps the order. Pairwise merging also keeps
 * rounding errors small (see kern/reduce.h).
 *
 * Results are computed in tiles of neighbouring ones. Where results are closer in memory than the
 * elements of a sequence (reducing the outer axes of a row-major array), a tile takes in one
 * element for each of its results at a time, a "row"; else each sequence is folded along itself,
 * unless neighbours overlap so far that they are folded together (dev/host/windows.h). */
#include <stdatomic.h>
#include <string.h>

#include "base/size.h"
#include "dev/host/host.h"
#include "dev/host/pairs.h"
#include "dev/host/sequence.h"
#include "dev/host/windows.h"
#include "dev/threads.h"
#include "kern/cast.h"
#include "kern/reduce.h"
#include "view/iter.h"

enum {
  CHUNK = 64 * NDI_BLOCK, /* elements of a chunk, at least */
  MAX_CHUNKS = 256,
  TILE = 2048, /* bytes of accumulators in a tile */
  NARROW = 8,  /* results: fewer neighbours than this do not pay for tiles of rows */
  /* elements: sequences shorter than this always go by rows, if there are enough results */
  SHORT = 32,
  LINES = 4096,      /* elements: a tile takes in as many sequences as have these together */
  CALL = 50,         /* elements: as many cost what it costs to fold a sequence for itself at all */
  ON_STACK = 8 << 10 /* bytes of scratch memory that are taken from the stack */
};

typedef struct {
  const ndi_reducer *reducer;
  nd_iter kept;          /* walk along the axes that stay; views: src, out, mean */
  ndi_sequence sequence; /* of src, along the reduced axes */
  ndi_cast_kernel *pack_mean, *finish;
  ptrdiff_t acc, mean;     /* bytes of an accumulator, a mean; 0: there is no mean */
  size_t n, chunk, chunks; /* elements of a sequence and of a chunk; chunks of a sequence */
  size_t block;            /* elements that are folded at a time along a sequence */
  bool by_rows;            /* tiles are folded row by row */
  ndi_windows windows;     /* where is_sliding: tiles are folded as overlapping windows */
  bool is_sliding;
  /* results of a tile, tiles of a run of 'kept', tiles in all */
  size_t width, tiles_of_run, tiles;
  size_t slot;         /* bytes for the accumulators of one tile in one chunk */
  char *scratch;       /* 'chunks' slots for each tile in work */
  size_t tile;         /* the one tile that all parts share (run_chunks) */
  bool short_circuits; /* ANY, ALL short-circuit: a block that gives 'decisive' ends its sequence */
  char decisive;
  bool is_single; /* there is one result only: a decisive block ends the work of all parts */
  bool is_divided, roots;
  double divisor;
  atomic_bool is_decided;
  ndi_poll poll;
} plan;

/* {=== one chunk for one result ===} */

/* ARGMIN, ARGMAX: the block with the best element is searched for its position: the last one that
 * beat those before it, or, where blocks are packed into the same buffer, each that does. */
static void best_of_line(const plan *p, ndi_cursor *c, size_t n, char *out, uint32_t *index) {
  _Alignas(64) char buffer[NDI_BLOCK * NDI_WIDEST], value[NDI_WIDEST];
  const char *best = NULL;
  size_t before = 0, length = 0; /* elements before 'best', and of it */
  for (size_t done = 0; done < n; done += p->block) {
    const size_t some = n - done < p->block ? n - done : p->block;
    const char *x = ndi_cursor_take(&p->sequence, c, some, buffer);
    p->reducer->block(some, x, NULL, value);
    if (done > 0 && !p->reducer->beats(value, out)) continue;
    memcpy(out, value, (size_t)p->acc);
    best = x == buffer ? NULL : x, before = done, length = some;
    if (!best) *index = (uint32_t)(done + p->reducer->find(some, x, value));
  }
  if (best) *index = (uint32_t)(before + p->reducer->find(length, best, out));
}

static void fold_line(plan *p, ndi_cursor *c, size_t n, const char *mean, char *out) {
  _Alignas(64) char buffer[NDI_BLOCK * NDI_WIDEST], value[NDI_WIDEST] = {0},
                                                    levels[NDI_LEVELS * NDI_WIDEST];
  size_t blocks = 0;
  if (n <= p->block) {
    p->reducer->block(n, ndi_cursor_take(&p->sequence, c, n, buffer), mean, out);
    return;
  }
  for (size_t done = 0; done < n; done += p->block) {
    const size_t some = n - done < p->block ? n - done : p->block;
    p->reducer->block(some, ndi_cursor_take(&p->sequence, c, some, buffer), mean, value);
    /* The flag only ends work early; a stale read costs nothing but time. */
    const bool decides = p->short_circuits && *value == p->decisive;
    ndi_pairs_add_one(p->reducer, levels, blocks++, value);
    if (decides && p->is_single) atomic_store(&p->is_decided, true);
    if (decides || atomic_load_explicit(&p->is_decided, memory_order_relaxed)) break;
  }
  ndi_pairs_end(p->reducer, (size_t)p->acc, 1, levels, NDI_WIDEST, blocks, out);
}

/* {=== one chunk for a tile of results ===} */

/* The next element for each result of a tile, packed: in place or copied to 'buffer'. */
static const char *next_row(const plan *p, ndi_cursor *c, size_t width, ptrdiff_t step,
                            char *buffer) {
  const char *x = ndi_cursor_peek(c);
  ndi_cursor_skip(c, 1);
  if (step == p->sequence.item) return x;
  p->sequence.pack(width, buffer, p->sequence.item, x, step);
  return buffer;
}

static void best_of_rows(const plan *p, ndi_cursor *c, size_t n, size_t width, ptrdiff_t step,
                         char *out, uint32_t *index) {
  _Alignas(64) char buffer[TILE * NDI_WIDEST];
  for (size_t i = 0; i < n; i++) {
    const char *x = next_row(p, c, width, step, buffer);
    if (i == 0) p->reducer->start(width, x, out), memset(index, 0, width * sizeof *index);
    else p->reducer->note(width, x, out, index, (uint32_t)i);
  }
}

/* Fold one block of 'n' rows: row i goes to lane i modulo the number of lanes, as in kern/reduce.h;
 * the lanes are then merged into lane 0. */
static void fold_block(const plan *p, ndi_cursor *c, size_t n, size_t width, ptrdiff_t step,
                       const char *means, char *lanes) {
  _Alignas(64) char buffer[TILE * NDI_WIDEST];
  const ndi_reducer *reducer = p->reducer;
  const size_t bytes = width * (size_t)p->acc, most = (size_t)reducer->lanes;
  const size_t used = n < most ? n : most;
  for (size_t i = 0; i < n; i++) {
    const char *x = next_row(p, c, width, step, buffer);
    char *lane = lanes + (i & (most - 1)) * bytes; /* a power of two */
    /* this only makes the lane ready: 'row' folds the first element, too */
    if (i < used) reducer->start(width, x, lane);
    reducer->row(width, x, means, lane);
  }
  for (size_t half = most / 2; half > 0; half /= 2)
    for (size_t l = 0; l < half && l + half < used; l++)
      reducer->merge(width, lanes + l * bytes, lanes + (l + half) * bytes);
}

/* Fold one block of 'n' elements of each of 'width' overlapping sequences. */
static void fold_windows(const plan *p, ndi_cursor *c, size_t n, size_t width, char *out) {
  _Alignas(64) char buffer[(NDI_BLOCK + NDI_WINDOWS_SPAN) * NDI_WIDEST];
  const ptrdiff_t step = c->it.step[0];
  const char *x = ndi_cursor_peek(c);
  ndi_cursor_skip(c, n);
  if (step != p->sequence.item) {
    p->sequence.pack((width - 1) * p->windows.hop + n, buffer, p->sequence.item, x, step);
    x = buffer;
  }
  ndi_windows_fold(&p->windows, n, width, x, out);
}

static void fold_rows(const plan *p, ndi_cursor *c, size_t n, size_t width, ptrdiff_t step,
                      const char *means, char *out) {
  _Alignas(64) char lanes[NDI_LANES * TILE], levels[NDI_LEVELS * TILE];
  /* where the order makes no difference, all rows are one block */
  const size_t block = p->reducer->lanes > 1 || p->is_sliding ? NDI_BLOCK : n;
  size_t blocks = 0;
  for (size_t done = 0; done < n; done += block) {
    const size_t some = n - done < block ? n - done : block;
    if (p->is_sliding) fold_windows(p, c, some, width, lanes);
    else fold_block(p, c, some, width, step, means, lanes);
    ndi_pairs_add(p->reducer, width * (size_t)p->acc, width, levels, blocks++, lanes);
  }
  ndi_pairs_end(p->reducer, width * (size_t)p->acc, width, levels, width * (size_t)p->acc, blocks,
                out);
}

/* {=== tiles ===} */

/* The addresses of the first element of a tile in each view of 'kept'. Returns its width. */
static size_t find_tile(const plan *p, size_t tile, char **at) {
  nd_iter it = p->kept;
  const size_t first = tile % p->tiles_of_run * p->width, left = it.run - first;
  ndi_iter_seek(&it, tile / p->tiles_of_run);
  for (int i = 0; i < it.count; i++) at[i] = it.at[i] + (ptrdiff_t)first * it.step[i];
  return left < p->width ? left : p->width;
}

static size_t round_up(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* ARGMIN, ARGMAX: the positions within the chunk, from 0, are stored in the slot after the
 * accumulators. */
static uint32_t *index_of(const plan *p, char *slot) {
  return (uint32_t *)(void *)(slot + round_up(p->width * (size_t)p->acc));
}

/* Fold chunk 'first' … first + n - 1 of each sequence of a tile along itself. */
static void fold_lines(plan *p, const char *x, size_t first, size_t n, size_t width,
                       const char *means, char *out) {
  const ptrdiff_t step = p->kept.step[0];
  ndi_cursor c;
  for (size_t i = 0; i < width; i++) {
    char *own = out + (ptrdiff_t)i * p->acc;
    /* after a whole sequence of one block, which always ends there, only the result changes */
    if (i > 0 && p->n <= p->block) c.shift += step;
    else ndi_cursor_init(&p->sequence, x + (ptrdiff_t)i * step, first, &c);
    if (p->reducer->note) best_of_line(p, &c, n, own, index_of(p, out) + i);
    else fold_line(p, &c, n, means + (ptrdiff_t)i * p->mean, own);
  }
}

static void run_chunk(plan *p, size_t tile, size_t chunk, char *out) {
  /* only variances have means, and their accumulators have 8 bytes or more */
  _Alignas(64) char means[TILE / 8 * NDI_WIDEST];
  char *at[ND_ITER_VIEWS] = {NULL};
  const size_t width = find_tile(p, tile, at), first = chunk * p->chunk;
  const size_t n = p->n - first < p->chunk ? p->n - first : p->chunk;
  const ptrdiff_t step = p->kept.step[0];
  if (p->mean) p->pack_mean(width, means, p->mean, at[2], p->kept.step[2]);
  /* an empty reduction (sum 0, ...) */
  if (n == 0) {
    p->reducer->start(width, NULL, out);
    return;
  }
  if (!p->by_rows && !p->is_sliding) {
    fold_lines(p, at[0], first, n, width, means, out);
    return;
  }
  ndi_cursor c;
  ndi_cursor_init(&p->sequence, at[0], first, &c);
  if (p->reducer->note) best_of_rows(p, &c, n, width, step, out, index_of(p, out));
  else fold_rows(p, &c, n, width, step, means, out);
}

/* 1-based positions of the best elements of all chunks; of equal ones the first. */
static void find_positions(const plan *p, size_t width, char *slots, int64_t *out) {
  for (size_t i = 0; i < width; i++) {
    char *best = slots + i * (size_t)p->acc;
    out[i] = (int64_t)index_of(p, slots)[i] + 1;
    for (size_t c = 1; c < p->chunks; c++) {
      char *slot = slots + c * p->slot, *other = slot + i * (size_t)p->acc;
      if (!p->reducer->beats(other, best)) continue;
      best = other;
      out[i] = (int64_t)(c * p->chunk + index_of(p, slot)[i]) + 1;
    }
  }
}

/* Merge the chunks of a tile, turn the accumulators into results (divide, take the root, pick from
 * a pair), and convert these to the output's dtype. */
static void finish_tile(const plan *p, size_t tile, char *slots) {
  int64_t positions[TILE];
  char *at[ND_ITER_VIEWS] = {NULL};
  const size_t width = find_tile(p, tile, at);
  if (p->reducer->note) {
    find_positions(p, width, slots, positions);
    p->finish(width, at[1], p->kept.step[1], (const char *)positions, sizeof positions[0]);
    return;
  }
  /* Merge the chunks pairwise. */
  for (size_t half = 1; half < p->chunks; half *= 2)
    for (size_t c = 0; c + half < p->chunks; c += 2 * half)
      p->reducer->merge(width, slots + c * p->slot, slots + (c + half) * p->slot);
  if (p->is_divided)
    ndi_reduce_scale(width * (size_t)p->acc / sizeof(double), (double *)(void *)slots, p->divisor,
                     p->roots);
  if (p->reducer->end) p->reducer->end(width, slots);
  p->finish(width, at[1], p->kept.step[1], slots, p->acc);
}

/* {=== parts ===} */

/* Two ways to share the work. If there are enough tiles, each part computes tiles of its own ... */
static bool run_tiles(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  /* each thread has slots of its own, one for each chunk */
  char *slots = p->scratch + thread * p->chunks * p->slot;
  for (size_t tile = p->tiles * part / parts; tile < p->tiles * (part + 1) / parts; tile++) {
    for (size_t c = 0; c < p->chunks; c++) {
      run_chunk(p, tile, c, slots + c * p->slot);
      if (ndi_poll_stops(&p->poll, thread, p->chunk * p->width)) return false;
    }
    finish_tile(p, tile, slots);
  }
  return true;
}

/* ... else all parts compute chunks of the same tile, one tile after another. */
static bool run_chunks(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  for (size_t c = p->chunks * part / parts; c < p->chunks * (part + 1) / parts; c++) {
    run_chunk(p, p->tile, c, p->scratch + c * p->slot);
    if (ndi_poll_stops(&p->poll, thread, p->chunk * p->width)) return false;
  }
  return true;
}

static void run_plan(plan *p, ndi_split split, bool by_tiles) {
  if (by_tiles) {
    ndi_run_parts(split, run_tiles, p);
    return;
  }
  for (p->tile = 0; p->tile < p->tiles && p->poll.status == ND_OK; p->tile++) {
    ndi_run_parts(split, run_chunks, p);
    if (p->poll.status == ND_OK) finish_tile(p, p->tile, p->scratch);
  }
}

static nd_status run_with_scratch(plan *p, uint64_t bytes, nd_error *err) {
  _Alignas(64) char on_stack[ON_STACK];
  enum { MANY = 4 }; /* tiles of a thread */
  const bool by_tiles = p->tiles >= MANY * ndi_split_of(bytes, 0).threads || p->tiles >= p->chunks;
  const ndi_split split = ndi_split_of(bytes, by_tiles ? p->tiles : p->chunks);
  size_t most;
  nd_block block = {0};
  if (!ndi_size_mul(p->slot * p->chunks, by_tiles ? split.threads : 1, &most))
    return nd_fail(err, ND_OVERFLOW, "a reduction needs more scratch memory than there is");
  if (most > ON_STACK) ND_TRY(ndi_host_scratch(most, &block, err));
  p->scratch = most > ON_STACK ? block.host : on_stack;
  run_plan(p, split, by_tiles);
  p->scratch = NULL;
  if (most > ON_STACK) ndi_host_unscratch(&block);
  return p->poll.status;
}

/* {=== the plan ===} */

/* View 'v' with only those axes whose bits are set. Borrows the storage. */
static void pick_axes(const nd_view *v, uint32_t axes, nd_view *out) {
  *out = (nd_view){.storage = v->storage, .offset = v->offset, .dtype = v->dtype, .size = 1};
  for (int i = 0; i < v->ndim; i++) {
    if (!(axes >> i & 1)) continue;
    out->axis[out->ndim++] = v->axis[i];
    out->size *= v->axis[i].len;
  }
}

/* Do steps fall from the outermost axis to the innermost, of whatever sign? Then elements are read
 * in memory order, or exactly backwards, and the walk need not reorder axes. */
static bool is_in_order(const nd_view *v) {
  ptrdiff_t outer = PTRDIFF_MAX;
  for (int i = 0; i < v->ndim; i++) {
    if (v->axis[i].len < 2 || v->axis[i].step == 0) continue;
    if (ndi_step_abs(v->axis[i].step) > outer) return false;
    outer = ndi_step_abs(v->axis[i].step);
  }
  return true;
}

static void plan_walks(plan *p, const nd_task *task, char *const *bases) {
  static char nothing[NDI_WIDEST];
  const nd_view *src = task->views[1];
  nd_view kept, reduced;
  const nd_view *views[] = {&kept, task->views[0], task->views[2]};
  char *base = bases[1] ? bases[1] : nothing; /* a storage without bytes has no address */
  char *const kept_bases[] = {base, bases[0], task->count > 2 ? bases[2] : NULL};
  pick_axes(src, ~task->reduce.axes, &kept);
  pick_axes(src, task->reduce.axes, &reduced);
  const nd_view *line = &reduced;
  ndi_iter_init(&p->kept, task->count, views, kept_bases, false);
  /* positions count in row-major order; all other reductions may go in the order of memory */
  ndi_iter_init(&p->sequence.walk, 1, &line, &base, p->reducer->note || is_in_order(&reduced));
  p->sequence.origin = base + src->offset;
  p->n = reduced.size;
}

/* Do neighbouring sequences overlap so far that windows pay? Sets 'windows' if so. */
static bool find_windows(plan *p) {
  const nd_iter *line = &p->sequence.walk;
  const ptrdiff_t across = p->kept.step[0], along = line->step[0];
  if (line->ndim > 0 || along == 0 || across % along != 0 || across / along < 1) return false;
  /* a position belongs to one window only, and so does a distance from its mean */
  if (p->reducer->note || p->mean || p->kept.run < NARROW) return false;
  p->windows = (ndi_windows){p->reducer, (size_t)(across / along), p->sequence.item, p->acc};
  return ndi_windows_cost(p->windows.hop, p->n) < p->n + CALL;
}

/* The number of results of a tile: as many as fit; of windows as many as begin within the span; of
 * sequences that are folded each for itself a few neighbours, or those that are short. */
static size_t width_of(const plan *p) {
  const size_t most = TILE / (size_t)p->acc, lines = LINES / (p->n + 1) + 1;
  const size_t span = most < NDI_WINDOWS_SPAN ? most : NDI_WINDOWS_SPAN;
  if (p->is_sliding) return (span - 1) / p->windows.hop + 1;
  if (p->by_rows) return most;
  return p->kept.run < NARROW ? p->kept.run : lines < most ? lines : most;
}

static bool is_packed(const ndi_sequence *s) {
  return s->walk.ndim == 0 && s->walk.step[0] == s->item;
}

static void plan_chunks(plan *p) {
  const ptrdiff_t across = ndi_step_abs(p->kept.step[0]);
  const ptrdiff_t along = ndi_step_abs(p->sequence.walk.step[0]);
  const size_t run = p->kept.run;
  /* positions within a chunk have 32 bits */
  const size_t most = p->reducer->note ? (size_t)1 << 31 : SIZE_MAX;
  /* a chunk has CHUNK elements, or, of a long sequence, so many that there are about MAX_CHUNKS */
  const size_t fair = p->n / MAX_CHUNKS / NDI_BLOCK * NDI_BLOCK + NDI_BLOCK;
  p->block = p->reducer->lanes == 1 && !p->short_circuits && is_packed(&p->sequence)
                 ? NDI_LONG_BLOCK
                 : NDI_BLOCK;
  p->by_rows = run >= NARROW && p->n > 0 && (across < along || p->n < SHORT);
  p->is_sliding = !p->by_rows && find_windows(p);
  p->width = width_of(p);
  p->chunk = fair < CHUNK ? CHUNK : fair < most ? fair : most;
  p->chunks = p->n > p->chunk ? (p->n - 1) / p->chunk + 1 : 1;
  p->tiles_of_run = (run - 1) / p->width + 1;
  p->tiles = p->tiles_of_run;
  for (int i = 0; i < p->kept.ndim; i++) p->tiles *= p->kept.len[i];
  p->slot = round_up(p->width * (size_t)p->acc);
  if (p->reducer->note) p->slot += round_up(p->width * sizeof(uint32_t));
}

nd_status ndi_host_reduce(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *out = task->views[0], *src = task->views[1];
  const nd_dtype from = (nd_dtype)src->dtype, to = (nd_dtype)out->dtype;
  const nd_form form = nd_op_get(task->op)->form;
  const bool is_var = form == ND_FORM_VAR || form == ND_FORM_STD;
  plan p = {.reducer = ndi_reducer_find(task->op, from),
            .sequence.pack = ndi_cast_find(from, from, ND_SATURATE),
            .sequence.item = (ptrdiff_t)nd_view_itemsize(src),
            .short_circuits = form == ND_FORM_UNTIL_TRUE || form == ND_FORM_UNTIL_FALSE,
            .decisive = form == ND_FORM_UNTIL_TRUE,
            .is_single = out->size == 1,
            .is_divided = is_var || form == ND_FORM_MEAN,
            .roots = form == ND_FORM_STD,
            .divisor = task->reduce.divisor,
            .poll = {.err = err}};
  if (out->size == 0) return ND_OK;
  p.acc = nd_dtype_get(p.reducer->acc)->bytes * (p.reducer->is_pair ? 2 : 1);
  p.finish = ndi_cast_find(to, p.reducer->note ? ND_I64 : p.reducer->acc, ND_SATURATE);
  if (is_var) {
    const nd_dtype mean = (nd_dtype)task->views[2]->dtype;
    p.pack_mean = ndi_cast_find(mean, mean, ND_SATURATE);
    p.mean = nd_dtype_get(mean)->bytes;
  }
  plan_walks(&p, task, bases);
  plan_chunks(&p);
  const uint64_t each = p.is_sliding ? ndi_windows_cost(p.windows.hop, p.n) : p.n;
  return run_with_scratch(&p, (uint64_t)out->size * each * (uint64_t)p.sequence.item, err);
}
