/* Reads an element of any dtype in its exact representation. */
#include "base/exact.h"

#include <string.h>

#include "base/half.h"

/* The integer in the 'bytes' bytes at 'at', 1 to 8, extended by zeros. By memcpy: 'at' need not be
 * aligned. */
static uint64_t read_bits(const void *at, size_t bytes) {
  uint64_t bits = 0; /* little-endian: see base/platform.h */
  memcpy(&bits, at, bytes);
  return bits;
}

static double read_float(nd_dtype dtype, const char *at) {
  const uint64_t bits = read_bits(at, nd_dtype_get(dtype)->bytes);
  float narrow;
  double wide;
  /* Every one of these formats fits into a double exactly. There is no default, so that the
   * compiler reports a dtype that is missing. */
  switch (dtype) {
    case ND_F16: return (double)ndi_f16_to_f32((uint16_t)bits);
    case ND_BF16: return (double)ndi_bf16_to_f32((uint16_t)bits);
    case ND_F8E4M3: return (double)ndi_f8e4m3_to_f32((uint8_t)bits);
    case ND_F8E5M2: return (double)ndi_f8e5m2_to_f32((uint8_t)bits);
    case ND_F32: memcpy(&narrow, at, sizeof narrow); return (double)narrow;
    case ND_F64: memcpy(&wide, at, sizeof wide); return wide;
    case ND_BOOL: /* these are no floats: see nd_exact_get */
    case ND_I8:
    case ND_U8:
    case ND_I16:
    case ND_U16:
    case ND_I32:
    case ND_U32:
    case ND_I64:
    case ND_U64:
    case ND_C64:
    case ND_C128:
    case ND_DTYPE_COUNT: break;
  }
  return 0;
}

nd_exact nd_exact_get(nd_dtype dtype, const void *at) {
  const nd_dtype_traits *own = nd_dtype_get(dtype);
  const nd_dtype part = nd_dtype_part(dtype);
  /* bits of an int64 that the element leaves free; of a complex number's part, as 16 bytes would
   * leave less than none */
  const size_t spare = 64 - 8 * (size_t)nd_dtype_get(part)->bytes; /* shifts extend the sign */
  switch (own->kind) {
    case ND_KIND_BOOL: return ndi_exact_u64(read_bits(at, 1) != 0);
    case ND_KIND_UINT: return ndi_exact_u64(read_bits(at, own->bytes));
    case ND_KIND_INT: return ndi_exact_i64((int64_t)(read_bits(at, own->bytes) << spare) >> spare);
    case ND_KIND_FLOAT: return ndi_exact_f64(read_float(dtype, at));
    case ND_KIND_COMPLEX: break;
  }
  const char *im = (const char *)at + nd_dtype_get(part)->bytes;
  return (nd_exact){.hi = read_float(part, at), .im = read_float(part, im)};
}
