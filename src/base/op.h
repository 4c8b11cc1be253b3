/* The operation list: what a device may be asked to run. Names and operands; no code. */
#ifndef ND_BASE_OP_H
#define ND_BASE_OP_H

/* ORDER OP: id, name, what its views are (the first is written unless said). */
#define ND_OPS(X)                                                                                \
  X(RANGE, arange, "out[i] = first + i * step")                                                  \
  X(UNIFORM, random, "out")                                                                      \
  X(NORMAL, normal, "out")                                                                       \
  X(INTEGERS, randint, "out, within lo … lo + span")                                             \
  X(PERMUTATION, permutation, "out: i64, 1-D")                                                   \
  X(TAKE, take, "out, src, index (i64, 1-D): along axis 0")                                      \
  X(PUT, put, "dst, values, index (i64, 1-D): along axis 0")                                     \
  X(INDEX_ADD, index_add, "dst, values, index (i64, 1-D): along axis 0")                         \
  X(INDEX_CHECK, index_check, "index (read): the first outside 1 … extent and -extent … -1")     \
  X(MASK_COUNT, mask_count, "mask (read)")                                                       \
  X(MASK_SELECT, mask_select, "out (1-D over the selected), src, mask: mask covers src's shape") \
  X(MASK_ASSIGN, mask_assign, "dst, values (1-D), mask: mask covers dst's shape")                \
  X(EQUAL, equal, "a (read), b: one shape and dtype")                                            \
  X(CLOSE, allclose, "a (read), b: one shape and dtype; rtol, atol")

#define ND_ROW(ID, ...) ND_OP_##ID,
typedef enum { ND_OPS(ND_ROW) ND_OP_COUNT } nd_op;
#undef ND_ROW

#endif
