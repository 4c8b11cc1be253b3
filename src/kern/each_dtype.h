/* Includes a kernel body once per dtype: BODY, or BODY_REAL and BODY_COMPLEX where they differ. */
#include "kern/words.h"

#ifdef BODY
#define BODY_REAL BODY
#define BODY_COMPLEX BODY
#endif

#define CLASS _uint

#define DTYPE _bool
#include BODY_REAL
#undef DTYPE

#define DTYPE _u8
#include BODY_REAL
#undef DTYPE

#define DTYPE _u16
#include BODY_REAL
#undef DTYPE

#define DTYPE _u32
#include BODY_REAL
#undef DTYPE

#define DTYPE _u64
#include BODY_REAL
#undef DTYPE

#undef CLASS

#define CLASS _int

#define DTYPE _i8
#include BODY_REAL
#undef DTYPE

#define DTYPE _i16
#include BODY_REAL
#undef DTYPE

#define DTYPE _i32
#include BODY_REAL
#undef DTYPE

#define DTYPE _i64
#include BODY_REAL
#undef DTYPE

#undef CLASS

#define CLASS _float

#define DTYPE _f16
#include BODY_REAL
#undef DTYPE

#define DTYPE _bf16
#include BODY_REAL
#undef DTYPE

#define DTYPE _f32
#include BODY_REAL
#undef DTYPE

#define DTYPE _f64
#include BODY_REAL
#undef DTYPE

#define DTYPE _f8e4m3
#include BODY_REAL
#undef DTYPE

#define DTYPE _f8e5m2
#include BODY_REAL
#undef DTYPE

#undef CLASS

#define CLASS _complex

#define DTYPE _c64
#include BODY_COMPLEX
#undef DTYPE

#define DTYPE _c128
#include BODY_COMPLEX
#undef DTYPE

#undef CLASS

#undef BODY
#undef BODY_REAL
#undef BODY_COMPLEX
