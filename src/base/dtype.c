/* The table of dtypes, and promotion. Two dtypes that differ are, after bool is dealt with, two
 * integers, an integer and a float or complex, or two of the latter: a function for each case. */
#include "base/dtype.h"

#include <string.h>

#define ND_ROW(ID, name, type, bytes, align, kind, descr, dlpack, arrow) \
  [ND_##ID] = {#name, bytes, align, ND_KIND_##kind, descr, ND_DLPACK_##dlpack, arrow},
const nd_dtype_traits ndi_dtype_traits[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW

/* The list says how large and how aligned each type is: the compiler checks that. */
#define ND_ROW(ID, name, type, bytes, align, ...) \
  _Static_assert(sizeof(type) == (bytes) && _Alignof(type) == (align), #name);
ND_DTYPES(ND_ROW)
#undef ND_ROW

bool nd_dtype_find(const char *name, nd_dtype *out) {
  for (int i = 0; i < ND_DTYPE_COUNT; i++)
    if (ndi_dtype_traits[i].name[0] == *name && strcmp(ndi_dtype_traits[i].name, name) == 0) {
      *out = (nd_dtype)i;
      return true;
    }
  return false;
}

/* The integer of this kind with 1, 2, 4 or 8 bytes. */
static nd_dtype integer_of(nd_kind kind, int bytes) {
  static const nd_dtype ints[] = {ND_I8, ND_I16, ND_I32, ND_I64};
  static const nd_dtype uints[] = {ND_U8, ND_U16, ND_U32, ND_U64};
  const int at = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  return kind == ND_KIND_INT ? ints[at] : uints[at];
}

static bool promote_integers(nd_dtype a, nd_dtype b, nd_dtype *out) {
  const nd_dtype_traits *x = &ndi_dtype_traits[a], *y = &ndi_dtype_traits[b];
  if (x->kind == y->kind) return *out = x->bytes >= y->bytes ? a : b, true;
  /* signed with unsigned: a signed dtype wider than the unsigned one holds both */
  const nd_dtype_traits *s = x->kind == ND_KIND_INT ? x : y, *u = x->kind == ND_KIND_INT ? y : x;
  if (s->bytes > u->bytes) return *out = integer_of(ND_KIND_INT, s->bytes), true;
  if (s->bytes == 8) return false;               /* i64 with u64: no dtype holds both */
  if (u->bytes == 8) return *out = ND_F64, true; /* lossy, but NumPy's rule */
  return *out = integer_of(ND_KIND_INT, u->bytes * 2), true;
}

/* 'f' is a float or complex. */
static bool promote_integer_float(nd_dtype i, nd_dtype f, nd_dtype *out) {
  const int bytes = ndi_dtype_traits[i].bytes;
  /* c64 has parts of f32, which hold integers of up to 2 bytes exactly */
  if (ndi_dtype_traits[f].kind == ND_KIND_COMPLEX) return *out = bytes <= 2 ? f : ND_C128, true;
  if (bytes == 8 && f != ND_F64 && f != ND_F16) return false; /* see nd_dtype_promote */
  if (f == ND_F64) return *out = ND_F64, true;
  /* their significands have 11 and 8 bits, which hold any 8-bit integer */
  if ((f == ND_F16 || f == ND_BF16) && bytes == 1) return *out = f, true;
  /* f32 or f64, the smaller one that holds all values of both; but f64 for 64 bits with f16 is
   * NumPy's rule, and lossy */
  return *out = bytes <= 2 ? ND_F32 : ND_F64, true;
}

static bool promote_floats(nd_dtype a, nd_dtype b, nd_dtype *out) {
  const nd_dtype_traits *x = &ndi_dtype_traits[a], *y = &ndi_dtype_traits[b];
  const bool complex = x->kind == ND_KIND_COMPLEX || y->kind == ND_KIND_COMPLEX;
  const bool wide = a == ND_F64 || b == ND_F64 || a == ND_C128 || b == ND_C128;
  if (complex) return *out = wide ? ND_C128 : ND_C64, true;
  return *out = wide ? ND_F64 : ND_F32, true; /* two different narrow floats: f32 holds both */
}

bool nd_dtype_promote(nd_dtype a, nd_dtype b, nd_dtype *out) {
  if (a == b) return *out = a, true;
  /* every dtype holds 0 and 1 */
  if (a == ND_BOOL) return *out = b, true;
  if (b == ND_BOOL) return *out = a, true;
  const bool ai = nd_kind_is_integer(ndi_dtype_traits[a].kind),
             bi = nd_kind_is_integer(ndi_dtype_traits[b].kind);
  if (ai && bi) return promote_integers(a, b, out);
  if (ai) return promote_integer_float(a, b, out);
  if (bi) return promote_integer_float(b, a, out);
  return promote_floats(a, b, out);
}

nd_dtype nd_dtype_promote_exact(nd_dtype a, nd_dtype b) {
  nd_dtype both;
  const bool is_exact = nd_dtype_promote(a, b, &both) && !nd_dtype_is_lossy(both, a) &&
                        !nd_dtype_is_lossy(both, b);
  return is_exact ? both : ND_DTYPE_COUNT;
}
