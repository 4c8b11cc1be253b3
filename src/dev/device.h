/* Devices: who copies and computes. ops/ knows the rules of shapes and dtypes; a device knows how
 * to move and run. */
#ifndef ND_DEV_DEVICE_H
#define ND_DEV_DEVICE_H

#include "base/op.h"
#include "view/view.h"

typedef struct nd_device nd_device;

/* The numbers of RANGE: element i is first + i * step; where 'is_even', 'count' numbers at equal
 * distances, the last one exactly 'last'. */
typedef struct {
  bool is_whole; /* integers of i64 or u64, by the fields that say so; else the doubles */
  bool is_even;
  bool is_rounded; /* to the nearest integer, or else the even one; whole ones always are */
  size_t count;    /* where they are even */
  double unit;     /* a power of two, of which the doubles below are multiples: no sum overflows */
  double first, step, last,
      width; /* step 0 and even: element i is first + i / (count - 1) * width */
  nd_int128 whole_first, whole_step;
  size_t rest; /* element i is i * rest / (count - 1) more; 0: none */
} nd_progression;

/* One operation. 'views' as the list in base/op.h says; the rest by operation. Of an elementwise
 * one: what is written, then the operands, all of one shape and of any dtypes; what is written is
 * one of the operands, element for element, or apart from them. With a 'result' it only looks at
 * its one view, a second operand: which element of integers would be refused. */
typedef struct {
  nd_op op;
  const char *name; /* what refusals call it; NULL: as the list does */
  int count;
  const nd_view *views[4];
  nd_dtype dtype;         /* elementwise: what the operands are converted to; ND_DTYPE_COUNT: a
                             comparison of what no dtype holds both of (nd_dtype_compared) */
  double first, step;     /* CLOSE: atol, rtol; MEAN, VAR, STD: first is what a sum is divided by */
  uint32_t axes;          /* reductions: bit i is axis i of src */
  bool is_descending;     /* SORT, ARGSORT */
  nd_progression numbers; /* RANGE */
  uint64_t lowest, span;  /* INTEGERS: the lowest value modulo 2^64; highest minus lowest */
  uint64_t seed, stream;  /* random: the key and the call's number */
  size_t extent;          /* INDEX_CHECK */
  size_t *result; /* MASK_COUNT: how many; checks and comparisons: row-major position of the first
                   * refused or different element, the number of elements when there is none */
} nd_task;

typedef struct {
  /* Copy with conversion. Shapes are equal, the pair is defined, 'dst' may be written and has no
   * element twice, and the two do not overlap. May return before it is done, having noted its uses
   * on both storages. */
  nd_status (*copy)(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                    nd_error *err);
  /* Where ND_CHECK would refuse: position of the first such element of 'src', its size if none.
   * Complete on return. */
  nd_status (*check)(nd_device *self, const nd_view *src, nd_dtype dtype, size_t *first,
                     nd_error *err);
  nd_status (*run)(nd_device *self, const nd_task *task, nd_error *err);
  bool (*can)(nd_device *self, const nd_task *task); /* optional, default true */
  nd_status (*sync)(nd_device *self, nd_error *err); /* optional, default: nothing to wait for */
  void (*close)(nd_device *self);                    /* optional */
} nd_device_ops;

struct nd_device {
  const nd_device_ops *ops;
  const char *name;    /* canonical: cpu, cuda:0 … */
  uint16_t number;     /* in the registry; what a block's 'device' says */
  int ordinal;         /* among those of its kind */
  nd_resource *memory; /* where arrays beside foreign ones come from; NULL: the host's */
};

/* Make a device known. It stays for the life of the process. ND_CAPACITY when the registry is full.
 */
nd_status nd_device_register(nd_device *device, nd_error *err);
nd_device *nd_device_get(uint16_t number);

/* The host: number 0. */
nd_device *nd_host_device(void);

/* The device that works on a view's memory; between two, the one that is not the host. */
nd_device *nd_device_of(const nd_view *view);

nd_status nd_device_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                         nd_error *err);
nd_status nd_device_check(nd_device *self, const nd_view *src, nd_dtype dtype, size_t *first,
                          nd_error *err);
/* ND_UNSUPPORTED, naming :to("cpu"), where the device cannot. */
nd_status nd_device_run(nd_device *self, const nd_task *task, nd_error *err);
nd_status nd_device_sync(nd_device *self, nd_error *err);

/* A place for memory, as a script names it: cpu, pinned, cuda[:n] (gpu), managed[:n] (unified),
 * disk:PATH. */
typedef struct {
  nd_memkind kind;
  int ordinal;
  const char *path; /* into the text parsed; disk only */
} nd_place;

/* Case does not matter outside PATH; trailing junk is ND_INVALID_ARGUMENT. */
nd_status nd_place_parse(const char *text, nd_place *out, nd_error *err);

/* The resource of a place, with a hold for the caller. Disk: a file is made (see nd_map_options).
 * ND_DEVICE_NOT_FOUND with the reason, ND_UNSUPPORTED for what is not built. */
nd_status nd_place_resource(const nd_place *place, bool overwrite, nd_resource **out,
                            nd_error *err);

/* "cpu", "cuda:0", "disk:PATH": the canonical name. The text is cut to 'bytes'. Returns 'text'. */
const char *nd_place_text(const nd_place *place, char *text, size_t bytes);

/* The same of a storage. The text is cut to 'bytes'. Returns 'text'. */
const char *nd_storage_place(const nd_storage *storage, char *text, size_t bytes);

#endif
