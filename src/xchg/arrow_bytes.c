/* Sizes by Arrow's format strings: https://arrow.apache.org/docs/format/CDataInterface.html */
#include "xchg/arrow_bytes.h"

#include <stdlib.h>
#include <string.h>

/* Elements of a fixed size, by the beginning of the format; the first that fits. */
static const struct {
  const char *format;
  size_t bits;
} widths[] = {{"b", 1},    {"c", 8},    {"C", 8},    {"s", 16},   {"S", 16},   {"e", 16},
              {"i", 32},   {"I", 32},   {"f", 32},   {"l", 64},   {"L", 64},   {"g", 64},
              {"d:", 128}, {"tdD", 32}, {"tts", 32}, {"ttm", 32}, {"tiM", 32}, {"tin", 128},
              {"t", 64},   {"+ud", 40}, {"+us", 8},  {"+vl", 64}, {"+vL", 128}};

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static size_t width_of(const char *format) {
  if (begins(format, "w:")) return 8 * (size_t)strtoul(format + 2, NULL, 10);
  for (size_t i = 0; i < ND_COUNTOF(widths); i++)
    if (begins(format, widths[i].format)) return widths[i].bits;
  return 0;
}

/* What lies between the offsets of the first element and of the one behind the last. */
typedef struct {
  size_t first, count;
} span;

/* It may be misaligned. */
static int64_t number_at(const void *list, size_t i, bool is_large) {
  int64_t large = 0;
  int32_t small = 0;
  if (is_large) memcpy(&large, (const char *)list + i * sizeof large, sizeof large);
  else memcpy(&small, (const char *)list + i * sizeof small, sizeof small);
  return is_large ? large : small;
}

/* Of an array that has so many buffers; another is none of its type. */
static span span_of(const struct ArrowArray *a, int64_t buffers, bool is_large, size_t first,
                    size_t rows) {
  const void *offsets = a->n_buffers == buffers ? a->buffers[1] : NULL;
  if (!offsets || rows == 0) return (span){0, 0};
  const int64_t from = number_at(offsets, first, is_large);
  const int64_t to = number_at(offsets, first + rows, is_large);
  return from < 0 || to < from ? (span){0, 0} : (span){(size_t)from, (size_t)(to - from)};
}

/* The data of strings that are viewed: its last buffer has the sizes of those in the middle. */
static size_t bytes_of_views(const struct ArrowArray *a, size_t rows) {
  const int64_t count = a->n_buffers - 3; /* validity, views and sizes */
  size_t bytes = 16 * rows;
  const void *sizes = count > 0 ? a->buffers[a->n_buffers - 1] : NULL;
  for (int64_t i = 0; sizes && i < count; i++) {
    const int64_t size = number_at(sizes, (size_t)i, true);
    bytes += size > 0 ? (size_t)size : 0;
  }
  return bytes;
}

static size_t bytes_of_parts(const struct ArrowSchema *s, const struct ArrowArray *a,
                             const span *part) {
  size_t bytes = 0;
  for (int64_t i = 0; i < a->n_children; i++) {
    const struct ArrowArray *child = a->children[i];
    const bool fits = part && part->first <= (size_t)child->length &&
                      part->count <= (size_t)child->length - part->first;
    bytes += ndi_arrow_bytes(s->children[i], child, fits ? part->first : 0,
                             fits ? part->count : (size_t)child->length);
  }
  return bytes;
}

size_t ndi_arrow_bytes(const struct ArrowSchema *s, const struct ArrowArray *a, size_t first,
                       size_t rows) {
  const char *const format = s->format;
  const bool is_large = begins(format, "U") || begins(format, "Z") || begins(format, "+L");
  const size_t start = (size_t)a->offset + first, offset = is_large ? 8 : 4;
  size_t bytes = a->n_buffers > 0 && a->buffers[0] ? rows / 8 : 0;
  span part = {start, rows};
  if (a->dictionary)
    bytes += ndi_arrow_bytes(s->dictionary, a->dictionary, 0, (size_t)a->dictionary->length);
  if (begins(format, "vu") || begins(format, "vz")) return bytes + bytes_of_views(a, rows);
  if (*format && strchr("uUzZ", *format)) {
    part = span_of(a, 3, is_large, start, rows);
    return bytes + offset * rows + part.count;
  }
  if (begins(format, "+s")) return bytes + bytes_of_parts(s, a, &part);
  if (begins(format, "+w:")) {
    const size_t items = (size_t)strtoul(format + 3, NULL, 10);
    if (__builtin_mul_overflow(start, items, &part.first) ||
        __builtin_mul_overflow(rows, items, &part.count))
      return bytes + bytes_of_parts(s, a, NULL);
    return bytes + bytes_of_parts(s, a, &part);
  }
  if (strcmp(format, "+l") == 0 || strcmp(format, "+L") == 0 || strcmp(format, "+m") == 0) {
    part = span_of(a, 2, is_large, start, rows);
    return bytes + offset * rows + bytes_of_parts(s, a, &part);
  }
  return bytes + width_of(format) * rows / 8 + bytes_of_parts(s, a, NULL);
}
