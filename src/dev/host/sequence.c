/* Walks along the sequence of elements that are reduced to one result. */
#include "dev/host/sequence.h"

void ndi_cursor_init(const ndi_sequence *s, const char *x, size_t first, ndi_cursor *out) {
  out->it = s->walk;
  out->at = first % s->walk.run;
  out->shift = x - s->origin;
  ndi_iter_seek(&out->it, first / s->walk.run);
}

const char *ndi_cursor_take(const ndi_sequence *s, ndi_cursor *c, size_t n, char *buffer) {
  const char *x = ndi_cursor_peek(c);
  if (c->it.run - c->at >= n && (c->it.step[0] == s->item || n == 1))
    return ndi_cursor_skip(c, n), x;
  for (size_t got = 0; got < n;) {
    const size_t left = c->it.run - c->at, some = n - got < left ? n - got : left;
    s->pack(some, buffer + (ptrdiff_t)got * s->item, s->item, ndi_cursor_peek(c), c->it.step[0]);
    ndi_cursor_skip(c, some);
    got += some;
  }
  return buffer;
}
