/* Includes kernel bodies once per pair of dtypes that are compared as they are: BODY_ORDERED, and
 * BODY_SAME where one is complex. */
#define X_DTYPE _i64
#define Y_DTYPE _u64
#include BODY_ORDERED
#undef Y_DTYPE
#define Y_DTYPE _f64
#include BODY_ORDERED
#undef Y_DTYPE
#define Y_DTYPE _c128
#include BODY_SAME
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _u64
#define Y_DTYPE _i64
#include BODY_ORDERED
#undef Y_DTYPE
#define Y_DTYPE _f64
#include BODY_ORDERED
#undef Y_DTYPE
#define Y_DTYPE _c128
#include BODY_SAME
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _f64
#define Y_DTYPE _i64
#include BODY_ORDERED
#undef Y_DTYPE
#define Y_DTYPE _u64
#include BODY_ORDERED
#undef Y_DTYPE
#undef X_DTYPE

#define X_DTYPE _c128
#define Y_DTYPE _i64
#include BODY_SAME
#undef Y_DTYPE
#define Y_DTYPE _u64
#include BODY_SAME
#undef Y_DTYPE
#undef X_DTYPE
