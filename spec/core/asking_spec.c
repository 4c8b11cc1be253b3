/* What views say of themselves and of each other: overlap, shapes as text, extreme windows. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bind/slice.h"
#include "check.h"
#include "mem/file.h"
#include "mem/foreign.h"
#include "ops/ops.h"

static nd_view bytes_of(nd_resource *from, size_t bytes) {
  nd_storage *s;
  nd_view v;
  if (nd_storage_make(from, bytes, (nd_storage_options){0}, &s, NULL) != ND_OK ||
      nd_view_make(s, 0, ND_U8, 1, &bytes, NULL, &v, NULL) != ND_OK)
    abort();
  nd_resource_drop(from);
  nd_storage_drop(s);
  return v;
}

static nd_view wrap(char *at, size_t bytes) {
  nd_resource *foreign;
  if (nd_foreign_resource(at, bytes, NULL, NULL, &foreign, NULL) != ND_OK) abort();
  return bytes_of(foreign, bytes);
}

static nd_view map(const char *path, size_t offset, size_t bytes) {
  const nd_map_options options = {.mode = ND_MAP_WRITE, .offset = offset};
  nd_resource *file;
  if (nd_file_resource(path, &options, &file, NULL) != ND_OK) abort();
  return bytes_of(file, bytes);
}

/* Windows of 'v' and 'w', whose bytes begin 'apart' bytes from each other, byte by byte. */
static void check_windows(const nd_view *v, const nd_view *w, ptrdiff_t apart) {
  enum { MOST = 6 };
  for (size_t i = 0; i < MOST; i++)
    for (size_t n = 0; n < 3; n++)
      for (size_t k = 0; k < MOST; k++) {
        nd_view a, b;
        CHECK(nd_view_narrow(v, 0, i, n, &a, NULL) == ND_OK, "a");
        CHECK(nd_view_narrow(w, 0, k, 2, &b, NULL) == ND_OK, "b");
        const ptrdiff_t x = (ptrdiff_t)i, y = (ptrdiff_t)k + apart, m = (ptrdiff_t)n;
        const bool expected = m > 0 && x < y + 2 && y < x + m;
        CHECK(nd_view_may_overlap(&a, &b) == expected && nd_view_may_overlap(&b, &a) == expected,
              "%zu B from %zu, 2 B from %zu, %td apart", n, i, k, apart);
        nd_view_drop(&a), nd_view_drop(&b);
      }
}

static void spec_overlap(void) {
  group("windows of one piece of memory overlap where they share a byte, however it came here");
  char memory[16] = {0}, path[] = "/tmp/ndbuf-asking-XXXXXX";
  const int fd = mkstemp(path);
  if (fd < 0 || ftruncate(fd, 16)) abort();
  for (size_t apart = 0; apart < 4; apart++) {
    nd_view v = wrap(memory, 12), w = wrap(memory + apart, 12);
    check_windows(&v, &w, (ptrdiff_t)apart);
    check_windows(&w, &v, -(ptrdiff_t)apart);
    check_windows(&v, &v, 0);
    nd_view_drop(&v), nd_view_drop(&w);
    v = map(path, 0, 12), w = map(path, apart, 12);
    check_windows(&v, &w, (ptrdiff_t)apart);
    check_windows(&w, &v, -(ptrdiff_t)apart);
    nd_view_drop(&v), nd_view_drop(&w);
  }
  close(fd), unlink(path);
}

/* Every view of three elements at most on two axes, against the addresses themselves. */
static void spec_overlap_itself(void) {
  group("a view overlaps itself where two of its elements may share a byte");
  char memory[128];
  nd_view v = wrap(memory, sizeof memory);
  for (size_t n = 1; n <= 3; n++)
    for (ptrdiff_t outer = 0; outer <= 8; outer++)
      for (ptrdiff_t inner = 1; inner <= 4; inner++) {
        const size_t shape[] = {n, 2};
        const ptrdiff_t steps[] = {outer, inner};
        nd_view w;
        CHECK(nd_view_as_strided(&v, 2, shape, steps, 0, &w, NULL) == ND_OK, "view");
        bool shares = false;
        for (size_t i = 0; i < 2 * n; i++)
          for (size_t k = 0; k < i; k++)
            shares |= (ptrdiff_t)(i / 2) * outer + (ptrdiff_t)(i % 2) * inner ==
                      (ptrdiff_t)(k / 2) * outer + (ptrdiff_t)(k % 2) * inner;
        const bool is_apart = n == 1 || outer > inner || (n - 1) * (size_t)outer < (size_t)inner;
        if (shares) CHECK(nd_view_overlaps_itself(&w), "%zu by %td, 2 by %td", n, outer, inner);
        if (is_apart && (outer > 0 || n == 1))
          CHECK(!nd_view_overlaps_itself(&w), "%zu by %td, 2 by %td", n, outer, inner);
        nd_view_drop(&w);
      }
  nd_view_drop(&v);
}

static void spec_text(void) {
  group("a shape that is too long for its text ends in an ellipsis");
  char text[16];
  nd_axis axis[ND_MAX_NDIM];
  for (int i = 0; i < ND_MAX_NDIM; i++) axis[i] = (nd_axis){1000, 1};
  CHECK(strcmp(nd_shape_text(2, axis, text, sizeof text), "1000x1000") == 0, "%s", text);
  CHECK(strcmp(nd_shape_text(3, axis, text, sizeof text), "1000x1000x1000") == 0, "%s", text);
  CHECK(strcmp(nd_shape_text(4, axis, text, sizeof text), "1000x1000x10…") == 0, "%s", text);
  CHECK(strcmp(nd_shape_text(0, axis, text, sizeof text), "scalar") == 0, "%s", text);
}

static void spec_extremes(void) {
  group("steps and windows at the ends of their range");
  char memory[16];
  nd_error err;
  bool is_element;
  nd_view v = wrap(memory, sizeof memory), wide, out;
  CHECK(nd_view_unfold(&v, 0, 16, SIZE_MAX / 4, &out, &err) == ND_OK, "one window: %s",
        err.message);
  CHECK(out.axis[0].len == 1 && out.axis[1].len == 16 && out.axis[1].step == 1, "its axes");
  nd_view_drop(&out);
  CHECK(nd_view_make(v.storage, 0, ND_U16, 1, (const size_t[]){8}, NULL, &wide, NULL) == ND_OK &&
            nd_view_unfold(&wide, 0, 8, SIZE_MAX / 2, &out, NULL) == ND_OK,
        "one window, whose step in bytes would overflow");
  nd_view_drop(&out), nd_view_drop(&wide);
  const ndb_slice least = {.kind = ND_INDEX_RANGE, .step = INT64_MIN};
  nd_index range;
  CHECK(ndb_slice_resolve(&v, 1, &least, &range, &err) == ND_INVALID_ARGUMENT, "least step");
  range = (nd_index){.kind = ND_INDEX_RANGE, .first = 15, .len = 1, .step = PTRDIFF_MIN};
  CHECK(nd_view_index(&v, 1, &range, &out, &is_element, &err) == ND_OK && out.size == 1 &&
            out.offset == 15,
        "the next one");
  nd_view_drop(&out);
  nd_view_drop(&v);
}

static void spec_one_element(void) {
  group("a range of one element keeps the axis' step, with the range's sign");
  char memory[16];
  nd_view v = wrap(memory, sizeof memory), out;
  bool is_element;
  for (int sign = -1; sign <= 1; sign += 2) {
    const nd_index range = {.kind = ND_INDEX_RANGE, .first = 2, .len = 1, .step = 5 * sign};
    CHECK(nd_view_index(&v, 1, &range, &out, &is_element, NULL) == ND_OK, "index");
    CHECK(out.offset == 2 && out.size == 1 && out.axis[0].step == sign, "step %td",
          out.axis[0].step);
    nd_view_drop(&out);
  }
  nd_view_drop(&v);
}

int main(void) {
  spec_overlap();
  spec_overlap_itself();
  spec_text();
  spec_extremes();
  spec_one_element();
  return finish();
}
