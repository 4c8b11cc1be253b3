/* Status codes, and the error record that the caller owns. Nothing raises, aborts or prints. */
#ifndef ND_BASE_STATUS_H
#define ND_BASE_STATUS_H

#include "base/platform.h"

/* ORDER STATUS. Columns: enumerator, 'code' of the error object in Lua. */
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
  X(TIMEOUT, timeout)                         \
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

/* A number that explains a failure. In Lua it is a field of the error object. */
typedef struct {
  const char *name; /* static; value, limit, axis, expected, actual, offset, errno and so on */
  int64_t value;
} nd_number;

/* ORDER REMEDY: what the caller can do about a failure. The core knows which remedy helps; the
 * layer above puts it into the words of its own interface, such as ":to('cpu')". */
typedef enum {
  ND_REMEDY_NONE,
  ND_REMEDY_HOST,          /* a copy on the host */
  ND_REMEDY_DEVICE,        /* a copy on the device 'subject' */
  ND_REMEDY_CLONE,         /* a copy, whose elements share no bytes */
  ND_REMEDY_CONTIGUOUS,    /* a contiguous copy */
  ND_REMEDY_CAST,          /* a conversion to another dtype */
  ND_REMEDY_CAST_INDEX,    /* a conversion to the dtype of indices */
  ND_REMEDY_PART,          /* the real or the imaginary part of the complex array */
  ND_REMEDY_NEW,           /* the operation 'subject' with its result in a new array */
  ND_REMEDY_READ,          /* reading the file instead of mapping it */
  ND_REMEDY_COPY_ON_WRITE, /* mapping the file read-only or copy-on-write, or a copy in pinned
                              memory */
  ND_REMEDY_SYNCHRONOUS,   /* memory that is not allocated from a pool */
  ND_REMEDY_EXPORT_COPY,   /* giving out a copy */
  ND_REMEDY_NAMES,         /* loading the other arrays of the file */
  ND_REMEDY_COUNT
} nd_remedy;

enum { ND_ERROR_NUMBERS = 8, ND_ERROR_TEXT = 640, ND_ERROR_PATH = 256 };

/* A failure in full. The caller owns it and need not initialise it; only a failure writes to it. */
typedef struct {
  nd_status code;
  nd_remedy remedy;
  const char *subject; /* static: the device or operation of the remedy, or NULL */
  int count;           /* of numbers */
  nd_number numbers[ND_ERROR_NUMBERS];
  char path[ND_ERROR_PATH]; /* of the file concerned, or empty */
  char message[ND_ERROR_TEXT];
} nd_error;

/* Evaluate a call that returns a status; on failure return that status from this function. */
#define ND_TRY(expr)                      \
  do {                                    \
    const nd_status nd_try_ = (expr);     \
    if (nd_try_ != ND_OK) return nd_try_; \
  } while (0)

/* A list of numbers for nd_fail_with: ND_NUMBERS({"axis", 2}, {"limit", 10}). */
#define ND_NUMBERS(...) ((const nd_number[]){__VA_ARGS__, {NULL, 0}})

/* Fill 'err', which may be NULL, with a message in printf's format, and return 'code'. A message
 * longer than ND_ERROR_TEXT is truncated. */
nd_status nd_fail(nd_error *err, nd_status code, const char *fmt, ...) ND_PRINTF(3, 4);

/* The same with 'numbers', a list that ends with a NULL name. All after ND_ERROR_NUMBERS are left
 * out. */
nd_status nd_fail_with(nd_error *err, nd_status code, const nd_number *numbers, const char *fmt,
                       ...) ND_PRINTF(4, 5);

/* The same with a remedy, for 'subject' (static), and for no subject. */
nd_status nd_fail_remedy_for(nd_error *err, nd_status code, nd_remedy remedy, const char *subject,
                             const char *fmt, ...) ND_PRINTF(5, 6);
#define nd_fail_remedy(err, code, remedy, ...) \
  nd_fail_remedy_for(err, code, remedy, NULL, __VA_ARGS__)

/* Report a failed system call on 'path' (may be NULL): ND_OUT_OF_MEMORY for ENOMEM, else ND_IO. The
 * message is 'what', the path and the system's text for the errno 'number', which is also the
 * number "errno". */
nd_status nd_fail_errno(nd_error *err, const char *what, const char *path, int number);

/* Begin the message of a failure with what it is of: 'what', and a name in quotes unless that is
 * NULL. Returns 'status'; nothing is done on ND_OK. */
nd_status ndi_error_name(nd_status status, const char *what, const char *name, nd_error *err);

/* Record the file that a failure is about, truncated to ND_ERROR_PATH. The message stays as it is.
 * Either may be NULL: no-op. */
void nd_error_set_path(nd_error *err, const char *path);

/* The code that Lua sees, such as "index_out_of_range"; "unknown" for any other number. Static. */
const char *nd_status_name(nd_status code);

/* Write 'value' to 'text' with all its digits, and with a decimal point in every locale. Returns
 * 'text', which has room for ND_DOUBLE_TEXT. */
enum { ND_DOUBLE_TEXT = 32 };
const char *ndi_double_text(double value, char *text);

#endif
