/* Made by tools/kern.lua: make kern. Includes BODY, or BODY_<class>, once per dtype. */
/* clang-format off */
#include "kern/words.h"

#ifdef BODY
#define BODY_REAL BODY
#define BODY_COMPLEX BODY
#endif
#ifdef BODY_REAL
#define BODY_BOOL BODY_REAL
#define BODY_UNSIGNED BODY_REAL
#define BODY_SIGNED BODY_REAL
#define BODY_FLOAT BODY_REAL
#endif

#ifdef BODY_BOOL
#define CLASS _uint
#define DTYPE _bool
#include BODY_BOOL
#undef DTYPE
#undef CLASS
#undef BODY_BOOL
#endif

#ifdef BODY_UNSIGNED
#define CLASS _uint
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
#undef CLASS
#undef BODY_UNSIGNED
#endif

#ifdef BODY_SIGNED
#define CLASS _int
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
#undef CLASS
#undef BODY_SIGNED
#endif

#ifdef BODY_FLOAT
#define CLASS _float
#define DTYPE _f16
#include BODY_FLOAT
#undef DTYPE
#define DTYPE _bf16
#include BODY_FLOAT
#undef DTYPE
#define DTYPE _f32
#include BODY_FLOAT
#undef DTYPE
#define DTYPE _f64
#include BODY_FLOAT
#undef DTYPE
#define DTYPE _f8e4m3
#include BODY_FLOAT
#undef DTYPE
#define DTYPE _f8e5m2
#include BODY_FLOAT
#undef DTYPE
#undef CLASS
#undef BODY_FLOAT
#endif

#ifdef BODY_COMPLEX
#define CLASS _complex
#define DTYPE _c64
#include BODY_COMPLEX
#undef DTYPE
#define DTYPE _c128
#include BODY_COMPLEX
#undef DTYPE
#undef CLASS
#undef BODY_COMPLEX
#endif

#undef BODY
#undef BODY_REAL
