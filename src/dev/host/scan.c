/* Scans on the host: running sums and the like along one axis.
 *
 * Lines are scanned in tiles of neighbouring ones. Where neighbours are closer in memory than the
 * elements of a line (the first axis of a row-major array), a tile takes in one element of each of
 * its lines at a time, a "row"; else lines are scanned one by one.
 *
 * If there are enough tiles, each thread scans tiles of its own. Else the lines of a tile are
 * shared, chunk by chunk: one pass finds what each chunk adds to those after it, another scans the
 * chunks. The chunks are the same for one thread (kern/scan.h), and so are the bits. */
#include "kern/scan.h"
#include <string.h>

#include "base/size.h"
#include "dev/host/host.h"
#include "dev/threads.h"
#include "view/iter.h"

enum {
  NARROW = 8, /* lines: fewer neighbours than this do not pay for tiles of rows */
  SHORT = 32, /* elements: lines shorter than this always go by rows, if there are enough */
  FEW = 16,   /* lines of a tile that are scanned one by one */
  MANY = 4    /* tiles of a thread */
};

typedef struct {
  const ndi_scanner *scanner;
  nd_iter lines;           /* walk from line to line; views: out, src */
  ptrdiff_t dx, dz;        /* bytes from one element of a line to the next */
  size_t n, chunk, chunks; /* elements of a line and of a chunk; chunks of a line */
  bool by_rows;
  /* lines of a tile, tiles of a run of 'lines', tiles in all */
  size_t width, tiles_of_run, tiles;
  size_t tile;         /* the one that all parts share */
  ndi_scan_acc *bases; /* of its lines, for each chunk */
  bool writes;
  ndi_poll poll;
} plan;

/* The addresses of the first line of a tile. Returns its width. */
static size_t find_tile(const plan *p, size_t tile, ndi_scan_line *at) {
  nd_iter it = p->lines;
  const size_t first = tile % p->tiles_of_run * p->width, left = it.run - first;
  ndi_iter_seek(&it, tile / p->tiles_of_run);
  *at = (ndi_scan_line){.x = it.at[1] + (ptrdiff_t)first * it.step[1],
                        .z = it.at[0] + (ptrdiff_t)first * it.step[0],
                        .dx = p->dx,
                        .dz = p->dz};
  return left < p->width ? left : p->width;
}

/* Scan 'n' elements of each of 'width' lines, the first of which 'at' has. */
static void run_piece(const plan *p, size_t n, size_t width, ndi_scan_line at,
                      const ndi_scan_acc *base, ndi_scan_acc *inner) {
  const ptrdiff_t ez = p->lines.step[0], ex = p->lines.step[1];
  if (p->by_rows) {
    p->scanner->rows(n, width, &at, ex, ez, base, inner);
    return;
  }
  for (size_t w = 0; w < width; w++, at.x += ex, at.z += at.z ? ez : 0)
    p->scanner->line(n, &at, &base[w], &inner[w]);
}

/* Scan one chunk of each line of a tile, in pieces between polls. */
static bool run_chunk(plan *p, size_t chunk, size_t width, const ndi_scan_line *lines,
                      const ndi_scan_acc *base, ndi_scan_acc *inner, size_t thread) {
  const size_t first = chunk * p->chunk;
  const size_t end = p->n - first < p->chunk ? p->n : first + p->chunk;
  p->scanner->start(width, inner);
  for (size_t done = first, some; done < end; done += some) {
    ndi_scan_line at = *lines;
    some = end - done < NDI_SCAN_CHUNK ? end - done : NDI_SCAN_CHUNK;
    at.x += (ptrdiff_t)done * at.dx;
    at.z = p->writes ? at.z + (ptrdiff_t)done * at.dz : NULL;
    run_piece(p, some, width, at, base, inner);
    if (ndi_poll_stops(&p->poll, thread, some * width)) return false;
  }
  return true;
}

/* {=== parts ===} */

static bool run_tiles(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  ndi_scan_acc base[NDI_SCAN_WIDTH], inner[NDI_SCAN_WIDTH];
  for (size_t tile = p->tiles * part / parts; tile < p->tiles * (part + 1) / parts; tile++) {
    ndi_scan_line at;
    const size_t width = find_tile(p, tile, &at);
    p->scanner->start(width, base);
    for (size_t c = 0; c < p->chunks; c++) {
      if (!run_chunk(p, c, width, &at, base, inner, thread)) return false;
      if (c + 1 < p->chunks) p->scanner->join(width, base, inner);
    }
  }
  return true;
}

/* Without 'writes' what each chunk adds replaces its base, which is not read. */
static bool run_chunks(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  ndi_scan_acc inner[NDI_SCAN_WIDTH];
  ndi_scan_line at;
  const size_t width = find_tile(p, p->tile, &at);
  for (size_t c = p->chunks * part / parts; c < p->chunks * (part + 1) / parts; c++) {
    ndi_scan_acc *base = p->bases + c * p->width;
    if (!run_chunk(p, c, width, &at, base, inner, thread)) return false;
    if (!p->writes) memcpy(base, inner, width * sizeof *base);
  }
  return true;
}

/* What the chunks add becomes what is before them. */
static void find_bases(const plan *p) {
  ndi_scan_acc before[NDI_SCAN_WIDTH], here[NDI_SCAN_WIDTH];
  p->scanner->start(p->width, before);
  for (size_t c = 0; c < p->chunks; c++) {
    ndi_scan_acc *base = p->bases + c * p->width;
    for (size_t w = 0; w < p->width; w++) here[w] = base[w], base[w] = before[w];
    p->scanner->join(p->width, before, here);
  }
}

static nd_status run_shared(plan *p, ndi_split split, nd_error *err) {
  nd_block block;
  size_t bytes;
  if (!ndi_size_mul(p->chunks, p->width * sizeof *p->bases, &bytes))
    return nd_fail(err, ND_OVERFLOW, "a scan needs more scratch memory than there is");
  ND_TRY(ndi_host_scratch(bytes, &block, err));
  p->bases = block.host;
  for (p->tile = 0; p->tile < p->tiles && p->poll.status == ND_OK; p->tile++) {
    p->scanner->start(p->chunks * p->width, p->bases);
    p->writes = false;
    ndi_run_parts(split, run_chunks, p);
    if (p->poll.status != ND_OK) break;
    find_bases(p);
    p->writes = true;
    ndi_run_parts(split, run_chunks, p);
  }
  ndi_host_unscratch(&block);
  return p->poll.status;
}

/* {=== the plan ===} */

/* View 'v' without the axis that is scanned, but with an axis of parts where it 'has_parts'.
 * Borrows the storage. */
static void find_lines(const nd_view *v, int axis, bool has_parts, nd_view *out) {
  nd_view_borrow(v, out);
  out->ndim = 0;
  for (int i = 0; i < v->ndim; i++)
    if (i != axis) out->axis[out->ndim++] = v->axis[i];
  if (has_parts) {
    out->axis[out->ndim].len = 2;
    out->axis[out->ndim++].step = (ptrdiff_t)nd_view_itemsize(v) / 2;
  }
  out->size = v->size / v->axis[axis].len * (has_parts ? 2 : 1);
}

static void plan_tiles(plan *p) {
  const size_t run = p->lines.run;
  const ptrdiff_t across = ndi_step_abs(p->lines.step[1]), along = ndi_step_abs(p->dx);
  p->by_rows = run >= NARROW && (across < along || p->n < SHORT);
  p->width = p->by_rows ? NDI_SCAN_WIDTH : FEW;
  if (p->width > run) p->width = run;
  p->chunk = p->scanner->is_serial ? p->n : NDI_SCAN_CHUNK;
  p->chunks = (p->n - 1) / p->chunk + 1;
  p->tiles_of_run = (run - 1) / p->width + 1;
  p->tiles = p->tiles_of_run;
  for (int i = 0; i < p->lines.ndim; i++) p->tiles *= p->lines.len[i];
}

nd_status ndi_host_scan(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *out = task->views[0], *src = task->views[1];
  const int axis = task->scan_axis;
  const bool is_complex = nd_dtype_get((nd_dtype)src->dtype)->kind == ND_KIND_COMPLEX;
  const bool has_parts = is_complex && task->op == ND_OP_CUMSUM;
  nd_view lines[2];
  const nd_view *views[] = {&lines[0], &lines[1]};
  plan p = {.scanner = ndi_scan_find(task->op, (nd_dtype)src->dtype),
            .dx = src->axis[axis].step,
            .dz = out->axis[axis].step,
            .n = src->axis[axis].len,
            .writes = true,
            .poll = {.err = err}};
  if (src->size == 0) return ND_OK;
  find_lines(out, axis, has_parts, &lines[0]);
  find_lines(src, axis, has_parts, &lines[1]);
  ndi_iter_init(&p.lines, 2, views, bases, false);
  plan_tiles(&p);
  const uint64_t bytes = (uint64_t)nd_view_nbytes(out) + (uint64_t)nd_view_nbytes(src);
  const size_t threads = ndi_split_of(bytes, 0).threads;
  if (threads > 1 && p.chunks > 1 && p.tiles < MANY * threads)
    return run_shared(&p, ndi_split_of(bytes, p.chunks), err);
  ndi_run_parts(ndi_split_of(bytes, p.tiles), run_tiles, &p);
  return p.poll.status;
}
