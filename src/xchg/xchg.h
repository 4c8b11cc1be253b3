/* Exchange with other programs: file formats. Files are not trusted: every number of a header is
 * checked before it is used. */
#ifndef ND_XCHG_XCHG_H
#define ND_XCHG_XCHG_H

#include "xchg/format.h"

#endif
