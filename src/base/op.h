/* The operations that devices run: one list with a row for each. base/op.c makes a table of it;
 * ops/, the binding and the kernels read that instead of keeping lists of their own. */
#ifndef ND_BASE_OP_H
#define ND_BASE_OP_H

#include "base/dtype.h"

/* Operations that a device runs by the same function, with the same parameters in nd_task. */
typedef enum {
  ND_GROUP_ELEMENTWISE,
  ND_GROUP_REDUCE,
  ND_GROUP_FILL,   /* values are a function of the element's position */
  ND_GROUP_PICK,   /* gather and scatter of rows by index */
  ND_GROUP_MASK,   /* gather and scatter of elements by a bool mask */
  ND_GROUP_SEARCH, /* writes nothing; finds the first element that matches */
  ND_GROUP_SORT,
  ND_GROUP_SELECT,  /* order statistics of lines */
  ND_GROUP_SCAN,    /* running sums and the like */
  ND_GROUP_COUNT,   /* places in a sorted array, and how many elements have each */
  ND_GROUP_PRODUCT, /* of matrices */
  ND_GROUP_FACTOR,  /* factorisations of matrices, and what comes of them */
  ND_GROUP_FFT,     /* Fourier transforms of lines */
  ND_GROUP_CONVOLVE /* sums of products of shifted lines */
} nd_op_group;

/* The dtypes that an operation is defined for, and the dtype that it computes in. For several
 * operands it is asked about the dtype that they are promoted to. */
typedef enum {
  ND_DOMAIN_ANY,     /* every dtype */
  ND_DOMAIN_NUMERIC, /* all but bool */
  ND_DOMAIN_REAL,    /* all but bool and complex */
  ND_DOMAIN_ORDERED, /* all but complex */
  ND_DOMAIN_FLOAT,   /* floats and complex as they are; bool and integers in f64 */
  ND_DOMAIN_MATH,    /* floats as they are; bool and integers in f64; not complex */
  ND_DOMAIN_BITS,    /* bool and integers */
  ND_DOMAIN_INTEGER, /* integers */
  ND_DOMAIN_TRUTH    /* every dtype, in bool: x != 0 */
} nd_domain;

/* The dtype of a result, given the dtype that the operation computes in. */
typedef enum {
  ND_RESULT_SAME,
  ND_RESULT_PART, /* complex: the dtype of its real part; else the same */
  ND_RESULT_BOOL,
  ND_RESULT_SUM, /* bool and signed integers: i64; unsigned integers: u64; else the same */
  ND_RESULT_I64  /* 1-based positions, counts */
} nd_result;

/* ORDER OP: the elementwise operations: id, name, operands, domain, result. */
#define ND_ELEMENTWISE_OPS(X)                 \
  X(ADD, add, 2, ANY, SAME)                   \
  X(SUB, sub, 2, NUMERIC, SAME)               \
  X(MUL, mul, 2, ANY, SAME)                   \
  X(DIV, div, 2, FLOAT, SAME)                 \
  X(IDIV, idiv, 2, REAL, SAME)                \
  X(MOD, mod, 2, REAL, SAME)                  \
  X(FMOD, fmod, 2, REAL, SAME)                \
  X(POW, pow, 2, NUMERIC, SAME)               \
  X(HYPOT, hypot, 2, MATH, SAME)              \
  X(COPYSIGN, copysign, 2, MATH, SAME)        \
  X(FMA, fma, 3, MATH, SAME)                  \
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
  X(CONJ, conj, 1, NUMERIC, SAME)             \
  X(SIGN, sign, 1, NUMERIC, SAME)             \
  X(SIGNBIT, signbit, 1, ORDERED, BOOL)       \
  X(SQUARE, square, 1, NUMERIC, SAME)         \
  X(RECIPROCAL, reciprocal, 1, FLOAT, SAME)   \
  X(SQRT, sqrt, 1, FLOAT, SAME)               \
  X(CBRT, cbrt, 1, MATH, SAME)                \
  X(EXP, exp, 1, FLOAT, SAME)                 \
  X(EXPM1, expm1, 1, FLOAT, SAME)             \
  X(LOG, log, 1, FLOAT, SAME)                 \
  X(LOG2, log2, 1, FLOAT, SAME)               \
  X(LOG10, log10, 1, FLOAT, SAME)             \
  X(LOG1P, log1p, 1, FLOAT, SAME)             \
  X(SIN, sin, 1, FLOAT, SAME)                 \
  X(COS, cos, 1, FLOAT, SAME)                 \
  X(TAN, tan, 1, FLOAT, SAME)                 \
  X(ASIN, asin, 1, FLOAT, SAME)               \
  X(ACOS, acos, 1, FLOAT, SAME)               \
  X(ATAN, atan, 1, FLOAT, SAME)               \
  X(SINH, sinh, 1, FLOAT, SAME)               \
  X(COSH, cosh, 1, FLOAT, SAME)               \
  X(TANH, tanh, 1, FLOAT, SAME)               \
  X(ASINH, asinh, 1, FLOAT, SAME)             \
  X(ACOSH, acosh, 1, FLOAT, SAME)             \
  X(ATANH, atanh, 1, FLOAT, SAME)             \
  X(ERF, erf, 1, MATH, SAME)                  \
  X(ERFC, erfc, 1, MATH, SAME)                \
  X(LGAMMA, lgamma, 1, MATH, SAME)            \
  X(ATAN2, atan2, 2, MATH, SAME)              \
  X(LOGADDEXP, logaddexp, 2, MATH, SAME)      \
  X(FLOOR, floor, 1, REAL, SAME)              \
  X(CEIL, ceil, 1, REAL, SAME)                \
  X(ROUND, round, 1, NUMERIC, SAME)           \
  X(TRUNC, trunc, 1, REAL, SAME)              \
  X(ISNAN, isnan, 1, ANY, BOOL)               \
  X(ISINF, isinf, 1, ANY, BOOL)               \
  X(ISFINITE, isfinite, 1, ANY, BOOL)         \
  X(CLAMP, clamp, 3, ORDERED, SAME)           \
  X(WHERE, where, 3, ANY, SAME)

/* Element-wise operations that have no result for some integers as the second operand: id, what
 * that operand is called, what is refused. */
#define ND_SECOND_OPERANDS(X)       \
  X(IDIV, "divisor", ZERO)          \
  X(MOD, "divisor", ZERO)           \
  X(FMOD, "divisor", ZERO)          \
  X(POW, "exponent", NEGATIVE)      \
  X(SHL, "count of bits", NEGATIVE) \
  X(SHR, "count of bits", NEGATIVE)

/* Comparisons, which answer exactly whatever the dtypes: id, the one that gives the same with the
 * operands swapped. */
#define ND_COMPARISONS(X) X(LT, GT) X(LE, GE) X(GT, LT) X(GE, LE) X(EQ, EQ) X(NE, NE)

/* How a reduction comes of its accumulators, beyond folding all elements into them. */
typedef enum {
  ND_FORM_FOLD,       /* as they are */
  ND_FORM_MEAN,       /* divided by the number of elements */
  ND_FORM_VAR,        /* the mean is read, too; divided by the number less 'ddof' */
  ND_FORM_STD,        /* the square root of that */
  ND_FORM_UNTIL_TRUE, /* the first block whose result is true decides */
  ND_FORM_UNTIL_FALSE
} nd_form;

/* ORDER OP: the reductions: id, name, domain, result, min_elements, form. Views:
 * out, src, of VAR and STD the mean: f64, c128 of complex, and of out's shape. */
#define ND_REDUCE_OPS(X)                   \
  X(SUM, sum, ANY, SUM, 0, FOLD)           \
  X(PROD, prod, ANY, SUM, 0, FOLD)         \
  X(MIN, min, ORDERED, SAME, 1, FOLD)      \
  X(MAX, max, ORDERED, SAME, 1, FOLD)      \
  X(PTP, ptp, REAL, SAME, 1, FOLD)         \
  X(MEAN, mean, FLOAT, SAME, 0, MEAN)      \
  X(VAR, var, FLOAT, PART, 0, VAR)         \
  X(STD, std, FLOAT, PART, 0, STD)         \
  X(ARGMIN, argmin, ORDERED, I64, 1, FOLD) \
  X(ARGMAX, argmax, ORDERED, I64, 1, FOLD) \
  X(ANY, any, TRUTH, BOOL, 0, UNTIL_TRUE)  \
  X(ALL, all, TRUTH, BOOL, 0, UNTIL_FALSE) \
  X(COUNT_NONZERO, count_nonzero, ANY, I64, 0, FOLD)

/* ORDER OP: id, name, group, what its views are (the first is written unless said). */
#define ND_OTHER_OPS(X)                                                                           \
  X(RANGE, arange, FILL, "out, of the numbers of a progression")                                  \
  X(UNIFORM, uniform, FILL, "out, and as f64: lo, hi")                                            \
  X(NORMAL, normal, FILL, "out, and as f64: mean, deviation")                                     \
  X(EXPONENTIAL, exponential, FILL, "out, and as f64: scale")                                     \
  X(GAMMA, gamma, FILL, "out, and as f64: k, scale")                                              \
  X(BETA, beta, FILL, "out, and as f64: a, b")                                                    \
  X(POISSON, poisson, FILL, "out (i64), and as f64: mean")                                        \
  X(BINOMIAL, binomial, FILL, "out (i64), and as f64: n, p")                                      \
  X(INTEGERS, randint, FILL, "out, within lowest … lowest + span")                                \
  X(PERMUTATION, permutation, FILL, "out: i64, 1-D")                                              \
  X(TAKE, take, PICK, "out, src, index (i64, 1-D): along axis 0")                                 \
  X(PUT, put, PICK, "dst, values, index (i64, 1-D): along axis 0")                                \
  X(INDEX_ADD, index_add, PICK, "dst, values, index (i64, 1-D): along axis 0")                    \
  X(INDEX_JOIN, index, PICK, "out (i64, of one axis of several), index (i64)")                    \
  X(MASK_COUNT, mask, MASK, "mask (read)")                                                        \
  X(MASK_SELECT, mask, MASK, "out (1-D over the selected), src, mask: mask covers src's shape")   \
  X(MASK_ASSIGN, mask, MASK, "dst, values (1-D), mask: mask covers dst's shape")                  \
  X(CAST_CHECK, astype, SEARCH, "src (read): the first that ND_CHECK refuses as 'target'")        \
  X(OPERAND_CHECK, operand, SEARCH, "second operand (read): the first that 'checked' refuses")    \
  X(INDEX_CHECK, index, SEARCH, "index (read): the first outside 1 … extent and -extent … -1")    \
  X(EQUAL, equal, SEARCH, "a (read), b: one shape and dtype")                                     \
  X(CLOSE, allclose, SEARCH, "a (read), b: one shape; dtypes differ where none holds both")       \
  X(SORT, sort, SORT, "data: along its last axis")                                                \
  X(ARGSORT, argsort, SORT, "out (i64), src: along their last axes")                              \
  X(PARTITION, partition, SELECT, "out, src: along their last axes, places (i64, 1-D): packed")   \
  X(ARGPARTITION, argpartition, SELECT, "out (i64), src, places: the same")                       \
  X(TOPK, topk, SELECT, "values, positions (i64), src: along their last axes; packed")            \
  X(MEDIAN, median, SELECT, "out, src: along its last axis; packed")                              \
  X(QUANTILE, quantile, SELECT, "out (first axis: of q), src, q (f64, 1-D): the same")            \
  X(MODE, mode, SELECT, "values, counts (i64), src: along its last axis; packed")                 \
  X(CUMSUM, cumsum, SCAN, "out, src, of one shape: they share no bytes, or all their elements")   \
  X(CUMPROD, cumprod, SCAN, "the same")                                                           \
  X(CUMMAX, cummax, SCAN, "the same")                                                             \
  X(CUMMIN, cummin, SCAN, "the same")                                                             \
  X(SEARCHSORTED, searchsorted, COUNT, "out (i64), values, sorted (1-D): packed, of one dtype")   \
  X(BINCOUNT, bincount, COUNT, "counts (1-D), places (integers), maybe weights (f64): packed")    \
  X(HISTOGRAM, histogram, COUNT, "counts (1-D), values, edges, maybe weights (f64): packed")      \
  X(MATMUL, matmul, PRODUCT, "out (…, m, n; packed), a (…, m, k), b (…, k, n): of one dtype")     \
  X(SOLVE, solve, FACTOR, "x (…, n, r), a (…, n, n), b (…, n, r): x packed, of one dtype")        \
  X(INV, inv, FACTOR, "out (…, n, n), a: the same")                                               \
  X(DET, det, FACTOR, "out (…), a: the same")                                                     \
  X(SLOGDET, slogdet, FACTOR, "sign (…), logarithm (…; real), a: the same")                       \
  X(CHOLESKY, cholesky, FACTOR, "out (…, n, n), a: the same")                                     \
  X(LU, lu, FACTOR, "p (…, m; i64), l (…, m, k), u (…, k, n), a (…, m, n): k is the lesser")      \
  X(QR, qr, FACTOR, "q (…, m, k or m), r, a (…, m, n): q is not there in the form ONE")           \
  X(SVD, svd, FACTOR, "u (…, m, k or m), s (…, k; real), vh, a; in the form ONE s, a")            \
  X(EIGH, eigh, FACTOR, "w (…, n; real), v (…, n, n), a; in the form ONE w, a")                   \
  X(EIG, eig, FACTOR, "w (…, n; complex), v (…, n, n; complex), a; in the form ONE w, a")         \
  X(LSTSQ, lstsq, FACTOR, "x (…, n, r), residuals (…, r), rank (…), s (…, k), a, b (…, m, r)")    \
  X(FFT, fft, FFT, "out, src: of one shape but for the axis; no bytes or all elements in common") \
  X(CONVOLVE, convolve, CONVOLVE, "out, x, w: 1-D, packed, of one dtype; w is not longer than x")

#define ND_OPS(X) ND_ELEMENTWISE_OPS(X) ND_REDUCE_OPS(X) ND_OTHER_OPS(X)

#define ND_ROW(ID, ...) ND_OP_##ID,
typedef enum { ND_OPS(ND_ROW) ND_OP_COUNT } nd_op;
#undef ND_ROW

typedef struct {
  const char *name; /* of the Lua function */
  nd_op_group group;
  nd_domain domain; /* from here on: of element-wise operations and reductions only */
  nd_result result;
  int operands;     /* array operands that are read */
  int min_elements; /* elements along the axes that are reduced: with less there is no result */
  nd_form form;     /* of reductions */
  bool has_in_place, has_out, has_axis; /* a:name_(), {out =}, {axis =} */
} nd_op_traits;

const nd_op_traits *nd_op_get(nd_op op);

typedef enum { ND_REFUSES_NONE, ND_REFUSES_ZERO, ND_REFUSES_NEGATIVE } nd_refused;

/* The row of ND_SECOND_OPERANDS; 'refused' is ND_REFUSES_NONE where there is none. Never NULL. */
typedef struct {
  const char *name;
  nd_refused refused;
} nd_second_operand;
const nd_second_operand *nd_op_second(nd_op op);

/* Is 'op' one of ND_COMPARISONS? Then its mirror is written to 'mirrored', which may be
 * NULL. */
bool nd_op_is_comparison(nd_op op, nd_op *mirrored);

/* Is 'op' defined for operands of 'dtype'? If so, which dtype does it compute in, and which does
 * the result have? For element-wise operations and reductions. */
bool nd_op_is_defined(nd_op op, nd_dtype dtype);
nd_dtype nd_op_compute_dtype(nd_op op, nd_dtype dtype);
nd_dtype nd_op_result_dtype(nd_op op, nd_dtype dtype);

#endif
