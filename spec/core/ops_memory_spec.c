/* What the operations leave behind when memory runs out half-way, was freed, or changes under them.
 */
#include <fcntl.h>
#include <unistd.h>

#include "arrays.h"
#include "base/call.h"
#include "mem/file.h"
#include "mem/foreign.h"
#include "mem/host.h"

/* {=== refused takes ===} */

/* Operands of every kind of trouble: scattered, of other dtypes, over one storage. */
typedef struct {
  nd_view v, same, index, mask, values, whole, whole_back, small;
} operands;

static void make_operands(operands *o) {
  const size_t shape[] = {4, 3}, n[] = {4}, rows[] = {2, 2, 3};
  index_of at;
  o->v = make_scattered(ND_F32, 2, shape), o->mask = make_scattered(ND_BOOL, 1, n);
  o->index = make_scattered(ND_U8, 2, (const size_t[]){2, 2}),
  o->values = make_scattered(ND_I8, 3, rows);
  o->whole = make_packed(ND_I64, 1, n), o->small = make_scattered(ND_F16, 2, shape);
  EACH(&o->index, at) set_number(&o->index, at, 1 + (long double)below(3));
  EACH(&o->whole, at) set_number(&o->whole, at, 1 + (long double)below(4));
  at[0] = 2;
  set_number(&o->mask, at, 1);
  if (nd_view_flip(&o->whole, 1, &o->whole_back, NULL) || nd_view_flip(&o->v, 3, &o->same, NULL))
    abort();
}

static void drop_operands(operands *o) {
  nd_view *all[] = {&o->v,      &o->same,  &o->index,      &o->mask,
                    &o->values, &o->whole, &o->whole_back, &o->small};
  for (size_t i = 0; i < ND_COUNTOF(all); i++) drop(all[i]);
}

/* Of two new arrays the second one is dropped. */
static int drop_other(nd_status status, nd_view *other) {
  if (status == ND_OK) nd_view_drop(other);
  return (int)status;
}

/* Order statistics, numbered from 0. */
static int run_order(int i, const operands *o, nd_view *out) {
  const nd_reduction how = {.axes = 1};
  nd_view other;
  switch (i) {
    case 0: return (int)nd_partition(ND_OP_PARTITION, &o->v, 0, &o->index, out, NULL);
    case 1: return (int)nd_partition(ND_OP_ARGPARTITION, &o->v, 0, &o->index, out, NULL);
    case 2: return drop_other(nd_topk(&o->v, 0, 2, true, true, out, &other, NULL), &other);
    case 3: return drop_other(nd_mode(&o->v, &how, out, &other, NULL), &other);
    case 4: return (int)nd_median(&o->v, &how, false, out, NULL);
    case 5:
      return (int)nd_quantile("percentile", &o->v, &how, &o->whole, 100, ND_QUANTILE_HAZEN, true,
                              out, NULL);
    default: return -1;
  }
}

/* Case 'i' on the operands; 'out' stays empty where nothing is made. -1: there is no such case. */
static int run_case(int i, const operands *o, nd_view *out) {
  const nd_view *parts[] = {&o->v, &o->small, &o->same};
  const size_t twos[] = {2, 2}, shape[] = {5};
  const nd_scalar zero = {.dtype = ND_U8};
  const nd_operand sides[] = {{.array = &o->v}, {.array = &o->small}};
  bool yes;
  nd_view row;
  if (nd_view_narrow(&o->v, 0, 0, 1, &row, NULL)) abort();
  nd_view_drop(&row); /* the storage stays with o->v */
  row.storage = o->v.storage;
  switch (i) {
    case 0:
      return (int)nd_new(&the_resource()->base, ND_F32, 1, shape,
                         (nd_storage_options){.zeroed = true}, out, NULL);
    case 1: return (int)nd_astype(&o->v, ND_I16, ND_CHECK, out, NULL);
    case 2: return (int)nd_take(&o->v, &o->index, 0, out, NULL);
    case 3: return (int)nd_take(&o->v, &o->index, 1, out, NULL);
    case 4: return (int)nd_put(&o->v, &o->index, &o->values, NULL);
    case 5: return (int)nd_put(&o->v, &o->index, &row, NULL);
    case 6: return (int)nd_put(&o->whole, &o->whole_back, &o->whole_back, NULL);
    case 7: return (int)nd_index_add(&o->v, 0, &o->index, &o->values, NULL);
    case 8: return (int)nd_mask_select(&o->v, &o->mask, out, NULL);
    case 9: return (int)nd_mask_assign(&o->v, &o->mask, &row, NULL);
    case 10: return (int)nd_concat(3, parts, 1, false, out, NULL);
    case 11: return (int)nd_concat(3, parts, 1, true, out, NULL);
    case 12: return (int)nd_tile(&o->v, 2, twos, out, NULL);
    case 13: return (int)nd_repeat(&o->v, 3, 1, out, NULL);
    case 14: return (int)nd_roll(&o->v, 1, 0, out, NULL);
    case 15: return (int)nd_pad(&o->v, twos, twos, &zero, out, NULL);
    case 16: return (int)nd_byteswap(&o->v, out, NULL);
    case 17: return (int)nd_equal(&o->v, &o->same, &yes, NULL);
    case 18: return (int)nd_allclose(&o->small, &o->v, 0, 0, &yes, NULL);
    case 19: return (int)nd_mask_select(&o->small, &o->mask, out, NULL);
    case 20: return (int)nd_mask_assign(&o->small, &o->mask, &row, NULL);
    case 21: return (int)nd_sort(&o->v, 0, false, out, NULL);
    case 22: return (int)nd_argsort(&o->v, 0, true, out, NULL);
    case 23: return (int)nd_reduce(ND_OP_VAR, &o->v, &(nd_reduction){.axes = 1}, out, NULL);
    case 24: return (int)nd_elementwise(ND_OP_ADD, sides, NULL, out, NULL);
    case 25: return (int)nd_searchsorted(&o->whole_back, &o->index, true, out, NULL);
    case 26: return (int)nd_bincount(&o->index, 1, 0, &o->index, out, NULL);
    case 27:
      return (int)nd_bincount(&o->index, 4, 0, NULL, out, NULL) == ND_INDEX_OUT_OF_RANGE
                 ? (int)nd_histogram(&o->index, &o->whole, false, &o->index, out, NULL)
                 : (int)ND_CAPACITY;
    case 28: return (int)nd_index_from_zero("put", &o->index, 5, out, NULL);
    default: return run_order(i - 29, o, out);
  }
}

/* The n-th take refused for n = 1, 2, … until the call succeeds. Returns how many were refused, and
 * how many takes the call makes. */
static int refuse_in_turn(int i, const operands *o, int *found) {
  const uint64_t bytes = live_bytes(), blocks = live_blocks();
  int status = ND_CAPACITY, n = 0;
  for (; status == ND_CAPACITY && n < 50; n++) {
    nd_view out = {.storage = NULL};
    the_resource()->until_refusal = n;
    the_resource()->takes = 0;
    status = run_case(i, o, &out);
    the_resource()->until_refusal = -1;
    *found = the_resource()->takes;
    CHECK((status == ND_OK) || (status == ND_CAPACITY && !out.storage), "case %d, take %d: %s", i,
          n + 1, nd_status_name((nd_status)status));
    nd_view_drop(&out);
    CHECK(live_bytes() == bytes && live_blocks() == blocks, "case %d, take %d: %" PRIu64 " B left",
          i, n + 1, live_bytes() - bytes);
  }
  return n - 1;
}

static void spec_failing_memory(void) {
  group("a refused take leaves nothing behind");
  operands o;
  nd_view none = {.storage = NULL};
  int found = 0, failed = 0;
  make_operands(&o);
  for (int i = 0; i == 0 || run_case(i, &o, &none) >= 0; i++) {
    nd_view_drop(&none);
    int sites;
    const int refused = refuse_in_turn(i, &o, &sites);
    CHECK(refused >= (i == 17 ? 0 : 1), "case %d took %d", i, refused);
    CHECK(refused == sites, "case %d: %d sites found, %d failed", i, sites, refused);
    found += sites, failed += refused;
  }
  printf("# %d sites found, %d failed\n", found, failed);
  drop_operands(&o);
}

static void spec_freed(void) {
  group("freed arrays are refused, empty ones too");
  const size_t shapes[][1] = {{4}, {0}};
  for (size_t i = 0; i < 2; i++) {
    nd_view v = make_packed(ND_I64, 1, shapes[i]), good = make_packed(ND_I64, 1, shapes[i]), out;
    nd_view mask = make_packed(ND_BOOL, 1, shapes[i]);
    const nd_view *parts[] = {&good, &v};
    const nd_reduction how = {.axes = 1};
    bool yes;
    if (nd_storage_free(v.storage, NULL)) abort();
    const nd_status got[] = {
        nd_take(&v, &mask, 0, &out, NULL),
        nd_take(&good, &v, 0, &out, NULL),
        nd_put(&v, &good, &good, NULL),
        nd_put(&good, &good, &v, NULL),
        nd_mask_select(&v, &mask, &out, NULL),
        nd_mask_assign(&v, &mask, &good, NULL),
        nd_concat(2, parts, 0, false, &out, NULL),
        nd_tile(&v, 0, NULL, &out, NULL),
        nd_roll(&v, 1, 0, &out, NULL),
        nd_repeat(&v, 2, 0, &out, NULL),
        nd_byteswap(&v, &out, NULL),
        nd_equal(&v, &good, &yes, NULL),
        nd_equal(&good, &v, &yes, NULL),
        nd_allclose(&v, &good, 0, 0, &yes, NULL),
        nd_range(&v, 0, 1, NULL),
        nd_astype(&v, ND_F32, ND_SATURATE, &out, NULL),
        nd_searchsorted(&v, &good, false, &out, NULL),
        nd_searchsorted(&good, &v, false, &out, NULL),
        nd_bincount(&v, 1, 0, NULL, &out, NULL),
        nd_bincount(&good, 0, 0, &v, &out, NULL),
        nd_histogram(&v, &good, false, NULL, &out, NULL),
        nd_index_from_zero("put", &v, 3, &out, NULL),
        nd_sort_into(&v, 0, false, &good, NULL),
        nd_argsort_into(&good, 0, false, &v, NULL),
        nd_partition(ND_OP_PARTITION, &v, 0, &good, &out, NULL),
        nd_topk(&v, 0, 0, true, true, &out, &out, NULL),
        nd_mode(&v, &how, &out, &out, NULL),
        nd_median(&v, &how, false, &out, NULL),
        nd_quantile("quantile", &v, &how, &good, 1, ND_QUANTILE_LINEAR, false, &out, NULL),
        nd_quantile("quantile", &good, &how, &v, 1, ND_QUANTILE_LINEAR, false, &out, NULL)};
    for (size_t k = 0; k < ND_COUNTOF(got); k++)
      CHECK(got[k] == ND_FREED || (k == 3 && i == 0), "%zu of %zu: %s", k, shapes[i][0],
            nd_status_name(got[k]));
    drop(&v), drop(&good), drop(&mask);
  }
}

/* {=== memory of others ===} */

/* A lazy array over memory that is not ours, or over a file: its address is known after the first
 * use. */
static nd_view make_over(nd_resource *resource, size_t n) {
  nd_view v;
  if (nd_new(resource, ND_I64, 1, &n, (nd_storage_options){.lazy = true}, &v, NULL)) abort();
  nd_resource_drop(resource);
  return v;
}

static nd_view wrap(int64_t *memory, size_t n) {
  nd_resource *foreign;
  if (nd_foreign_resource(memory, n * sizeof *memory, NULL, NULL, &foreign, NULL)) abort();
  return make_over(foreign, n);
}

static void spec_wrapped_twice(void) {
  group("two arrays over one memory overlap, also before their first use");
  int64_t memory[] = {1, 2, 3, 4, 5};
  const size_t n[] = {5};
  nd_view a = wrap(memory, 5), b = wrap(memory, 5), back, index = make_packed(ND_I64, 1, n);
  if (nd_view_flip(&b, 1, &back, NULL)) abort();
  CHECK(nd_range_integer(&index, 1, 1, NULL) == ND_OK, "index");
  CHECK(nd_put(&a, &index, &back, NULL) == ND_OK, "put");
  for (int i = 0; i < 5; i++) CHECK(memory[i] == 5 - i, "element %d", i);
  drop(&a), drop(&b), drop(&back), drop(&index);
}

/* Five i64: 1 to 5. */
static void make_file(char *path) {
  const int64_t content[] = {1, 2, 3, 4, 5};
  const int file = mkstemp(path);
  if (file < 0 || write(file, content, sizeof content) != (ssize_t)sizeof content) abort();
  close(file);
}

static nd_view map_file(const char *path) {
  const nd_map_options options = {.mode = ND_MAP_READ};
  nd_resource *file;
  if (nd_file_resource(path, &options, &file, NULL)) abort();
  return make_over(file, 5);
}

/* Another process that writes the file the moment the result is allocated. */
static void rewrite(void *context, const nd_resource *from, size_t bytes) {
  (void)from;
  const int64_t wild = INT64_C(1) << 40;
  if (bytes == 5 * sizeof(float) &&
      pwrite(*(int *)context, &wild, sizeof wild, 8) != (ssize_t)sizeof wild)
    abort();
}

static void spec_changing_index(void) {
  group("an index that changes in its file after the check does no harm");
  char path[] = "/tmp/ndbuf_ops_XXXXXX";
  const size_t n[] = {5};
  index_of at;
  make_file(path);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  const nd_call call = {.context = &file, .before_take = rewrite};
  nd_view index = map_file(path), src = make_packed(ND_F32, 1, n), out;
  fill_numbers(&src, 8);
  const nd_call *former = nd_call_set(&call);
  const nd_status status = nd_take(&src, &index, 0, &out, NULL);
  nd_call_set(former);
  at[0] = 1;
  CHECK(status == ND_OK && same_bytes(&out, &src) && number_at(&index, at) > 5, "%s",
        nd_status_name(status));
  if (status == ND_OK) drop(&out);
  close(file), unlink(path);
  drop(&index), drop(&src);
}

static void spec_beside(size_t length) { /* small arrays have a way of their own */
  group("a result is in the memory of the first array among the operands");
  const size_t n[] = {length};
  nd_view ours = make_packed(ND_F32, 1, n), hosts, out;
  if (nd_new(nd_host_resource(), ND_F32, 1, n, (nd_storage_options){.zeroed = true}, &hosts, NULL))
    abort();
  for (int i = 0; i < 2; i++) {
    const nd_view *first = i ? &ours : &hosts;
    const nd_operand sides[] = {{.array = first}, {.array = i ? &hosts : &ours}};
    CHECK(nd_elementwise(ND_OP_SUB, sides, NULL, &out, NULL) == ND_OK, "elementwise");
    CHECK(out.storage->resource == first->storage->resource, "%d", i);
    drop(&out);
  }
  drop(&ours), drop(&hosts);
}

int main(void) {
  seed_from(20263);
  const uint64_t before = live_bytes();
  spec_failing_memory();
  spec_freed();
  spec_wrapped_twice();
  spec_changing_index();
  spec_beside(4);
  spec_beside(4000);
  group("nothing is left");
  CHECK(live_bytes() == before, "%" PRIu64 " B", live_bytes() - before);
  return finish();
}
