/* Statuses and the error record that the caller owns. Nothing here raises, aborts or prints. */
#ifndef ND_BASE_STATUS_H
#define ND_BASE_STATUS_H

#include "base/platform.h"

/* ORDER STATUS: enumerator, the code that scripts see. */
#define ND_STATUSES(X)                        \
  X(OK, ok)                                   \
  X(INVALID_ARGUMENT, invalid_argument)       \
  X(INVALID_VIEW, invalid_view)               \
  X(INDEX_OUT_OF_RANGE, index_out_of_range)   \
  X(SHAPE_MISMATCH, shape_mismatch)           \
  X(SIZE_MISMATCH, size_mismatch)             \
  X(TYPE_MISMATCH, type_mismatch)             \
  X(NOT_ALLOCATED, not_allocated)             \
  X(FREED, freed)                             \
  X(NOT_HOST_ACCESSIBLE, not_host_accessible) \
  X(READ_ONLY, read_only)                     \
  X(OVERLAP, overlap)                         \
  X(OVERFLOW, overflow)                       \
  X(NOT_REPRESENTABLE, not_representable)     \
  X(OUT_OF_MEMORY, out_of_memory)             \
  X(BUDGET_EXCEEDED, budget_exceeded)         \
  X(USE_AFTER_FREE, use_after_free)           \
  X(OUT_OF_BOUNDS, out_of_bounds)             \
  X(STREAM_MISUSE, stream_misuse)             \
  X(CAPACITY, capacity)                       \
  X(DEVICE_NOT_FOUND, device_not_found)       \
  X(DRIVER, driver)                           \
  X(COMPILE, compile)                         \
  X(IO, io)                                   \
  X(FORMAT, format)                           \
  X(INTERRUPTED, interrupted)                 \
  X(UNSUPPORTED, unsupported)

#define ND_ROW(ID, name) ND_##ID,
typedef enum { ND_STATUSES(ND_ROW) ND_STATUS_COUNT } nd_status;
#undef ND_ROW

/* A number that explains a failure; scripts read it as a field of the error object. */
typedef struct {
  const char *name; /* static: value, limit, axis, expected, actual, offset, errno … */
  int64_t value;
} nd_number;

enum { ND_ERROR_NUMBERS = 7, ND_ERROR_TEXT = 640, ND_ERROR_PATH = 256 };

typedef struct {
  nd_status code;
  int count; /* of numbers */
  nd_number numbers[ND_ERROR_NUMBERS];
  char path[ND_ERROR_PATH]; /* of the file concerned, or empty */
  char message[ND_ERROR_TEXT];
} nd_error;

#define ND_TRY(expr)                      \
  do {                                    \
    const nd_status nd_try_ = (expr);     \
    if (nd_try_ != ND_OK) return nd_try_; \
  } while (0)

/* The numbers of a failure: ND_NUMBERS({"axis", 2}, {"limit", 10}). */
#define ND_NUMBERS(...) ((const nd_number[]){__VA_ARGS__, {NULL, 0}})

/* Fill 'err' (may be NULL) and return 'code'. 'fmt' is printf's. The text is cut at ND_ERROR_TEXT.
 */
nd_status nd_fail(nd_error *err, nd_status code, const char *fmt, ...) ND_PRINTF(3, 4);

/* The same with the numbers, ended by a NULL name (ND_NUMBERS). */
nd_status nd_fail_with(nd_error *err, nd_status code, const nd_number *numbers, const char *fmt,
                       ...) ND_PRINTF(4, 5);

/* A failed system call on 'path' (may be NULL): ND_IO, or ND_OUT_OF_MEMORY for ENOMEM, with the
 * number and its text. */
nd_status nd_fail_errno(nd_error *err, const char *what, const char *path, int number);

/* Name the file that a failure is about; leaves the message as it is. */
void nd_error_set_path(nd_error *err, const char *path);

/* "index_out_of_range" and its like. Static. */
const char *nd_status_name(nd_status code);

/* 'value' for a message, with a point whatever the locale says. Returns 'text', which holds
 * ND_DOUBLE_TEXT. */
enum { ND_DOUBLE_TEXT = 32 };
const char *ndi_double_text(double value, char *text);

#endif
