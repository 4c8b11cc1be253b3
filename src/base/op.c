/* The table of operations, and the rules that the columns domain and result stand for. */
#include "base/op.h"

/* Designated by enumerator, so that the order of the lists does not matter. */
/* clang-format off */
static const nd_op_traits rows[ND_OP_COUNT] = {
#define ND_ROW(ID, op, n, of, gives)                                                        \
  [ND_OP_##ID] = {.name = #op, .group = ND_GROUP_ELEMENTWISE, .domain = ND_DOMAIN_##of,     \
                  .result = ND_RESULT_##gives, .operands = n, .has_in_place = true,         \
                  .has_out = true},
    ND_ELEMENTWISE_OPS(ND_ROW)
#undef ND_ROW
#define ND_ROW(ID, op, of, gives, least, how)                                               \
  [ND_OP_##ID] = {.name = #op, .group = ND_GROUP_REDUCE, .domain = ND_DOMAIN_##of,          \
                  .result = ND_RESULT_##gives, .operands = 1, .min_elements = least,        \
                  .form = ND_FORM_##how, .has_out = true, .has_axis = true},
    ND_REDUCE_OPS(ND_ROW)
#undef ND_ROW
#define ND_ROW(ID, op, kin, views) [ND_OP_##ID] = {.name = #op, .group = ND_GROUP_##kin},
    ND_OTHER_OPS(ND_ROW)
#undef ND_ROW
};
/* clang-format on */

const nd_op_traits *nd_op_get(nd_op op) { return &rows[op]; }

/* Operations that are not in the list have zeros: no name, and ND_REFUSES_NONE. */
const nd_second_operand *nd_op_second(nd_op op) {
#define ND_ROW(ID, name, refused) [ND_OP_##ID] = {name, ND_REFUSES_##refused},
  static const nd_second_operand seconds[ND_OP_COUNT] = {ND_SECOND_OPERANDS(ND_ROW)};
#undef ND_ROW
  return &seconds[op];
}

/* The table is indexed by operation; 'is_one' tells its entries from the holes. */
bool nd_op_is_comparison(nd_op op, nd_op *mirrored) {
  static const struct {
    bool is_one;
    nd_op mirror;
  } comparisons[ND_OP_COUNT] = {
#define ND_ROW(ID, MIRROR) [ND_OP_##ID] = {true, ND_OP_##MIRROR},
      ND_COMPARISONS(ND_ROW)
#undef ND_ROW
  };
  if (comparisons[op].is_one && mirrored) *mirrored = comparisons[op].mirror;
  return comparisons[op].is_one;
}

/* The switches below have no default: the compiler reports an enumerator that is missing. */

static bool is_inexact(nd_kind kind) { return kind == ND_KIND_FLOAT || kind == ND_KIND_COMPLEX; }

bool nd_op_is_defined(nd_op op, nd_dtype dtype) {
  const nd_kind kind = nd_dtype_get(dtype)->kind;
  switch (rows[op].domain) {
    case ND_DOMAIN_ANY:
    case ND_DOMAIN_FLOAT:
    case ND_DOMAIN_TRUTH: return true;
    case ND_DOMAIN_NUMERIC: return kind != ND_KIND_BOOL;
    case ND_DOMAIN_REAL: return kind != ND_KIND_BOOL && kind != ND_KIND_COMPLEX;
    case ND_DOMAIN_ORDERED:
    case ND_DOMAIN_MATH: return kind != ND_KIND_COMPLEX;
    case ND_DOMAIN_BITS: return kind == ND_KIND_BOOL || nd_kind_is_integer(kind);
    case ND_DOMAIN_INTEGER: return nd_kind_is_integer(kind);
  }
  return false;
}

nd_dtype nd_op_compute_dtype(nd_op op, nd_dtype dtype) {
  const nd_domain domain = rows[op].domain;
  const bool is_float = domain == ND_DOMAIN_FLOAT || domain == ND_DOMAIN_MATH;
  if (domain == ND_DOMAIN_TRUTH) return ND_BOOL;
  /* these two domains compute bool and integers in f64 */
  return is_float && !is_inexact(nd_dtype_get(dtype)->kind) ? ND_F64 : dtype;
}

/* From the dtype of the computation, so that sqrt of an integer, for example, is f64. */
nd_dtype nd_op_result_dtype(nd_op op, nd_dtype dtype) {
  const nd_dtype computed = nd_op_compute_dtype(op, dtype);
  const nd_kind kind = nd_dtype_get(computed)->kind;
  switch (rows[op].result) {
    case ND_RESULT_SAME: return computed;
    case ND_RESULT_PART: return nd_dtype_part(computed);
    case ND_RESULT_BOOL: return ND_BOOL;
    /* integers are summed in 64 bits: sums of narrow ones would soon overflow */
    case ND_RESULT_SUM: return is_inexact(kind) ? computed : kind == ND_KIND_UINT ? ND_U64 : ND_I64;
    case ND_RESULT_I64: return ND_I64;
  }
  return computed;
}
