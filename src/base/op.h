/* The operation list: what a device may be asked to run. Names and operands; no code. */
#ifndef ND_BASE_OP_H
#define ND_BASE_OP_H

/* What an elementwise operation is computed in, given the promoted dtype of its operands; what is
 * not defined is refused. */
typedef enum {
  ND_DOMAIN_ANY,     /* every dtype */
  ND_DOMAIN_NUMERIC, /* all but bool */
  ND_DOMAIN_REAL,    /* all but bool and complex */
  ND_DOMAIN_ORDERED, /* all but complex */
  ND_DOMAIN_FLOAT,   /* floats and complex as they are; bool and integers in f64 */
  ND_DOMAIN_MATH,    /* floats as they are; bool and integers in f64; not complex */
  ND_DOMAIN_BITS,    /* bool and integers */
  ND_DOMAIN_INTEGER, /* integers */
  ND_DOMAIN_TRUTH    /* bool: everything else by x != 0 */
} nd_domain;

typedef enum {
  ND_GIVES_SAME,
  ND_GIVES_PART, /* of complex the dtype of a part, else the same */
  ND_GIVES_BOOL
} nd_gives;

/* ORDER OP: the elementwise operations: id, name, operands, domain, what they give. */
#define ND_ELEMENTWISE_OPS(X)                 \
  X(ADD, add, 2, ANY, SAME)                   \
  X(SUB, sub, 2, NUMERIC, SAME)               \
  X(MUL, mul, 2, ANY, SAME)                   \
  X(DIV, div, 2, FLOAT, SAME)                 \
  X(IDIV, idiv, 2, REAL, SAME)                \
  X(MOD, mod, 2, REAL, SAME)                  \
  X(POW, pow, 2, REAL, SAME)                  \
  X(MINIMUM, minimum, 2, ORDERED, SAME)       \
  X(MAXIMUM, maximum, 2, ORDERED, SAME)       \
  X(LT, lt, 2, ORDERED, BOOL)                 \
  X(LE, le, 2, ORDERED, BOOL)                 \
  X(GT, gt, 2, ORDERED, BOOL)                 \
  X(GE, ge, 2, ORDERED, BOOL)                 \
  X(EQ, eq, 2, ANY, BOOL)                     \
  X(NE, ne, 2, ANY, BOOL)                     \
  X(LOGICAL_AND, logical_and, 2, TRUTH, BOOL) \
  X(LOGICAL_OR, logical_or, 2, TRUTH, BOOL)   \
  X(LOGICAL_XOR, logical_xor, 2, TRUTH, BOOL) \
  X(LOGICAL_NOT, logical_not, 1, TRUTH, BOOL) \
  X(BIT_AND, bit_and, 2, BITS, SAME)          \
  X(BIT_OR, bit_or, 2, BITS, SAME)            \
  X(BIT_XOR, bit_xor, 2, BITS, SAME)          \
  X(BIT_NOT, bit_not, 1, BITS, SAME)          \
  X(SHL, shl, 2, INTEGER, SAME)               \
  X(SHR, shr, 2, INTEGER, SAME)               \
  X(NEG, neg, 1, NUMERIC, SAME)               \
  X(ABS, abs, 1, NUMERIC, PART)               \
  X(SIGN, sign, 1, REAL, SAME)                \
  X(SQUARE, square, 1, NUMERIC, SAME)         \
  X(RECIPROCAL, reciprocal, 1, FLOAT, SAME)   \
  X(SQRT, sqrt, 1, MATH, SAME)                \
  X(EXP, exp, 1, MATH, SAME)                  \
  X(LOG, log, 1, MATH, SAME)                  \
  X(SIN, sin, 1, MATH, SAME)                  \
  X(COS, cos, 1, MATH, SAME)                  \
  X(TANH, tanh, 1, MATH, SAME)                \
  X(FLOOR, floor, 1, REAL, SAME)              \
  X(CEIL, ceil, 1, REAL, SAME)                \
  X(ROUND, round, 1, REAL, SAME)              \
  X(TRUNC, trunc, 1, REAL, SAME)              \
  X(ISNAN, isnan, 1, ANY, BOOL)               \
  X(ISINF, isinf, 1, ANY, BOOL)               \
  X(ISFINITE, isfinite, 1, ANY, BOOL)         \
  X(CLAMP, clamp, 3, ORDERED, SAME)           \
  X(WHERE, where, 3, ANY, SAME)

/* What a reduction gives for each dtype; see nd_reduce in ops/ops.h. */
typedef enum {
  ND_REDUCES_SUM,   /* i64 of bool and signed integers, u64 of unsigned ones, else the dtype */
  ND_REDUCES_SAME,  /* the dtype; not of complex */
  ND_REDUCES_MEAN,  /* f64 of bool and integers, else the dtype */
  ND_REDUCES_REAL,  /* the same, of complex its parts' */
  ND_REDUCES_INDEX, /* i64, a 1-based position; not of complex */
  ND_REDUCES_COUNT, /* i64 */
  ND_REDUCES_BOOL
} nd_reduces;

/* ORDER OP: the reductions: id, name, what they give. Views: out, src, of variances the mean: f64,
 * c128 of complex, and of out's shape. The task names the axes of src that are not out's. */
#define ND_REDUCE_OPS(X)   \
  X(SUM, sum, SUM)         \
  X(PROD, prod, SUM)       \
  X(MIN, min, SAME)        \
  X(MAX, max, SAME)        \
  X(MEAN, mean, MEAN)      \
  X(VAR, var, REAL)        \
  X(STD, std, REAL)        \
  X(ARGMIN, argmin, INDEX) \
  X(ARGMAX, argmax, INDEX) \
  X(ANY, any, BOOL)        \
  X(ALL, all, BOOL)        \
  X(COUNT_NONZERO, count_nonzero, COUNT)

/* ORDER OP: id, name, what its views are (the first is written unless said). */
#define ND_OTHER_OPS(X)                                                                   \
  X(RANGE, arange, "out, of the numbers of a progression")                                \
  X(UNIFORM, random, "out")                                                               \
  X(NORMAL, normal, "out")                                                                \
  X(INTEGERS, randint, "out, within lo … lo + span")                                      \
  X(PERMUTATION, permutation, "out: i64, 1-D")                                            \
  X(TAKE, take, "out, src, index (i64, 1-D): along axis 0")                               \
  X(PUT, put, "dst, values, index (i64, 1-D): along axis 0")                              \
  X(INDEX_ADD, index_add, "dst, values, index (i64, 1-D): along axis 0")                  \
  X(INDEX_CHECK, index, "index (read): the first outside 1 … extent and -extent … -1")    \
  X(MASK_COUNT, mask, "mask (read)")                                                      \
  X(MASK_SELECT, mask, "out (1-D over the selected), src, mask: mask covers src's shape") \
  X(MASK_ASSIGN, mask, "dst, values (1-D), mask: mask covers dst's shape")                \
  X(SORT, sort, "data: along its last axis")                                              \
  X(ARGSORT, argsort, "out (i64), src: along their last axes")                            \
  X(EQUAL, equal, "a (read), b: one shape and dtype")                                     \
  X(CLOSE, allclose, "a (read), b: one shape; rtol, atol; dtypes differ where none holds both")

#define ND_OPS(X) ND_ELEMENTWISE_OPS(X) ND_REDUCE_OPS(X) ND_OTHER_OPS(X)

#define ND_ROW(ID, ...) ND_OP_##ID,
typedef enum { ND_OPS(ND_ROW) ND_OP_COUNT } nd_op;
#undef ND_ROW

#endif
