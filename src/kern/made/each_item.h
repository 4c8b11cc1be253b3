/* Made by tools/kern.lua: make kern. Includes BODY once per size of elements. */
/* clang-format off */
#include "kern/words.h"

#ifdef BODY
#define BODY_REAL BODY
#define BODY_COMPLEX BODY
#endif

#ifndef ND_ITEMS
#define ND_REAL_ITEMS(X) X(1) X(2) X(4) X(8)
#define ND_SMALLER_ITEMS(X) X(1) X(2) X(4) X(8)
#define ND_WIDEST_ITEM 16
#define ND_ITEMS(X) ND_SMALLER_ITEMS(X) X(16)
#endif

#ifdef BODY_REAL
#define DTYPE _1
#define ITEM 1
#include BODY_REAL
#undef ITEM
#undef DTYPE
#define DTYPE _2
#define ITEM 2
#include BODY_REAL
#undef ITEM
#undef DTYPE
#define DTYPE _4
#define ITEM 4
#include BODY_REAL
#undef ITEM
#undef DTYPE
#define DTYPE _8
#define ITEM 8
#include BODY_REAL
#undef ITEM
#undef DTYPE
#undef BODY_REAL
#endif

#ifdef BODY_COMPLEX
#define DTYPE _16
#define ITEM 16
#include BODY_COMPLEX
#undef ITEM
#undef DTYPE
#undef BODY_COMPLEX
#endif

#undef BODY
