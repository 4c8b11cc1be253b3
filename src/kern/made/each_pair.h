/* Made by tools/kern.lua: make kern. Includes BODY_ORDERED or BODY_SAME once per pair of dtypes. */
/* clang-format off */

#define X_DTYPE _i64
#define Y_DTYPE _u64
#include BODY_ORDERED
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _i64
#define Y_DTYPE _f64
#include BODY_ORDERED
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _i64
#define Y_DTYPE _c128
#include BODY_SAME
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _u64
#define Y_DTYPE _i64
#include BODY_ORDERED
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _u64
#define Y_DTYPE _f64
#include BODY_ORDERED
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _u64
#define Y_DTYPE _c128
#include BODY_SAME
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _f64
#define Y_DTYPE _i64
#include BODY_ORDERED
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _f64
#define Y_DTYPE _u64
#include BODY_ORDERED
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _c128
#define Y_DTYPE _i64
#include BODY_SAME
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _c128
#define Y_DTYPE _u64
#include BODY_SAME
#undef Y_DTYPE
#undef X_DTYPE
