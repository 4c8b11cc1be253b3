/* The elements that are reduced to one result, in order: where a fold is in them. */
#ifndef ND_DEV_HOST_SEQUENCE_H
#define ND_DEV_HOST_SEQUENCE_H

#include "kern/cast.h"
#include "view/iter.h"

/* All sequences of a reduction have the same shape, so one walk serves for all. */
typedef struct {
  nd_iter walk; /* of the source, along the reduced axes, from 'origin' */
  const char *origin;
  ndi_cast_kernel *pack; /* copies elements */
  ptrdiff_t item;        /* bytes of an element */
} ndi_sequence;

/* Where a fold is in the sequence of one result: 'shift' bytes from the walk. */
typedef struct {
  nd_iter it;
  size_t at; /* within the run */
  ptrdiff_t shift;
} ndi_cursor;

/* Position a cursor on element 'first' of the sequence whose element 0 is at 'x'. */
void ndi_cursor_init(const ndi_sequence *s, const char *x, size_t first, ndi_cursor *out);

/* The next 'n' elements, packed: the elements themselves where they are, else a copy in
 * 'buffer'. */
const char *ndi_cursor_take(const ndi_sequence *s, ndi_cursor *c, size_t n, char *buffer);

/* The address of the current element. */
static inline const char *ndi_cursor_peek(const ndi_cursor *c) {
  return c->it.at[0] + c->shift + (ptrdiff_t)c->at * c->it.step[0];
}

/* Skip 'n' elements, which must not pass the end of the run. After the last one of the sequence the
 * cursor is on the first one again. */
static inline void ndi_cursor_skip(ndi_cursor *c, size_t n) {
  if ((c->at += n) < c->it.run) return;
  c->at = 0;
  ndi_iter_next(&c->it);
}

#endif
