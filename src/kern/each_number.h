/* Includes kernel bodies once per dtype that C computes with: BODY_BOOL, BODY_UNSIGNED,
 * BODY_SIGNED, BODY_FLOAT, BODY_COMPLEX. What has no body is left out. */

#ifdef BODY_BOOL

#define DTYPE _bool
#include BODY_BOOL
#undef DTYPE

#undef BODY_BOOL
#endif

#ifdef BODY_UNSIGNED

#define DTYPE _u8
#include BODY_UNSIGNED
#undef DTYPE

#define DTYPE _u16
#include BODY_UNSIGNED
#undef DTYPE

#define DTYPE _u32
#include BODY_UNSIGNED
#undef DTYPE

#define DTYPE _u64
#include BODY_UNSIGNED
#undef DTYPE

#undef BODY_UNSIGNED
#endif

#ifdef BODY_SIGNED

#define DTYPE _i8
#include BODY_SIGNED
#undef DTYPE

#define DTYPE _i16
#include BODY_SIGNED
#undef DTYPE

#define DTYPE _i32
#include BODY_SIGNED
#undef DTYPE

#define DTYPE _i64
#include BODY_SIGNED
#undef DTYPE

#undef BODY_SIGNED
#endif

#ifdef BODY_FLOAT

#define DTYPE _f32
#include BODY_FLOAT
#undef DTYPE

#define DTYPE _f64
#include BODY_FLOAT
#undef DTYPE

#undef BODY_FLOAT
#endif

#ifdef BODY_COMPLEX

#define DTYPE _c64
#include BODY_COMPLEX
#undef DTYPE

#define DTYPE _c128
#include BODY_COMPLEX
#undef DTYPE

#undef BODY_COMPLEX
#endif
