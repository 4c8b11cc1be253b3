/* Elementwise kernels: the same bits whatever the steps, the place, the level and the threads; what
 * they refuse; nothing is lost where memory is refused. Values are compared with NumPy in
 * spec/ops/elementwise_spec.lua. */
#include "kern/elementwise.h"

#include "dev/threads.h"
#include "levels.h"
#include "ndbuf.h"

#include "arrays.h"

enum { COUNT = 150, ROOM = COUNT * (WIDEST + 3) + 1, SIDES = 4 };

static const char *name_of(nd_dtype dtype) { return nd_dtype_get(dtype)->name; }

static nd_dtype side_dtype(nd_op op, nd_dtype dtype, int side) {
  if (side == 0 && nd_op_get(op)->result == ND_RESULT_BOOL) return ND_BOOL;
  if (side == 0 && nd_op_get(op)->result == ND_RESULT_PART) return nd_dtype_part(dtype);
  return side == 1 && op == ND_OP_WHERE ? ND_BOOL : dtype;
}

/* Random bits, small numbers among them; bools are any byte. */
static void fill_side(nd_dtype dtype, char *packed) {
  const size_t bytes = bytes_of(dtype);
  for (size_t i = 0; i < COUNT; i++) {
    uint64_t bits[2] = {next_random(&rng), next_random(&rng)};
    if (below(3) == 0) bits[0] &= 7, bits[1] = 0;
    if (dtype == ND_BOOL && below(2)) bits[0] &= 1;
    memcpy(packed + i * bytes, bits, bytes);
  }
}

/* NaNs may differ in sign and payload: which operand they come from is the processor's choice. */
static bool is_same(nd_dtype dtype, const char *x, const char *y) {
  if (memcmp(x, y, bytes_of(dtype)) == 0) return true;
  if (!format_of(dtype)) return false;
  const value a = read_value(dtype, x), b = read_value(dtype, y);
  const bool re = a.re == b.re || (a.re != a.re && b.re != b.re);
  return re && (a.im == b.im || (a.im != a.im && b.im != b.im));
}

typedef struct {
  nd_op op;
  nd_dtype dtype;
  ndi_kernel *kernel;
  char packed[SIDES][COUNT * WIDEST]; /* the operands; 0: results one by one */
} sample;

static nd_dtype sample_dtype(const sample *s, int side) {
  return side_dtype(s->op, s->dtype, side);
}

static void make_sample(sample *s) {
  const ptrdiff_t steps[SIDES] = {0};
  for (int i = 1; i <= nd_op_get(s->op)->operands; i++) fill_side(sample_dtype(s, i), s->packed[i]);
  for (size_t k = 0; k < COUNT; k++) {
    char *at[SIDES];
    for (int i = 0; i < SIDES; i++) at[i] = s->packed[i] + k * bytes_of(sample_dtype(s, i));
    s->kernel(1, at, steps);
  }
}

/* The first 'n' elements in these layouts; one with a step of 0 repeats its first element. */
static void check_layouts(const sample *s, size_t n, const layout *const *which) {
  static char memory[SIDES][ROOM], want[COUNT * WIDEST];
  char *at[SIDES];
  ptrdiff_t step[SIDES];
  const int count = nd_op_get(s->op)->operands + 1;
  memset(memory[0], 0x55, sizeof memory[0]);
  for (int i = 0; i < count; i++) {
    const size_t bytes = bytes_of(sample_dtype(s, i));
    step[i] = step_of(which[i], bytes);
    if (i == 0) at[i] = first_of(which[i], n, bytes, memory[i]);
    else if (step[i] == 0) memcpy(at[i] = memory[i], s->packed[i], bytes);
    else at[i] = lay_out(which[i], n, bytes, s->packed[i], memory[i]);
  }
  const size_t bytes = bytes_of(sample_dtype(s, 0));
  for (size_t k = 0; k < n; k++) {
    char *one[SIDES] = {want + k * bytes};
    for (int i = 1; i < count; i++) one[i] = at[i] + (ptrdiff_t)k * step[i];
    s->kernel(1, one, step);
  }
  s->kernel(n, at, step);
  for (size_t k = 0; k < n; k++)
    CHECK(is_same(sample_dtype(s, 0), at[0] + (ptrdiff_t)k * step[0], want + k * bytes),
          "%s %s: element %zu of %zu, %s to %s", nd_op_get(s->op)->name, name_of(s->dtype), k, n,
          which[1]->name, which[0]->name);
}

/* z is the first operand of its own dtype, or the last. */
static void check_in_place(const sample *s) {
  static char memory[SIDES][COUNT * WIDEST];
  const int count = nd_op_get(s->op)->operands + 1;
  char *at[SIDES];
  ptrdiff_t step[SIDES];
  if (sample_dtype(s, 0) != s->dtype) return;
  for (int own = s->op == ND_OP_WHERE ? 2 : 1; own < count; own++) {
    for (int i = 1; i < count; i++) {
      memcpy(at[i] = memory[i], s->packed[i], sizeof memory[i]);
      step[i] = (ptrdiff_t)bytes_of(sample_dtype(s, i));
    }
    at[0] = at[own];
    step[0] = step[own];
    s->kernel(COUNT, at, step);
    for (size_t k = 0; k < COUNT; k++) {
      const size_t place = k * bytes_of(s->dtype);
      CHECK(is_same(s->dtype, at[0] + place, s->packed[0] + place), "%s %s in place: element %zu",
            nd_op_get(s->op)->name, name_of(s->dtype), k);
    }
  }
}

static bool is_vector_math(nd_op op) { return op >= ND_OP_EXP && op <= ND_OP_TANH; }

/* Packed operands at the level in use, against results of the lowest. */
static void check_level(const sample *s, int level) {
  static char own[COUNT * WIDEST];
  char *at[SIDES] = {own};
  ptrdiff_t step[SIDES];
  for (int i = 0; i < SIDES; i++) step[i] = (ptrdiff_t)bytes_of(sample_dtype(s, i));
  for (int i = 1; i < SIDES; i++) at[i] = (char *)(uintptr_t)s->packed[i];
  s->kernel(COUNT, at, step);
  for (size_t k = 0; k < COUNT; k++) {
    const size_t place = k * (size_t)step[0];
    CHECK(is_same(sample_dtype(s, 0), own + place, s->packed[0] + place), "%s %s, v%d: element %zu",
          nd_op_get(s->op)->name, name_of(s->dtype), level, k);
  }
}

/* The vector functions of one level differ from another's: their sample is made for each. */
static void check_kernel(nd_op op, nd_dtype dtype) {
  static sample s;
  s.op = op, s.dtype = dtype;
  for (size_t l = 0; l < ND_COUNTOF(levels); l++) {
    if (!use_level(levels[l])) continue;
    s.kernel = ndi_kernel_find(op, dtype);
    if (!s.kernel) return;
    if (l == 0 || is_vector_math(op)) make_sample(&s);
    check_level(&s, levels[l]);
    for (int round = 0; round < 20; round++) {
      const layout *which[SIDES];
      for (int i = 0; i < SIDES; i++)
        which[i] = &layouts[i == 0 ? below(3) : below(2) ? 0 : below(ND_COUNTOF(layouts))];
      if (below(2)) which[0] = &layouts[0];
      check_layouts(&s, below(4) ? below(COUNT + 1) : COUNT, which);
    }
    check_in_place(&s);
  }
}

static void spec_kernels(void) {
  for (int op = 0; op < ND_OP_COUNT; op++) {
    if (nd_op_get((nd_op)op)->group != ND_GROUP_ELEMENTWISE) continue;
    group(nd_op_get((nd_op)op)->name);
    int defined = 0;
    for (int dtype = 0; dtype < ND_DTYPE_COUNT; dtype++) {
      defined += ndi_kernel_find((nd_op)op, (nd_dtype)dtype) != NULL;
      check_kernel((nd_op)op, (nd_dtype)dtype);
    }
    CHECK(defined > 0, "no kernel at all");
  }
}

static void spec_operands(void) {
  group("operands that are refused");
  const struct {
    nd_op op;
    nd_dtype dtype;
    int64_t value;
    bool is_refused;
  } cases[] = {{ND_OP_IDIV, ND_I8, 0, true},    {ND_OP_MOD, ND_U64, 0, true},
               {ND_OP_MOD, ND_BOOL, 0, true},   {ND_OP_IDIV, ND_I16, -1, false},
               {ND_OP_POW, ND_I32, -1, true},   {ND_OP_POW, ND_I64, INT64_MIN, true},
               {ND_OP_POW, ND_I8, 0, false},    {ND_OP_SHL, ND_I8, -128, true},
               {ND_OP_SHR, ND_I16, 500, false}, {ND_OP_SHR, ND_I64, -1, true}};
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    const size_t bytes = bytes_of(cases[i].dtype);
    char y[5 * 8];
    memset(y, 1, sizeof y);
    memcpy(y + 3 * bytes, &cases[i].value, bytes);
    ndi_operand_check *check = ndi_operand_check_find(cases[i].op, cases[i].dtype);
    CHECK(check && check(5, y, (ptrdiff_t)bytes) == (cases[i].is_refused ? 3 : 5), "case %zu", i);
  }
  CHECK(!ndi_operand_check_find(ND_OP_POW, ND_U8), "no exponent of u8 is negative");
  CHECK(!ndi_operand_check_find(ND_OP_IDIV, ND_F32), "floats divide by 0");
  CHECK(!ndi_operand_check_find(ND_OP_ADD, ND_I32), "add takes all");
}

/* Threads share the work without a trace. */
static void spec_threads(void) {
  enum { LONG = 600 * 1000 + 7 };
  static const struct {
    nd_op op;
    nd_dtype dtype, other;
  } cases[] = {{ND_OP_EXP, ND_F32, ND_F32},
               {ND_OP_ADD, ND_F64, ND_I16},
               {ND_OP_MUL, ND_F16, ND_F16},
               {ND_OP_LT, ND_U8, ND_I32}};
  const size_t shape[] = {2, LONG / 2};
  const int threads = nd_threads_get();
  group("the same for every number of threads");
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    nd_view x[2], z[3];
    nd_error err = {.code = ND_OK};
    for (int k = 0; k < 2; k++) {
      char *host = NULL;
      const nd_dtype dtype = k ? cases[i].other : cases[i].dtype;
      nd_status status = nd_new(nd_host_resource(), dtype, 2, shape, (nd_storage_options){0}, &x[k],
                                &err);
      if (status == ND_OK) status = nd_view_host(&x[k], true, &host, &err);
      CHECK(status == ND_OK, "%s", err.message);
      for (size_t j = 0; host && j < x[k].storage->bytes; j++) {
        host[j] = (char)next_random(&rng);
        /* no NaN: of two, either may come out */
        if (k == 1 && dtype == ND_F16 && j % 2 == 1) host[j] &= 0x3f;
      }
    }
    const nd_operand operands[] = {{.array = &x[0]}, {.array = &x[1]}};
    for (int n = 0; n < 3; n++) {
      nd_threads_set(n + 1);
      CHECK(nd_elementwise(cases[i].op, operands, NULL, &z[n], &err) == ND_OK, "%s", err.message);
      if (n > 0)
        CHECK(memcmp(z[0].storage->host, z[n].storage->host, z[0].storage->bytes) == 0, "%s by %d",
              nd_op_get(cases[i].op)->name, n + 1);
    }
    for (int n = 0; n < 3; n++) nd_view_drop(&z[n]);
    for (int k = 0; k < 2; k++) nd_view_drop(&x[k]);
  }
  nd_threads_set(threads);
}

typedef struct {
  nd_op op;
  nd_dtype dtype;
} passing_case;

/* The same results past the caches as through them, at any address, and nothing beside them. */
static void check_passing(passing_case c) {
  enum { AROUND = 70 };
  const size_t n = (16 << 10) + below(3000), before = below(AROUND + 1), shape[] = {n + AROUND};
  nd_view all[SIDES + 1],
      of[SIDES + 1]; /* operands from 1 on; results: 0, and through the caches */
  nd_view unused;
  nd_operand operands[SIDES - 1];
  nd_error err = {.code = ND_OK};
  for (int i = 0; i <= SIDES; i++) {
    all[i] = make_packed(side_dtype(c.op, c.dtype, i % SIDES), 1, shape);
    if (i % SIDES > 0) fill_bytes(&all[i]);
    const size_t skipped = i % SIDES > 0 ? below(AROUND + 1) : before;
    if (nd_view_narrow(&all[i], 0, skipped, n, &of[i], NULL) != ND_OK) abort();
    if (i % SIDES > 0) operands[i - 1] = (nd_operand){.array = &of[i]};
  }
  for (int i = 0; i <= SIDES; i += SIDES) {
    atomic_store(&ndi_passes_from, i == 0 ? 0 : UINT64_MAX);
    CHECK(nd_elementwise(c.op, operands, &of[i], &unused, &err) == ND_OK, "%s", err.message);
  }
  for (size_t k = 0; k < shape[0]; k++)
    CHECK(is_same((nd_dtype)all[0].dtype, element(&all[0], &k), element(&all[SIDES], &k)),
          "%s %s: element %zu of %zu", nd_op_get(c.op)->name, name_of(c.dtype), k, n);
  for (int i = 0; i <= SIDES; i++) drop(&of[i]), drop(&all[i]);
}

static void spec_passing(void) {
  static const passing_case cases[] = {
      {ND_OP_ADD, ND_U8},     {ND_OP_NEG, ND_I16},     {ND_OP_MUL, ND_F32}, {ND_OP_BIT_XOR, ND_I64},
      {ND_OP_WHERE, ND_C128}, {ND_OP_MAXIMUM, ND_F64}, {ND_OP_LT, ND_U8},   {ND_OP_MUL, ND_C64}};
  const int threads = nd_threads_get();
  group("results that go past the caches");
  for (size_t l = 0; l < ND_COUNTOF(levels); l++)
    for (size_t i = 0; use_level(levels[l]) && i < 2 * ND_COUNTOF(cases); i++) {
      nd_threads_set(1 + 2 * (int)below(2));
      check_passing(cases[i % ND_COUNTOF(cases)]);
    }
  nd_threads_set(threads);
}

/* Every take is refused once. */
static void spec_refusals(void) {
  const size_t shape[] = {3, 4};
  failing *from = the_resource();
  nd_view x[2], out;
  nd_error err = {.code = ND_OK};
  group("nothing is lost where memory is refused");
  for (int k = 0; k < 2; k++)
    CHECK(nd_new(&from->base, k ? ND_C64 : ND_I16, 2, shape, (nd_storage_options){.zeroed = true},
                 &x[k], &err) == ND_OK,
          "%s", err.message);
  const uint64_t before = live_bytes();
  nd_view turned;
  CHECK(nd_view_flip(&x[1], 3, &turned, &err) == ND_OK, "%s", err.message);
  const nd_operand operands[] = {{.array = &turned}, {.array = &x[0]}};
  for (int into = 0; into < 2; into++)
    for (int refused = 0; refused < 10; refused++) {
      from->until_refusal = refused;
      const nd_status status = nd_elementwise(ND_OP_LOGICAL_OR, operands, into ? &x[1] : NULL, &out,
                                              &err);
      from->until_refusal = -1;
      if (status == ND_OK && !into) nd_view_drop(&out);
      CHECK(status == ND_OK || err.code == ND_CAPACITY, "%s", err.message);
      CHECK(live_bytes() == before, "%" PRIu64 " B", live_bytes() - before);
      if (status == ND_OK) break;
      CHECK(refused < 9, "it always fails");
    }
  nd_view_drop(&turned);
  for (int k = 0; k < 2; k++) nd_view_drop(&x[k]);
}

int main(void) {
  seed_from(4711);
  nd_init(NULL);
  const uint64_t before = live_bytes();
  spec_kernels();
  spec_operands();
  spec_threads();
  spec_passing();
  spec_refusals();
  group("nothing is left");
  CHECK(live_bytes() == before, "%" PRIu64 " B", live_bytes() - before);
  return finish();
}
