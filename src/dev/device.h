/* Devices: they copy and compute. ops/ checks shapes, dtypes and overlap, and hands complete, valid
 * tasks to the device that has the memory; a device never checks them again. */
#ifndef ND_DEV_DEVICE_H
#define ND_DEV_DEVICE_H

#include "base/op.h"
#include "view/view.h"

typedef struct nd_device nd_device;
typedef struct nd_backend nd_backend;

/* The numbers of RANGE: element i is first + i * step, or, where 'is_even' (linspace), the i-th of
 * 'count' evenly spaced numbers, of which the last is exactly 'last'. */
typedef struct {
  bool is_whole; /* computed in integers, from the "whole" fields; else in doubles */
  bool is_even;
  bool is_rounded; /* round to nearest, ties to even; is_whole always does */
  size_t count;    /* number of elements; read only where 'is_even', or 'rest' is not 0 */
  /* a power of two that scales the doubles below: value = unit * (first + ...). It keeps sums of
   * huge ends from overflowing */
  double unit;
  double first, step, last;
  /* where 'is_even' and step is 0, because it underflowed, element i is first + i / (count - 1) *
   * width */
  double width;
  nd_int128 whole_first, whole_step;
  /* add i * rest / (count - 1), rounded, to element i: the remainder of an integer linspace; 0:
   * none */
  size_t rest;
} nd_progression;

/* How a quantile between two elements is found: the nine definitions of Hyndman and Fan, the last
 * four that NumPy has besides. The name is that of the option 'method'. */
#define ND_QUANTILE_METHODS(X)                            \
  X(LINEAR, linear)                                       \
  X(INVERTED_CDF, inverted_cdf)                           \
  X(AVERAGED_INVERTED_CDF, averaged_inverted_cdf)         \
  X(CLOSEST_OBSERVATION, closest_observation)             \
  X(INTERPOLATED_INVERTED_CDF, interpolated_inverted_cdf) \
  X(HAZEN, hazen)                                         \
  X(WEIBULL, weibull)                                     \
  X(MEDIAN_UNBIASED, median_unbiased)                     \
  X(NORMAL_UNBIASED, normal_unbiased)                     \
  X(LOWER, lower)                                         \
  X(HIGHER, higher)                                       \
  X(NEAREST, nearest)                                     \
  X(MIDPOINT, midpoint)
#define ND_ROW(ID, name) ND_QUANTILE_##ID,
typedef enum { ND_QUANTILE_METHODS(ND_ROW) } nd_quantile_method;
#undef ND_ROW

/* How much a factorisation gives: QR and SVD all columns of q, all rows of vh, or as many as there
 * are values; or R, or the values alone. */
typedef enum {
  ND_FACTORS_REDUCED, /* as EIGH and EIG give vectors, too, and those of one form all they have */
  ND_FACTORS_FULL,
  ND_FACTORS_ONE,
  ND_FACTORS_FORMS
} nd_factors_form;

/* The numbers of FFT: complex to complex; real to complex, to n elements, or to the first
 * n / 2 + 1; complex to real, from the first n / 2 + 1. */
typedef struct {
  int axis;
  size_t n;        /* length: src has as many elements, or fewer, and zeros after them */
  bool is_inverse; /* with exp(+2 pi i j k / n) */
  double scale;    /* times this */
} nd_fft_numbers;

enum { ND_TASK_VIEWS = 6 };

/* One operation to run: its views in the order that base/op.h lists, and the union member that
 * belongs to its group or name.
 *
 * Element-wise: views[0] is the output, then the operands, all of one shape and of any dtypes. The
 * output equals an operand exactly, element for element, or overlaps none. */
typedef struct {
  nd_op op;
  const char *name; /* for error messages; NULL: the operation's own name */
  int count;
  const nd_view *views[ND_TASK_VIEWS];
  union {
    /* ELEMENTWISE: operands are converted to it; ND_DTYPE_COUNT: a comparison of two dtypes that
     * have no common exact dtype (nd_dtype_promote_exact) */
    nd_dtype compute_dtype;
    struct {
      uint32_t axes;  /* bit i set: axis i of src is reduced */
      double divisor; /* MEAN, VAR, STD: divides the sum */
    } reduce;
    nd_progression range;
    struct {
      uint64_t seed, call_number; /* Philox key, and the upper half of its counter */
      uint64_t lowest, span;      /* INTEGERS: lowest value modulo 2^64; highest - lowest */
      double of[2];               /* parameters, where the task has 'out' alone */
    } random;
    nd_dtype target; /* CAST_CHECK */
    nd_op checked;   /* OPERAND_CHECK */
    size_t extent;   /* INDEX_CHECK */
    struct {
      size_t extent;  /* of the axis that the indices are of */
      int64_t factor; /* what one step along it is in the axis that 'out' indexes */
      int64_t first;  /* added to each; out's elements are added, too, where 'adds' */
      bool adds;
    } join;
    struct {
      double rtol, atol;
    } close;
    bool is_descending; /* SORT */
    struct {
      bool is_largest; /* the greatest come first, else the least */
      bool is_sorted;  /* in this order, else in that of their positions */
    } topk;            /* how many: the extent of the last axis of values */
    struct {
      nd_quantile_method method; /* QUANTILE */
      bool skips_nan;            /* else a line with NaN gives NaN */
    } quantile;                  /* MEDIAN, too */
    bool is_right;               /* SEARCHSORTED: behind equal elements */
    int64_t base;                /* BINCOUNT: the value that element 0 of counts counts */
    bool is_uniform;             /* HISTOGRAM: the bins are of equal width; the dtype is a float */
    int scan_axis;               /* SCAN */
    bool conjugates;             /* MATMUL, where m and n are 1: the elements of a */
    struct {                     /* FACTOR */
      nd_factors_form form;
      bool is_upper;  /* CHOLESKY, EIGH: the upper triangle is read, else the lower one */
      bool gives_nan; /* INV, SOLVE: a singular matrix gives NaN and is no failure */
      double rcond;   /* LSTSQ: singular values up to rcond times the greatest count as 0 */
    } factor;
    nd_fft_numbers fft;
    size_t first; /* CONVOLVE: out[i] is the sum of w[t] x[first + i + t - (m - 1)], t < m */
  };
  /* MASK_COUNT: number of true elements; SEARCH: row-major position, from 0, of the first element
   * that is refused or different, or the number of elements if there is none. NULL for all other
   * groups */
  size_t *result;
} nd_task;

typedef struct {
  /* Copy with conversion. The caller guarantees: equal shapes, a defined pair of dtypes, a writable
   * 'dst' without duplicate elements, no overlap. May return while the copy is in flight; it has
   * then recorded its uses on both storages (nd_storage_use). */
  nd_status (*copy)(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                    nd_error *err);
  /* Run 'task', for which 'can' said yes. Complete on return where the task has a 'result', else
   * possibly in flight, as 'copy'. */
  nd_status (*run)(nd_device *self, const nd_task *task, nd_error *err);
  /* is there a kernel for this operation on these dtypes? */
  bool (*can)(nd_device *self, const nd_task *task);
  /* wait for all pending work; optional, default: a no-op */
  nd_status (*sync)(nd_device *self, nd_error *err);
  void (*close)(nd_device *self); /* optional */
} nd_device_ops;

struct nd_device {
  const nd_device_ops *ops;
  const char *name; /* canonical: cpu, cuda:0 … */
  /* index in the registry; resources and blocks name their device by it */
  uint16_t number;
  int ordinal;               /* among the devices of its backend */
  const nd_backend *backend; /* NULL: none, in specs */
  /* allocates results whose operand is foreign device memory; NULL: the host's */
  nd_resource *memory;
};

/* Register 'device' and set its number. The caller keeps it alive for the life of the process.
 * ND_CAPACITY when the registry is full. */
nd_status nd_device_register(nd_device *device, nd_error *err);
/* The device of that number; the host for a number that is not registered. */
nd_device *nd_device_get(uint16_t number);

/* The host device, which always has number 0. */
nd_device *nd_host_device(void);

/* The device that works on the memory of 'view'. */
nd_device *nd_device_of(const nd_view *view);

/* The calls of the table; see nd_device_ops for what the caller guarantees. */
nd_status nd_device_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                         nd_error *err);
/* ND_UNSUPPORTED, with ND_REMEDY_HOST, where 'can' says no. */
nd_status nd_device_run(nd_device *self, const nd_task *task, nd_error *err);
nd_status nd_device_sync(nd_device *self, nd_error *err);

#endif
