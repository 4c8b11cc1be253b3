/* Includes BODY once per element size, for kernels that move elements without looking into them. */
#include "kern/words.h"

#define ITEM 1
#define DTYPE _1
#include BODY
#undef DTYPE
#undef ITEM

#define ITEM 2
#define DTYPE _2
#include BODY
#undef DTYPE
#undef ITEM

#define ITEM 4
#define DTYPE _4
#include BODY
#undef DTYPE
#undef ITEM

#define ITEM 8
#define DTYPE _8
#include BODY
#undef DTYPE
#undef ITEM

#define ITEM 16
#define DTYPE _16
#include BODY
#undef DTYPE
#undef ITEM

#undef BODY
