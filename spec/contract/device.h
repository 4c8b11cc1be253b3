/* What every device has to do, whenever it does it: each call is made on arrays of the device and
 * on twins of the host, and both have to hold the same bytes. */
#ifndef ND_SPEC_CONTRACT_DEVICE_H
#define ND_SPEC_CONTRACT_DEVICE_H

#include "../core/arrays.h"
#include "mem/reap.h"

typedef struct {
  const char *name;
  nd_device *device;
  nd_resource *memory;
  bool lacks_some;    /* permutation and index_add */
  bool is_hidden;     /* the host may not touch its memory */
  bool lacks_kernels; /* for masks, index arrays, comparing */
  bool only_copies;   /* and fills none, either */
} device_case;

static const device_case *here;

enum { MAX_BYTES = 1 << 14 };

/* An array of the device, laid out anyhow, and a packed one of the host with the same elements. */
typedef struct {
  nd_view on, twin;
} pair;

static inline void device_group(const char *what) {
  static char text[2][128]; /* the last group's name is printed when the next one begins */
  static int turn;
  turn ^= 1;
  snprintf(text[turn], sizeof text[turn], "%s: %s", here->name, what);
  group(text[turn]);
}

/* A lazy array on the device; 'scattered': backwards, with gaps. */
static inline nd_view make_on(nd_dtype dtype, int ndim, const size_t *shape, bool scattered) {
  nd_view v, whole;
  ptrdiff_t steps[ND_MAX_NDIM], run = (ptrdiff_t)bytes_of(dtype) + (scattered ? 1 : 0);
  size_t offset = scattered ? 3 : 0;
  for (int i = ndim; i-- > 0;) {
    const bool back = scattered && below(2) && shape[i];
    steps[i] = back ? -run : run;
    offset += back ? (size_t)run * (shape[i] - 1) : 0;
    run *= (ptrdiff_t)(shape[i] ? shape[i] : 1);
  }
  const size_t bytes = scattered ? (size_t)run + 16 : (size_t)run;
  const nd_storage_options options = {.lazy = true};
  if (!scattered) {
    if (nd_new(here->memory, dtype, ndim, shape, options, &v, NULL)) abort();
    return v;
  }
  if (nd_new(here->memory, ND_U8, 1, &bytes, options, &whole, NULL) ||
      nd_view_make(whole.storage, offset, dtype, ndim, shape, steps, &v, NULL))
    abort();
  nd_view_drop(&whole);
  return v;
}

static inline pair make_pair(nd_dtype dtype, int ndim, const size_t *shape) {
  pair p = {make_on(dtype, ndim, shape, below(2)), make_packed(dtype, ndim, shape)};
  fill_bytes(&p.twin);
  char *host = NULL;
  if (nd_storage_host(p.twin.storage, 0, SIZE_MAX, false, &host, NULL) ||
      nd_copyin(&p.on, host, nd_view_nbytes(&p.twin), NULL))
    abort();
  return p;
}

static inline void drop_pair(pair *p) { nd_view_drop(&p->on), nd_view_drop(&p->twin); }

static inline bool same_arrays(const nd_view *a, const nd_view *b) {
  static char x[MAX_BYTES], y[MAX_BYTES];
  const size_t bytes = nd_view_nbytes(a);
  return bytes <= MAX_BYTES && a->dtype == b->dtype && nd_view_same_shape(a, b) &&
         nd_copyout(a, x, bytes, NULL) == ND_OK && nd_copyout(b, y, bytes, NULL) == ND_OK &&
         memcmp(x, y, bytes) == 0;
}

static inline void check_pair_of(const char *what, nd_view *on, nd_view *twin) {
  CHECK(on->storage->resource->device == here->device->number, "%s: made on another device", what);
  CHECK(same_arrays(on, twin), "%s differs", what);
  nd_view_drop(on), nd_view_drop(twin);
}

static inline bool has_cast(nd_dtype to, nd_dtype from) {
  return is_complex(to) || !is_complex(from);
}

/* {=== copies ===} */

static inline void spec_copies(void) {
  device_group("copies convert and broadcast as on the host");
  for (int i = 0; i < 300; i++) {
    index_of shape, thin;
    const int ndim = random_shape(0, 4, 5, shape);
    const nd_dtype to = random_dtype(), from = below(2) ? to : random_dtype();
    for (int a = 0; a < ndim; a++) thin[a] = below(4) ? shape[a] : 1;
    pair dst = make_pair(to, ndim, shape), src = make_pair(from, ndim, thin);
    const nd_cast_mode mode = below(2) ? ND_SATURATE : ND_WRAP;
    const nd_status expected = has_cast(to, from) ? ND_OK : ND_TYPE_MISMATCH;
    CHECK(nd_copy(&dst.twin, &src.twin, mode, NULL) == expected, "twin");
    switch (below(3)) { /* within the device, into it, out of it */
      case 0: CHECK(nd_copy(&dst.on, &src.on, mode, NULL) == expected, "within"); break;
      case 1: CHECK(nd_copy(&dst.on, &src.twin, mode, NULL) == expected, "in"); break;
      default: {
        nd_view out = make_packed(to, ndim, shape);
        CHECK(nd_copy(&out, &dst.on, ND_SATURATE, NULL) == ND_OK, "as it was");
        CHECK(nd_copy(&out, &src.on, mode, NULL) == expected, "out");
        CHECK(nd_copy(&dst.on, &out, ND_SATURATE, NULL) == ND_OK, "back");
        nd_view_drop(&out);
      }
    }
    CHECK(same_arrays(&dst.on, &dst.twin), "%s from %s", nd_dtype_get(to)->name,
          nd_dtype_get(from)->name);
    drop_pair(&dst), drop_pair(&src);
  }
}

static inline void spec_checked_copies(void) {
  device_group("ND_CHECK refuses before anything is written");
  const size_t n[] = {6};
  index_of at = {4};
  pair dst = make_pair(ND_U8, 1, n), src = make_pair(ND_I32, 1, n);
  nd_error err;
  fill_numbers(&src.twin, 8);
  set_number(&src.twin, at, 300);
  CHECK(nd_copy(&src.on, &src.twin, ND_SATURATE, NULL) == ND_OK, "set up");
  CHECK(nd_copy(&dst.on, &src.on, ND_CHECK, &err) == ND_NOT_REPRESENTABLE &&
            err.numbers[0].value == 5,
        "300 in u8");
  CHECK(nd_copy(&dst.on, &src.twin, ND_CHECK, &err) == ND_NOT_REPRESENTABLE, "from the host");
  CHECK(same_arrays(&dst.on, &dst.twin), "written");
  drop_pair(&dst), drop_pair(&src);
}

/* Two ranges of one array, the source backwards at times. */
static inline void copy_shifted(const nd_view *v, size_t to, size_t from, size_t len, bool flip) {
  nd_view dst, src, back;
  if (nd_view_narrow(v, 0, to, len, &dst, NULL) || nd_view_narrow(v, 0, from, len, &src, NULL) ||
      nd_view_flip(&src, flip, &back, NULL))
    abort();
  CHECK(nd_copy(&dst, &back, ND_SATURATE, NULL) == ND_OK, "shifted");
  nd_view_drop(&dst), nd_view_drop(&src), nd_view_drop(&back);
}

static inline void spec_overlaps(void) {
  device_group("overlapping copies read first");
  for (int i = 0; i < 100; i++) {
    const size_t shape[] = {2 + below(9), 1 + below(3)}, len = 1 + below(shape[0]);
    const size_t to = below(shape[0] - len + 1), from = below(shape[0] - len + 1);
    const bool flip = below(2);
    pair p = make_pair(random_dtype(), 2, shape);
    for (int again = 0; again < 2; again++) {
      copy_shifted(&p.on, to, from, len, flip);
      copy_shifted(&p.twin, to, from, len, flip);
    }
    CHECK(same_arrays(&p.on, &p.twin), "%zu to %zu, %zu of %zu", from, to, len, shape[0]);
    drop_pair(&p);
  }
}

static inline void spec_values(void) {
  device_group("fill, item, bytes in and out");
  char bytes[MAX_BYTES], back[MAX_BYTES];
  for (int i = 0; i < 100; i++) {
    index_of shape;
    const nd_dtype dtype = random_dtype();
    pair p = make_pair(dtype, random_shape(0, 3, 5, shape), shape);
    const size_t size = nd_view_nbytes(&p.on);
    nd_scalar given = {.dtype = ND_U8}, item;
    given.bytes[0] = (unsigned char)below(2);
    CHECK(nd_fill(&p.on, &given, NULL) == ND_OK && nd_fill(&p.twin, &given, NULL) == ND_OK, "fill");
    given.bytes[0] = 77; /* the call is done with it */
    CHECK(same_arrays(&p.on, &p.twin), "fill");
    CHECK((nd_item(&p.on, &item, NULL) == ND_OK) == (p.on.size == 1), "item");
    for (size_t k = 0; k < size; k++) bytes[k] = (char)(dtype == ND_BOOL ? k & 1 : k);
    CHECK(nd_copyin(&p.on, bytes, size, NULL) == ND_OK, "in");
    memset(bytes, 0x55, sizeof bytes);
    CHECK(nd_copyout(&p.on, back, size, NULL) == ND_OK, "out");
    for (size_t k = 0; k < size; k++)
      CHECK(back[k] == (char)(dtype == ND_BOOL ? k & 1 : k), "byte %zu of %zu", k, size);
    CHECK(nd_copyin(&p.on, bytes, size + 1, NULL) == ND_SIZE_MISMATCH, "size");
    drop_pair(&p);
  }
}

/* {=== new arrays ===} */

enum { FIRST_INDEXED = 8 };

/* Call 'i' of those that make an array; -1: there is none. */
static inline int make_case(int i, const nd_view *v, const nd_view *other, const nd_view *index,
                            const nd_view *mask, nd_view *out) {
  const size_t twos[] = {2, 2}, none[] = {0, 1};
  const nd_view *parts[] = {v, other, v};
  const nd_scalar zero = {.dtype = ND_U8};
  switch (i) {
    case 0: return (int)nd_concat(3, parts, 0, false, out, NULL);
    case 1: return (int)nd_concat(3, parts, 1, true, out, NULL);
    case 2: return (int)nd_tile(v, 2, twos, out, NULL);
    case 3: return (int)nd_repeat(v, 3, 1, out, NULL);
    case 4: return (int)nd_roll(v, -2, 0, out, NULL);
    case 5: return (int)nd_pad(v, twos, none, &zero, out, NULL);
    case 6: return (int)nd_byteswap(v, out, NULL);
    case 7: return (int)nd_astype(v, ND_C64, ND_SATURATE, out, NULL);
    case 8: return (int)nd_take(v, index, 0, out, NULL);
    case 9: return (int)nd_take(v, index, 1, out, NULL);
    case 10: return (int)nd_mask_select(v, mask, out, NULL);
    default: return -1;
  }
}

/* Operands on the device, twins on the host. */
typedef struct {
  pair v, other, index, mask;
} operands_on;

static inline operands_on make_operands_on(void) {
  const size_t shape[] = {3, 4}, two[] = {2, 2}, three[] = {3};
  index_of at;
  operands_on o = {make_pair(ND_F32, 2, shape), make_pair(ND_I16, 2, shape),
                   make_pair(ND_U8, 2, two), make_pair(ND_BOOL, 1, three)};
  pair *all[] = {&o.v, &o.other, &o.index, &o.mask};
  fill_numbers(&o.v.twin, 8);
  EACH(&o.index.twin, at) set_number(&o.index.twin, at, 1 + (long double)below(3));
  for (int i = 0; i < 4; i++)
    if (nd_copy(&all[i]->on, &all[i]->twin, ND_SATURATE, NULL)) abort();
  return o;
}

static inline void drop_operands_on(operands_on *o) {
  drop_pair(&o->v), drop_pair(&o->other), drop_pair(&o->index), drop_pair(&o->mask);
}

static inline void spec_makers(void) {
  device_group("arrays made of others are the host's, on the device");
  nd_view on = {.size = 0}, twin = {.size = 0};
  for (int round = 0; round < 10; round++) {
    operands_on o = make_operands_on();
    for (int i = 0;; i++) {
      const int status = make_case(i, &o.v.twin, &o.other.twin, &o.index.twin, &o.mask.twin, &twin);
      if (status < 0) break;
      CHECK(status == ND_OK, "case %d on the host", i);
      const int got = make_case(i, &o.v.on, &o.other.on, &o.index.on, &o.mask.on, &on);
      if (here->lacks_kernels && i >= FIRST_INDEXED) {
        CHECK(got == ND_UNSUPPORTED, "case %d", i);
        nd_view_drop(&twin);
        continue;
      }
      CHECK(got == ND_OK, "case %d", i);
      CHECK(same_arrays(&on, &twin), "case %d", i);
      check_pair_of("made", &on, &twin);
    }
    drop_operands_on(&o);
  }
}

/* Nothing falls back silently. */
static inline void spec_no_kernels(void) {
  device_group("what needs a kernel is refused, and writes nothing");
  operands_on o = make_operands_on();
  bool is_same;
  CHECK(nd_equal(&o.v.on, &o.v.twin, &is_same, NULL) == ND_UNSUPPORTED, "equal");
  CHECK(nd_equal(&o.v.twin, &o.v.on, &is_same, NULL) == ND_UNSUPPORTED, "equal, of the host");
  CHECK(nd_allclose(&o.v.on, &o.v.twin, 0, 0, &is_same, NULL) == ND_UNSUPPORTED, "close");
  CHECK(nd_put(&o.v.on, &o.index.on, &o.other.on, NULL) != ND_OK, "put");
  CHECK(nd_mask_assign(&o.other.on, &o.mask.on, &o.other.on, NULL) != ND_OK, "assign");
  CHECK(same_arrays(&o.v.on, &o.v.twin) && same_arrays(&o.other.on, &o.other.twin), "written");
  const nd_status filled = nd_range(&o.v.on, 1, 0.5, NULL);
  CHECK(filled == (here->only_copies ? ND_UNSUPPORTED : ND_OK), "range");
  if (filled == ND_OK) CHECK(nd_range(&o.v.twin, 1, 0.5, NULL) == ND_OK, "range");
  CHECK(same_arrays(&o.v.on, &o.v.twin), "range");
  drop_operands_on(&o);
}

static inline void spec_runs(void) {
  device_group("operations write and find what they do on the host");
  bool is_equal, is_close;
  for (int round = 0; round < 10; round++) {
    operands_on o = make_operands_on();
    CHECK(nd_equal(&o.v.on, &o.v.twin, &is_equal, NULL) == ND_OK && is_equal, "equal");
    CHECK(nd_put(&o.v.on, &o.index.on, &o.other.on, NULL) == ND_SHAPE_MISMATCH, "shape");
    CHECK(nd_put(&o.v.on, &o.index.twin, &o.v.on, NULL) == ND_SHAPE_MISMATCH, "shape");
    nd_view row_on, row_twin;
    if (nd_view_select(&o.other.on, 0, 1, &row_on, NULL) ||
        nd_view_select(&o.other.twin, 0, 1, &row_twin, NULL))
      abort();
    CHECK(nd_put(&o.v.on, &o.index.on, &row_on, NULL) == ND_OK, "put");
    CHECK(nd_put(&o.v.twin, &o.index.twin, &row_twin, NULL) == ND_OK, "put");
    CHECK(nd_mask_assign(&o.other.on, &o.mask.on, &row_twin, NULL) == ND_OK, "assign");
    CHECK(nd_mask_assign(&o.other.twin, &o.mask.twin, &row_twin, NULL) == ND_OK, "assign");
    CHECK(nd_allclose(&o.v.on, &o.v.twin, 0, 0, &is_close, NULL) == ND_OK && is_close, "close");
    CHECK(same_arrays(&o.v.on, &o.v.twin) && same_arrays(&o.other.on, &o.other.twin), "written");
    CHECK(nd_range(&o.v.on, 1, 0.5, NULL) == ND_OK && nd_range(&o.v.twin, 1, 0.5, NULL) == ND_OK,
          "range");
    CHECK(same_arrays(&o.v.on, &o.v.twin), "range");
    nd_view_drop(&row_on), nd_view_drop(&row_twin);
    drop_operands_on(&o);
  }
}

static inline void spec_lacking(void) {
  device_group("what the device lacks is refused by name");
  const size_t n[] = {4};
  nd_error err;
  nd_view v = make_on(ND_I64, 1, n, false), ones = make_on(ND_I64, 1, n, false);
  const nd_scalar one = {.dtype = ND_U8, .bytes = {1}};
  const nd_status filled = here->only_copies ? ND_UNSUPPORTED : ND_OK;
  const nd_status expected = here->lacks_some ? ND_UNSUPPORTED : ND_OK;
  const nd_status indexed = here->lacks_kernels ? ND_UNSUPPORTED : expected;
  CHECK(nd_range_integer(&v, 1, 1, NULL) == filled, "range");
  if (nd_fill(&v, &one, NULL) || nd_fill(&ones, &one, NULL)) abort();
  CHECK(nd_index_add(&v, 0, &ones, &ones, &err) == indexed, "index_add");
  CHECK(nd_random_permutation(&v, 1, 1, &err) == expected, "permutation");
  if (here->lacks_some)
    CHECK(strstr(err.message, here->device->name) && strstr(err.message, "permutation"), "%s",
          err.message);
  nd_view_drop(&v), nd_view_drop(&ones);
}

/* {=== memory ===} */

static inline void spec_zero_sizes(void) {
  device_group("arrays without elements are copied, filled and joined");
  const size_t shape[] = {3, 0, 2};
  nd_view v = make_on(ND_F64, 3, shape, false), w = make_on(ND_U8, 3, shape, true), out;
  const nd_view *parts[] = {&v, &w};
  const nd_scalar one = {.dtype = ND_U8, .bytes = {1}};
  CHECK(nd_copy(&v, &w, ND_SATURATE, NULL) == ND_OK, "copy");
  CHECK(nd_fill(&v, &one, NULL) == ND_OK, "fill");
  CHECK(nd_copyin(&v, NULL, 0, NULL) == ND_OK && nd_copyout(&v, NULL, 0, NULL) == ND_OK, "bytes");
  CHECK(nd_range(&v, 0, 1, NULL) == ND_OK, "range");
  CHECK(nd_concat(2, parts, 0, false, &out, NULL) == ND_OK && out.size == 0, "concat");
  CHECK(nd_storage_allocate(out.storage, NULL) == ND_OK, "allocate");
  nd_view_drop(&out), nd_view_drop(&v), nd_view_drop(&w);
}

static inline void spec_lazy(void) {
  device_group("memory comes with the first use");
  const size_t n[] = {5};
  nd_view v = make_on(ND_F32, 1, n, false), w = make_on(ND_F32, 1, n, false);
  CHECK(nd_storage_get_state(v.storage) == ND_STORAGE_FRESH, "v");
  CHECK(nd_copy(&v, &w, ND_SATURATE, NULL) == ND_OK, "both are allocated");
  CHECK(nd_storage_get_state(v.storage) == ND_STORAGE_LIVE, "v");
  CHECK(nd_storage_get_state(w.storage) == ND_STORAGE_LIVE, "w");
  char *host;
  const nd_status expected = here->is_hidden ? ND_NOT_HOST_ACCESSIBLE : ND_OK;
  CHECK(nd_view_host(&w, false, &host, NULL) == expected, "the host's address");
  nd_view_drop(&v), nd_view_drop(&w);
}

/* {=== random programs ===} */

enum { ARRAYS = 5 };

static inline pair new_pair(void) {
  const size_t shape[] = {4, 6};
  return make_pair(random_dtype(), 2, shape);
}

/* An element written by the host itself, as a script does. */
static inline void poke(const nd_view *v) {
  char *host;
  nd_storage *s = v->storage;
  if (nd_storage_host(s, 0, SIZE_MAX, true, &host, NULL)) abort();
  memset(host + v->offset, 1, nd_view_itemsize(v));
}

static inline void step(pair *a, pair *b) {
  const nd_scalar one = {.dtype = ND_U8, .bytes = {1}};
  nd_view on, twin;
  switch (below(6)) {
    case 0:
      if (!has_cast((nd_dtype)a->on.dtype, (nd_dtype)b->on.dtype)) return;
      CHECK(nd_copy(&a->on, &b->on, ND_SATURATE, NULL) == ND_OK, "copy");
      CHECK(nd_copy(&a->twin, &b->twin, ND_SATURATE, NULL) == ND_OK, "copy");
      return;
    case 1:
      if (here->is_hidden) return;
      poke(&a->on), poke(&a->twin);
      return;
    case 2:
      copy_shifted(&a->on, 1, 0, 3, true);
      copy_shifted(&a->twin, 1, 0, 3, true);
      return;
    case 3: {
      const size_t row = below(4);
      if (nd_view_select(&a->on, 0, row, &on, NULL) ||
          nd_view_select(&a->twin, 0, row, &twin, NULL))
        abort();
      CHECK(nd_fill(&on, &one, NULL) == ND_OK && nd_fill(&twin, &one, NULL) == ND_OK, "fill");
      nd_view_drop(&on), nd_view_drop(&twin);
      return;
    }
    case 4: CHECK(same_arrays(&a->on, &a->twin), "on the way"); return;
    default:
      if (below(2)) CHECK(nd_storage_free(b->on.storage, NULL) == ND_OK, "free");
      drop_pair(b);
      *b = new_pair();
  }
}

static inline void spec_programs(void) {
  device_group("random programs give the host's bytes");
  for (int i = 0; i < 60; i++) {
    pair p[ARRAYS];
    for (int k = 0; k < ARRAYS; k++) p[k] = new_pair();
    for (int k = 0; k < 40; k++) {
      const size_t a = below(ARRAYS), b = (a + 1 + below(ARRAYS - 1)) % ARRAYS;
      step(&p[a], &p[b]);
    }
    for (int k = 0; k < ARRAYS; k++) {
      CHECK(same_arrays(&p[k].on, &p[k].twin), "program %d, array %d", i, k);
      drop_pair(&p[k]);
    }
  }
}

/* {=== all of it ===} */

static inline uint64_t blocks_of(nd_resource *memory) {
  nd_mem_stats stats;
  nd_resource_get_stats(memory, &stats);
  return stats.live_count.now;
}

static inline void check_device(const device_case *c) {
  here = c;
  const uint64_t before = blocks_of(c->memory);
  spec_copies();
  spec_checked_copies();
  spec_overlaps();
  spec_values();
  spec_makers();
  if (c->lacks_kernels) spec_no_kernels();
  else spec_runs();
  spec_lacking();
  spec_zero_sizes();
  spec_lazy();
  spec_programs();
  device_group("nothing is left");
  CHECK(nd_device_sync(c->device, NULL) == ND_OK, "sync");
  nd_reap(ND_REAP_WAIT);
  CHECK(nd_pending_bytes() == 0, "%zu B are pending", nd_pending_bytes());
  CHECK(blocks_of(c->memory) == before, "%" PRIu64 " blocks", blocks_of(c->memory) - before);
}

#endif
