/* Exchange with other programs, by files, and with other libraries of this process, by pointers.
 * Files are not trusted: every number of a header is checked before it is used. Pointers are, but
 * not the numbers that come with them. */
#ifndef ND_XCHG_XCHG_H
#define ND_XCHG_XCHG_H

#include "xchg/arrow.h"
#include "xchg/dlpack.h"
#include "xchg/format.h"

#endif
