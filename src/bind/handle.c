/* The fast head of an array: what compiled Lua code reads instead of calling C.
 *
 * The head caches an address, steps and counts from the view and the storage. Whatever could make
 * it wrong (free, a lazy allocation, a file that shrank) raises the storage's epoch first, so a
 * head is trusted only while its epoch equals the storage's; else C refreshes it. Where compiled
 * code must not access at all, the counts are 0. */
#include "bind/bind.h"
#include "dev/small.h"

const char ndb_magic[2] = {'a', 'r'};

/* Elements past the greatest int32_t are left to C. */
static int32_t clamp(size_t n) { return n < INT32_MAX ? (int32_t)n : INT32_MAX; }

static bool fits(ptrdiff_t step) { return step >= -INT32_MAX && step <= INT32_MAX; }

/* Whether the bytes may be accessed at once: allocated in memory that the CPU can access, intact,
 * and no work on them pending. */
static bool is_ready(nd_storage *s) {
  if (nd_storage_get_state(s) != ND_STORAGE_LIVE || !s->host) return false;
  /* one without a ticket has no work, and nothing to check: new arrays are such */
  if (!atomic_load_explicit(&s->has_ticket, memory_order_acquire)) return true;
  return nd_storage_is_idle(s) && nd_storage_check(s, NULL) == ND_OK;
}

/* Whether the head can express the layout: aligned, of 1 to 4 axes, steps of whole elements that
 * fit. Sizes of elements are powers of two ('shift'): a division would take as long as all the
 * rest. */
static bool is_direct(const nd_view *v, uintptr_t base, int shift) {
  if (!base || v->size == 0 || v->ndim < 1 || v->ndim > 4) return false;
  if ((base + v->offset) & (nd_dtype_get((nd_dtype)v->dtype)->align - 1u)) return false;
  for (int i = 0; i < v->ndim; i++)
    if (v->axis[i].step & (((ptrdiff_t)1 << shift) - 1) || !fits(v->axis[i].step >> shift))
      return false;
  return true;
}

/* Whether leaf calls (leaf.c) may work on the elements as one run: as ndi_is_small says, of what
 * is_ready. */
static bool is_packed(const nd_view *v) {
  return nd_view_nbytes(v) <= NDI_SMALL_BYTES && v->storage->resource->kind == ND_MEM_HOST &&
         v->storage->resource->device == 0 && nd_view_is_contiguous(v);
}

/* The counts along the last axis: of the paths for any step, of those for step 1. */
static void set_counts(const ndb_head *h, bool may_write, int32_t n, int32_t *read, int32_t *write,
                       int32_t *unit_read, int32_t *unit_write) {
  const bool is_unit = h->step[h->ndim - 1] == 1;
  *read = n;
  *write = may_write ? n : 0;
  *unit_read = is_unit ? n : 0;
  *unit_write = is_unit && may_write && !h->is_punned ? n : 0;
}

/* Set what depends on the layout and on where the bytes are; all is 0 before. 'is_part': of an
 * array whose head allows writes, none of whose elements are stored in one place. */
static void fill_head(ndb_array *a, bool is_part) {
  ndb_head *h = &a->head;
  const nd_view *v = &a->view;
  const uintptr_t base = (uintptr_t)(char *)v->storage->host;
  const int shift = __builtin_ctz((unsigned)nd_view_itemsize(v));
  if (!is_direct(v, base, shift)) return;
  /* else C refuses */
  const bool may_write = is_part || (!v->is_read_only && !nd_view_overlaps_itself(v));
  const int last = v->ndim - 1;
  const int32_t n = clamp(v->axis[0].len), n_last = clamp(v->axis[last].len);
  /* integers: the address of element 0, which does not exist, may lie outside of the block */
  uintptr_t first = base + v->offset;
  h->is_packed = is_packed(v);
  for (int i = 0; i <= last; i++) {
    first -= (uintptr_t)v->axis[i].step;
    h->step[i] = (int32_t)(v->axis[i].step >> shift);
  }
  h->p1 = (char *)first;
  if (last == 0) {
    set_counts(h, may_write, n, &h->read_n, &h->write_n, &h->unit_read_n, &h->unit_write_n);
    return;
  }
  h->first[last - 1] = n;
  for (int i = 1; i < last; i++) h->inner[i - 1] = clamp(v->axis[i].len);
  set_counts(h, may_write, n_last, &h->read_last, &h->write_last, &h->unit_read_last,
             &h->unit_write_last);
}

void ndb_refresh(ndb_array *a) {
  nd_storage *s = a->view.storage;
  /* the epoch first: a change meanwhile leaves the head stale */
  const uint64_t epoch = atomic_load_explicit(&s->epoch, memory_order_acquire);
  a->head = (ndb_head){.storage = s, .epoch = epoch, .ndim = a->view.ndim};
  a->head.is_punned = nd_storage_is_punned(s);
  a->head.is_mapped = nd_resource_leaf(s->resource)->ops->watch != NULL;
  if (is_ready(s)) fill_head(a, false);
}

/* a:rows() sets p1 of its row whatever the counts are, which fill_head sets. */
static bool is_filled(const ndb_head *h) { return h->read_n > 0 || h->read_last > 0; }

void ndb_derive(ndb_array *a, const ndb_head *from) {
  if (!is_filled(from) || !ndb_is_fresh(from)) {
    ndb_refresh(a);
    return;
  }
  a->head = (ndb_head){.storage = from->storage,
                       .epoch = from->epoch,
                       .ndim = a->view.ndim,
                       .is_punned = from->is_punned,
                       .is_mapped = from->is_mapped};
  fill_head(a, from->write_n > 0 || from->write_last > 0);
}
