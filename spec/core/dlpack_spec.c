/* Exports of storages, and DLPack: what a consumer in C sees of our tensors, what we make of its
 * own, and who frees what. */
#include <pthread.h>
#include <string.h>

#include "arrays.h"
#include "check.h"
#include "mem/adapt/adapt.h"
#include "mem/reap.h"
#include "ndbuf.h"

static nd_error err;
static const nd_dlpack_options newer = {0}, older = {.is_old = true}, copied = {.is_copy = true};

static nd_mem_stats stats_of(nd_resource *r) {
  nd_mem_stats stats;
  nd_reap(ND_REAP_DONE);
  nd_resource_get_stats(r, &stats);
  return stats;
}

static nd_view make(nd_resource *from, int ndim, const size_t *shape, nd_dtype dtype) {
  nd_view out;
  if (nd_new(from, dtype, ndim, shape, (nd_storage_options){.zeroed = true}, &out, &err)) abort();
  return out;
}

static nd_view make_line(size_t n, nd_dtype dtype) {
  return make(nd_host_resource(), 1, &n, dtype);
}

/* {=== exports ===} */

/* For a lone resource and for layers on it: 'held' is told by each. */
static void check_export(nd_resource *from, size_t bytes) {
  const nd_mem_stats before = stats_of(from);
  nd_view v = make(from, 1, &bytes, ND_U8);
  nd_storage *s = nd_storage_hold(v.storage);
  CHECK(nd_storage_export(s, &err) == ND_OK, "%s", err.message);
  CHECK(nd_storage_export(s, &err) == ND_OK, "%s", err.message);
  char *const at = s->ptr;
  memset(at, 7, bytes);
  CHECK(s->is_exposed && nd_storage_is_punned(s), "others have the address");
  CHECK(stats_of(from).held.now == before.held.now, "nothing is held yet");
  CHECK(nd_storage_free(s, &err) == ND_OK && nd_storage_free(s, &err) == ND_OK, "idempotent");
  CHECK(nd_storage_check(s, NULL) == ND_FREED && !s->ptr && !s->host, "freed for us");
  CHECK(nd_storage_export(s, NULL) == ND_FREED, "no further export");
  const nd_mem_stats held = stats_of(from);
  CHECK(held.held_count.now == before.held_count.now + 1 && held.held.now >= bytes, "%zu B: %zu",
        bytes, (size_t)held.held.now);
  CHECK(held.pending.now - before.pending.now == held.held.now - before.held.now, "pending");
  CHECK(held.live.now == before.live.now, "no longer in use by us");
  nd_view_drop(&v);
  nd_storage_unexport(s);
  for (size_t i = 0; i < bytes; i++) CHECK(at[i] == 7, "byte %zu of %zu", i, bytes);
  CHECK(stats_of(from).held_count.now == before.held_count.now + 1, "one is left");
  nd_storage_unexport(s);
  const nd_mem_stats after = stats_of(from);
  CHECK(after.held.now == before.held.now && after.pending.now == before.pending.now, "given back");
  CHECK(after.live.now == before.live.now, "%zu B are left",
        (size_t)(after.live.now - before.live.now));
  nd_storage_drop(s);
}

static void spec_exports(void) {
  group("a free leaves exported bytes to the others, in whose hands they count as held");
  static const size_t sizes[] = {1, 100, 1024, 1025, 100000};
  nd_resource *budget, *pool, *stats;
  if (nd_budget_make(nd_host_resource(), 1 << 20, "cpu", &budget, &err) ||
      nd_pool_make(budget, 1 << 20, &pool, &err) || nd_stats_make(pool, &stats, &err))
    abort();
  for (size_t i = 0; i < ND_COUNTOF(sizes); i++) {
    check_export(nd_host_resource(), sizes[i]);
    check_export(budget, sizes[i]);
    check_export(stats, sizes[i]);
  }
  nd_resource_drop(stats), nd_resource_drop(pool), nd_resource_drop(budget);
}

/* {=== what a consumer sees ===} */

static const nd_dlpack_tensor *tensor_of(const void *made, bool is_old) {
  return is_old ? &((const nd_dlpack_old *)made)->tensor
                : &((const nd_dlpack_versioned *)made)->tensor;
}

static void delete_tensor(void *made, bool is_old) {
  if (is_old) ((nd_dlpack_old *)made)->deleter(made);
  else ((nd_dlpack_versioned *)made)->deleter(made);
}

/* The first and the last element are where the view has them. */
static void check_tensor(const nd_view *v, bool is_old) {
  void *made = NULL;
  const nd_status status = nd_dlpack_export(v, is_old ? &older : &newer, &made, &err);
  CHECK(status == ND_OK, "%s", err.message);
  if (status != ND_OK) return;
  const nd_dlpack_tensor *t = tensor_of(made, is_old);
  const ptrdiff_t item = (ptrdiff_t)nd_view_itemsize(v);
  ptrdiff_t ours = 0, theirs = 0;
  CHECK(t->ndim == v->ndim && t->byte_offset == 0 && t->strides, "%d axes", t->ndim);
  CHECK(t->device.type == 1 && t->device.id == 0, "device %d", t->device.type);
  CHECK(t->dtype.lanes == 1 && t->dtype.bits == 8 * item, "%d bits", t->dtype.bits);
  for (int i = 0; i < t->ndim; i++) {
    CHECK(t->shape[i] == (int64_t)v->axis[i].len, "extent %d", i);
    ours += v->size ? (ptrdiff_t)(v->axis[i].len - 1) * v->axis[i].step : 0;
    theirs += v->size ? (t->shape[i] - 1) * t->strides[i] * item : 0;
  }
  CHECK(ours == theirs, "%td, %td", ours, theirs);
  int64_t packed = 1;
  for (int i = t->ndim - 1; i >= 0 && v->size > 0 && nd_view_is_contiguous(v); i--) {
    CHECK(t->strides[i] == packed, "stride %d is %" PRId64, i, t->strides[i]);
    packed *= t->shape[i];
  }
  CHECK(v->size ? t->data == v->storage->host + v->offset : !t->data, "%p", t->data);
  if (!is_old) {
    const nd_dlpack_versioned *now = made;
    CHECK(now->major == 1 && now->flags == (v->is_read_only ? ND_DLPACK_READ_ONLY : 0), "flags");
  }
  delete_tensor(made, is_old);
}

static void spec_out(void) {
  group("tensors have the address, shape and strides of every dtype and of views");
  static const size_t shape[] = {3, 1, 4}, empty[] = {3, 0, 4}, wide[] = {2, 3, 1, 4};
  static const int order[] = {2, 0, 1};
  for (int dtype = 0; dtype < ND_DTYPE_COUNT; dtype++) {
    nd_view v = make(nd_host_resource(), 3, shape, (nd_dtype)dtype);
    nd_view none = make(nd_host_resource(), 3, empty, (nd_dtype)dtype), turned, part, all;
    nd_view flipped, nothing; /* backwards, which shows where there are several elements alone */
    if (nd_view_permute(&v, order, &turned, &err) || nd_view_narrow(&v, 2, 1, 2, &part, &err) ||
        nd_view_expand(&v, 4, wide, &all, &err) || nd_view_flip(&v, 2, &flipped, &err) ||
        nd_view_flip(&none, 7, &nothing, &err))
      abort();
    for (int is_old = 0; is_old < 2; is_old++) {
      check_tensor(&v, is_old), check_tensor(&none, is_old);
      check_tensor(&turned, is_old), check_tensor(&part, is_old);
      check_tensor(&flipped, is_old), check_tensor(&nothing, is_old);
    }
    check_tensor(&all, false);
    CHECK(v.storage->exports == 0 && none.storage->exports == 0, "all were deleted");
    nd_view_drop(&v), nd_view_drop(&none), nd_view_drop(&turned), nd_view_drop(&flipped);
    nd_view_drop(&part), nd_view_drop(&all), nd_view_drop(&nothing);
  }
}

/* Refused, with every count as before; and a copy is fine. */
static void check_refused(const nd_view *v, const nd_dlpack_options *options, nd_status expected) {
  void *made = NULL;
  const uint64_t live = live_blocks();
  CHECK(nd_dlpack_export(v, options, &made, &err) == expected && !made, "%s", err.message);
  CHECK(v->storage->exports == 0 && live_blocks() == live, "nothing is left");
  CHECK(nd_dlpack_export(v, &copied, &made, &err) == ND_OK, "%s", err.message);
  CHECK(((nd_dlpack_versioned *)made)->flags == ND_DLPACK_COPIED, "flags");
  delete_tensor(made, false);
  CHECK(live_blocks() == live, "%d blocks are left", (int)(live_blocks() - live));
}

static void spec_refused(void) {
  group("what a tensor cannot say is refused, and goes out as a copy");
  static const size_t wide[] = {4, 10}, records[] = {3};
  static const ptrdiff_t odd[] = {12};
  nd_view v = make_line(10, ND_F64), back, all, field, windows;
  if (nd_view_flip(&v, 1, &back, &err) || nd_view_expand(&v, 2, wide, &all, &err) ||
      nd_view_as_strided(&v, 1, records, odd, 4, &field, &err) ||
      nd_view_unfold(&v, 0, 3, 1, &windows, &err))
    abort();
  check_refused(&back, &newer, ND_INVALID_VIEW);
  check_refused(&field, &newer, ND_INVALID_VIEW);
  check_refused(&all, &older, ND_READ_ONLY);
  check_refused(&windows, &older, ND_READ_ONLY);
  const nd_dlpack_options on_stream = {.stream = (void *)1};
  check_refused(&v, &on_stream, ND_INVALID_ARGUMENT);
  nd_view_drop(&v), nd_view_drop(&back), nd_view_drop(&all);
  nd_view_drop(&field), nd_view_drop(&windows);
}

/* {=== coming home ===} */

static void spec_home(void) {
  group("a tensor of ours that comes home is the same storage");
  for (int is_old = 0; is_old < 2; is_old++) {
    const nd_dlpack_options *options = is_old ? &older : &newer;
    nd_view v = make_line(1000, ND_F32), out;
    void *made = NULL;
    CHECK(nd_dlpack_export(&v, options, &made, &err) == ND_OK, "%s", err.message);
    CHECK(nd_dlpack_view(made, options, &out, &err) == ND_OK, "%s", err.message);
    nd_dlpack_accept(made, options, &out);
    CHECK(out.storage == v.storage && out.size == 1000 && out.dtype == ND_F32, "the same");
    CHECK(v.storage->exports == 0, "it was consumed");
    nd_view_drop(&out), nd_view_drop(&v);
  }
  group("one whose storage was freed in the meantime is memory of others, once home, too");
  const nd_mem_stats before = stats_of(nd_host_resource());
  nd_view v = make_line(1000, ND_U8), out;
  void *made = NULL;
  memset(v.storage->host, 3, 1000);
  CHECK(nd_dlpack_export(&v, &newer, &made, &err) == ND_OK, "%s", err.message);
  CHECK(nd_storage_free(v.storage, &err) == ND_OK, "free");
  CHECK(nd_dlpack_view(made, &newer, &out, &err) == ND_OK, "%s", err.message);
  nd_dlpack_accept(made, &newer, &out);
  CHECK(out.storage != v.storage && out.storage->host[999] == 3, "the bytes are there");
  CHECK(stats_of(nd_host_resource()).held_count.now == before.held_count.now + 1, "held");
  nd_view_drop(&out), nd_view_drop(&v);
  CHECK(stats_of(nd_host_resource()).live.now == before.live.now, "bytes are left");
  CHECK(stats_of(nd_host_resource()).held.now == before.held.now, "held bytes are left");
}

/* {=== tensors of others ===} */

typedef struct {
  nd_dlpack_versioned now;
  int64_t shape[ND_MAX_NDIM + 1], strides[ND_MAX_NDIM + 1];
  float data[24];
  int deleted;
} foreign;

static void delete_foreign(nd_dlpack_versioned *self) { ((foreign *)self->context)->deleted++; }

/* 2 x 3 x 4 elements of f32, packed. */
static void reset(foreign *f) {
  *f = (foreign){.shape = {2, 3, 4}, .strides = {12, 4, 1}};
  f->now = (nd_dlpack_versioned){.major = 1,
                                 .minor = 3,
                                 .context = f,
                                 .deleter = delete_foreign,
                                 .tensor = {.data = f->data,
                                            .device = {1, 0},
                                            .ndim = 3,
                                            .dtype = {2, 32, 1},
                                            .shape = f->shape,
                                            .strides = f->strides}};
  for (int i = 0; i < 24; i++) f->data[i] = (float)i;
}

static bool take_in(foreign *f, nd_view *out) {
  if (nd_dlpack_view(&f->now, &newer, out, &err) != ND_OK) return false;
  nd_dlpack_accept(&f->now, &newer, out);
  return true;
}

static float float_at(const nd_view *v, size_t i, size_t j, size_t k) {
  float out;
  memcpy(&out, element(v, (size_t[]){i, j, k}), sizeof out);
  return out;
}

static void check_taken(foreign *f, float first, float last) {
  nd_view v;
  const bool is_taken = take_in(f, &v);
  CHECK(is_taken, "%s", err.message);
  if (!is_taken) return;
  CHECK(float_at(&v, 0, 0, 0) == first && float_at(&v, 1, 2, 3) == last, "%g to %g",
        (double)float_at(&v, 0, 0, 0), (double)float_at(&v, 1, 2, 3));
  CHECK(v.is_read_only == (f->now.flags == ND_DLPACK_READ_ONLY), "as they say");
  CHECK(nd_storage_is_punned(v.storage) != v.is_read_only, "their own views of it exist");
  CHECK(f->deleted == 0, "in use");
  nd_view second;
  nd_view_copy(&v, &second);
  nd_view_drop(&v);
  CHECK(f->deleted == 0, "in use");
  nd_view_drop(&second);
  CHECK(f->deleted == 1, "deleted %d times", f->deleted);
}

static void spec_in(void) {
  group("tensors of others are taken as they are, and deleted once");
  static foreign f;
  reset(&f);
  check_taken(&f, 0, 23);
  reset(&f);
  f.now.tensor.strides = NULL;
  check_taken(&f, 0, 23);
  reset(&f); /* backwards, from the last element */
  f.now.tensor.byte_offset = 23 * sizeof(float);
  for (int i = 0; i < 3; i++) f.strides[i] = -f.strides[i];
  check_taken(&f, 23, 0);
  reset(&f);
  f.now.flags = ND_DLPACK_READ_ONLY;
  check_taken(&f, 0, 23);
  reset(&f); /* not aligned */
  memmove((char *)f.data + 1, f.data, sizeof f.data - 1);
  f.shape[0] = 1;
  f.now.tensor.byte_offset = 1;
  nd_view v;
  CHECK(take_in(&f, &v) && float_at(&v, 0, 2, 3) == 11, "%s", err.message);
  nd_view_drop(&v);
  reset(&f); /* strides of extents 1 and 0 are not looked at */
  f.shape[0] = 1, f.strides[0] = INT64_MIN;
  CHECK(take_in(&f, &v) && v.size == 12 && nd_view_is_contiguous(&v), "%s", err.message);
  nd_view_drop(&v);
  reset(&f);
  f.shape[1] = 0, f.strides[2] = INT64_MAX, f.now.tensor.data = NULL;
  CHECK(take_in(&f, &v) && v.size == 0, "%s", err.message);
  nd_view_drop(&v);
  CHECK(f.deleted == 1, "deleted %d times", f.deleted);
  reset(&f);
  f.now.deleter = NULL;
  CHECK(take_in(&f, &v), "%s", err.message);
  nd_view_drop(&v);
}

typedef struct {
  const char *name;
  nd_status expected;
  void (*spoil)(foreign *f);
} bad;

static void spoil_major(foreign *f) {
  f->now.major = 2;
  memset(&f->now.tensor, 0xA5, sizeof f->now.tensor); /* of which nothing is known then */
}
static void spoil_lanes(foreign *f) { f->now.tensor.dtype.lanes = 2; }
static void spoil_no_lanes(foreign *f) { f->now.tensor.dtype.lanes = 0; }
static void spoil_code(foreign *f) { f->now.tensor.dtype.code = 17; }
static void spoil_bits(foreign *f) { f->now.tensor.dtype.bits = 24; }
static void spoil_axes(foreign *f) { f->now.tensor.ndim = 17; }
static void spoil_no_axes(foreign *f) { f->now.tensor.ndim = -1; }
static void spoil_extent(foreign *f) { f->shape[1] = -3; }
static void spoil_shape(foreign *f) { f->now.tensor.shape = NULL; }
static void spoil_data(foreign *f) { f->now.tensor.data = NULL; }
static void spoil_product(foreign *f) { f->shape[0] = f->shape[1] = INT64_C(1) << 40; }
static void spoil_empty_product(foreign *f) {
  f->shape[0] = f->shape[1] = INT64_C(1) << 40, f->shape[2] = 0;
}
static void spoil_stride(foreign *f) { f->strides[0] = INT64_MAX / 2; }
static void spoil_least_stride(foreign *f) { f->strides[0] = INT64_MIN; }
static void spoil_sum(foreign *f) { f->strides[0] = f->strides[1] = INT64_MAX / 8; }
static void spoil_both_sides(foreign *f) { /* each of them fits */
  f->strides[0] = -(INT64_MAX / 4), f->strides[1] = INT64_MAX / 8;
}
static void spoil_start(foreign *f) { f->strides[0] = -(INT64_MAX / 32); }
static void spoil_offset(foreign *f) { f->now.tensor.byte_offset = UINT64_MAX - 8; }
static void spoil_end(foreign *f) { f->now.tensor.data = (void *)(UINTPTR_MAX - 50); }
static void spoil_device(foreign *f) { f->now.tensor.device.type = 10; }
static void spoil_unknown(foreign *f) { f->now.tensor.device.type = -7; }

static void spec_bad(void) {
  group("tensors that make no sense, or that we cannot use, are refused, and still the caller's");
  static const bad cases[] = {{"major", ND_UNSUPPORTED, spoil_major},
                              {"lanes", ND_UNSUPPORTED, spoil_lanes},
                              {"no lanes", ND_UNSUPPORTED, spoil_no_lanes},
                              {"code", ND_UNSUPPORTED, spoil_code},
                              {"bits", ND_UNSUPPORTED, spoil_bits},
                              {"axes", ND_UNSUPPORTED, spoil_axes},
                              {"no axes", ND_UNSUPPORTED, spoil_no_axes},
                              {"extent", ND_FORMAT, spoil_extent},
                              {"shape", ND_FORMAT, spoil_shape},
                              {"data", ND_FORMAT, spoil_data},
                              {"product", ND_OVERFLOW, spoil_product},
                              {"empty product", ND_OVERFLOW, spoil_empty_product},
                              {"stride", ND_OVERFLOW, spoil_stride},
                              {"least stride", ND_OVERFLOW, spoil_least_stride},
                              {"sum", ND_OVERFLOW, spoil_sum},
                              {"both sides", ND_OVERFLOW, spoil_both_sides},
                              {"start", ND_OVERFLOW, spoil_start},
                              {"offset", ND_OVERFLOW, spoil_offset},
                              {"end", ND_OVERFLOW, spoil_end},
                              {"device", ND_UNSUPPORTED, spoil_device},
                              {"unknown", ND_UNSUPPORTED, spoil_unknown}};
  static foreign f;
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    nd_view v = {.storage = NULL};
    reset(&f);
    cases[i].spoil(&f);
    err.message[0] = 0;
    const nd_status status = nd_dlpack_view(&f.now, &newer, &v, &err);
    CHECK(status == cases[i].expected, "%s: %s", cases[i].name, nd_status_name(status));
    CHECK(f.deleted == 0 && !v.storage && strstr(err.message, "tensor: "), "%s: %s", cases[i].name,
          err.message);
    CHECK(i > 0 || strstr(err.message, "version 2.3"), "%s", err.message);
    CHECK(cases[i].spoil != spoil_stride || strstr(err.message, "axis 1, 4611686018427387903 "),
          "%s", err.message);
  }
  CHECK(strstr(err.message, "-7"), "%s", err.message);
}

static void spec_unaccepted(void) {
  group("a view of a tensor that was not accepted leaves it to its owner");
  static foreign f;
  nd_view v;
  reset(&f);
  CHECK(nd_dlpack_view(&f.now, &newer, &v, &err) == ND_OK, "%s", err.message);
  nd_view_drop(&v);
  CHECK(f.deleted == 0, "deleted");
}

/* {=== threads ===} */

enum { THREADS = 4 };

/* Deletes tensors that others made, while their arrays are freed, dropped and exported again. */
static _Atomic(void *) parcels[THREADS];
static atomic_int wrong;

static void *trade(void *unused) {
  (void)unused;
  uint64_t seed = (uint64_t)(uintptr_t)&seed;
  for (size_t i = 0; i < scaled(5000); i++) {
    nd_view v = make_line(1 + next_random(&seed) % 3000, ND_U8), out;
    void *made = NULL;
    wrong += nd_dlpack_export(&v, &newer, &made, NULL) != ND_OK;
    if (next_random(&seed) % 2) nd_storage_free(v.storage, NULL);
    nd_view_drop(&v);
    made = atomic_exchange(&parcels[next_random(&seed) % THREADS], made);
    if (!made) continue;
    if (next_random(&seed) % 2) {
      delete_tensor(made, false);
      continue;
    }
    wrong += nd_dlpack_view(made, &newer, &out, NULL) != ND_OK;
    nd_dlpack_accept(made, &newer, &out);
    wrong += out.storage->host[out.size - 1] != 0;
    nd_view_drop(&out);
  }
  return NULL;
}

static void spec_threads(void) {
  group("tensors are deleted by threads that did not make them");
  const nd_mem_stats before = stats_of(nd_host_resource());
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, trade, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++)
    if (parcels[i]) delete_tensor(parcels[i], false);
  const nd_mem_stats after = stats_of(nd_host_resource());
  CHECK(wrong == 0, "%d calls", wrong);
  CHECK(after.live.now == before.live.now && after.held.now == before.held.now, "bytes are left");
}

int main(void) {
  if (nd_init(&err)) return 2;
  spec_exports();
  spec_out();
  spec_refused();
  spec_home();
  spec_in();
  spec_bad();
  spec_unaccepted();
  spec_threads();
  return finish();
}
