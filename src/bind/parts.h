/* The commonest views, from the numbers of a script: rows (a[i]), select, narrow, transposes,
 * slices. What they refuse is left to the general path, which says why. They call no Lua. */
#ifndef ND_BIND_PARTS_H
#define ND_BIND_PARTS_H

#include "view/view.h"

/* These make 'out' the view of a part of 'v' that 'count' numbers of a script ask for, borrowed
 * from 'v', or return false, with nothing written: for what is refused, and for elements. 'out'
 * need have no more axes than the result. */
typedef bool ndb_part_finder(const nd_view *v, int count, const double *numbers, nd_view *out);
ndb_part_finder ndb_part_row, ndb_part_select, ndb_part_narrow, ndb_part_transpose,
    ndb_part_permute;

/* The same by the text of a slice, which ends with a NUL byte after 'length' others. */
bool ndb_part_slice(const nd_view *v, const char *text, size_t length, nd_view *out);

#endif
