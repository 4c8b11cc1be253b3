/* Sorting one line, for the operations that need it. */
#ifndef ND_DEV_HOST_SORT_H
#define ND_DEV_HOST_SORT_H

#include "dev/host/host.h"
#include "kern/sort.h"

/* Sort a line as ndi_sort_start says, by the parts of 'shared', driven by 'thread'. False where the
 * poll stops the work. */
bool ndi_sort_line(ndi_sorter *s, ndi_split shared, char *x, int64_t *out, ndi_poll *poll,
                   size_t thread);

#endif
