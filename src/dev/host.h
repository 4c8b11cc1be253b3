/* What the files of the host device share. */
#ifndef ND_DEV_HOST_H
#define ND_DEV_HOST_H

#include "dev/device.h"
#include "view/iter.h"

/* The storages' host addresses, allocated and settled; the first view's for writing where
 * 'writes_first'. */
nd_status ndi_host_bases(int count, const nd_view *const *views, bool writes_first, char **bases,
                         nd_error *err);

/* After the work: did a file that was read or written shrink meanwhile? */
nd_status ndi_host_verify(int count, const nd_view *const *views, nd_error *err);

/* 'at' bytes behind a base, which is NULL where the storage has no bytes. */
static inline char *ndi_host_at(char *base, size_t at) { return base ? base + at : NULL; }

/* A walk in pieces of at most ND_PIECE elements, between which it asks for interrupts:
 * for (ndi_pieces_init(&p, 1, views, bases, true); p.n > 0;) {
 *   kernel(p.n, p.at[0], p.it.step[0]);
 *   ND_TRY(ndi_pieces_next(&p, err));
 * } */
enum { ND_PIECE = 1 << 20 };
typedef struct {
  nd_iter it;
  size_t n;                /* elements of this piece; 0: the walk is over */
  size_t before;           /* elements of the pieces before it */
  size_t done, since;      /* elements of the present run; since the last question */
  char *at[ND_ITER_VIEWS]; /* where the piece begins */
} ndi_pieces;
void ndi_pieces_init(ndi_pieces *p, int count, const nd_view *const *views, char *const *bases,
                     bool in_order);
nd_status ndi_pieces_next(ndi_pieces *p, nd_error *err);

/* 'n' more elements are done: ask for an interrupt when they are ND_PIECE since the last time. */
nd_status ndi_host_poll(size_t *since, size_t n, nd_error *err);

nd_status ndi_host_run(nd_device *self, const nd_task *task, nd_error *err);

#endif
