/* Traits of the dtypes and their promotion. */
#include "base/dtype.h"

#include <string.h>

#define ND_ROW(ID, name, type, bytes, align, kind, descr, dlpack, arrow, ctype) \
  [ND_##ID] = {#name, bytes, align, ND_KIND_##kind, descr, dlpack, arrow, ctype},
const nd_dtype_traits ndi_dtype_traits[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW

#define ND_ROW(ID, name, type, bytes, align, ...) \
  _Static_assert(sizeof(type) == (bytes) && _Alignof(type) == (align), #name);
ND_DTYPES(ND_ROW)
#undef ND_ROW

bool nd_dtype_find(const char *name, nd_dtype *out) {
  for (int i = 0; i < ND_DTYPE_COUNT; i++)
    if (strcmp(ndi_dtype_traits[i].name, name) == 0) {
      *out = (nd_dtype)i;
      return true;
    }
  return false;
}

static nd_dtype integer_of(nd_kind kind, int bytes) {
  static const nd_dtype ints[] = {ND_I8, ND_I16, ND_I32, ND_I64};
  static const nd_dtype uints[] = {ND_U8, ND_U16, ND_U32, ND_U64};
  const int at = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  return kind == ND_KIND_INT ? ints[at] : uints[at];
}

static bool promote_integers(nd_dtype a, nd_dtype b, nd_dtype *out) {
  const nd_dtype_traits *x = &ndi_dtype_traits[a], *y = &ndi_dtype_traits[b];
  if (x->kind == y->kind) return *out = x->bytes >= y->bytes ? a : b, true;
  const nd_dtype_traits *s = x->kind == ND_KIND_INT ? x : y, *u = x->kind == ND_KIND_INT ? y : x;
  if (s->bytes > u->bytes) return *out = integer_of(ND_KIND_INT, s->bytes), true;
  if (s->bytes == 8) return false; /* i64 with u64: no dtype holds both */
  if (u->bytes == 8) return *out = ND_F64, true;
  return *out = integer_of(ND_KIND_INT, u->bytes * 2), true;
}

/* Refused are 64-bit integers with f32, and with bf16 and f8, which NumPy does not have. */
static bool promote_integer_float(nd_dtype i, nd_dtype f, nd_dtype *out) {
  const int bytes = ndi_dtype_traits[i].bytes;
  if (ndi_dtype_traits[f].kind == ND_KIND_COMPLEX) return *out = bytes <= 2 ? f : ND_C128, true;
  if (bytes == 8 && f != ND_F64 && f != ND_F16) return false;
  if (f == ND_F64) return *out = ND_F64, true;
  if ((f == ND_F16 || f == ND_BF16) && bytes == 1) return *out = f, true; /* 8 bits or more */
  return *out = bytes <= 2 ? ND_F32 : ND_F64, true;
}

static bool promote_floats(nd_dtype a, nd_dtype b, nd_dtype *out) {
  const nd_dtype_traits *x = &ndi_dtype_traits[a], *y = &ndi_dtype_traits[b];
  const bool complex = x->kind == ND_KIND_COMPLEX || y->kind == ND_KIND_COMPLEX;
  const bool wide = a == ND_F64 || b == ND_F64 || a == ND_C128 || b == ND_C128;
  if (complex) return *out = wide ? ND_C128 : ND_C64, true;
  return *out = wide ? ND_F64 : ND_F32, true; /* two different halves meet in f32 */
}

bool nd_dtype_promote(nd_dtype a, nd_dtype b, nd_dtype *out) {
  if (a == b) return *out = a, true;
  if (a == ND_BOOL) return *out = b, true;
  if (b == ND_BOOL) return *out = a, true;
  const bool ai = nd_kind_is_integer(ndi_dtype_traits[a].kind),
             bi = nd_kind_is_integer(ndi_dtype_traits[b].kind);
  if (ai && bi) return promote_integers(a, b, out);
  if (ai) return promote_integer_float(a, b, out);
  if (bi) return promote_integer_float(b, a, out);
  return promote_floats(a, b, out);
}

nd_dtype nd_dtype_compared(nd_dtype a, nd_dtype b) {
  nd_dtype both;
  const bool is_exact = nd_dtype_promote(a, b, &both) && !nd_dtype_rounds(both, a) &&
                        !nd_dtype_rounds(both, b);
  return is_exact ? both : ND_DTYPE_COUNT;
}
