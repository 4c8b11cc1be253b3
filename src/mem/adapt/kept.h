/* What a pool keeps (kept.c): its blocks, and which of them a take may have. */
#ifndef ND_MEM_ADAPT_KEPT_H
#define ND_MEM_ADAPT_KEPT_H

#include "mem/fence.h"
#include "mem/gauge.h"
#include "mem/resource.h"

/* Of a block; made at the take, so that a give needs no memory. The links are of kept.c. */
typedef struct ndi_kept_node {
  struct ndi_kept_node *next, *previous; /* in a circle, the group; what 'next' had came earlier */
  struct ndi_kept_node *beside, **at;  /* the first of a group: in its bucket; else 'at' is NULL */
  struct ndi_kept_node *newer, *older; /* of all: the oldest goes first */
  uint64_t number;                     /* of the give, never reused */
  uint32_t queue;                      /* of the group */
  bool is_kept;                        /* the pool's: once it is given back */
  nd_block block;                      /* the upstream's */
  nd_uses after;                       /* what has to be done before it is used by anybody */
} ndi_kept_node;

enum { NDI_KEPT_BUCKETS = 1024 };

/* All zero: empty. */
typedef struct {
  atomic_uint lock; /* of mem/spin.h; guards all */
  nd_gauge bytes, blocks;
  uint64_t gives;
  ndi_kept_node *newest, *oldest;
  ndi_kept_node *bucket[NDI_KEPT_BUCKETS]; /* the groups, by size */
} ndi_kept;

/* What is kept. */
void ndi_kept_read(ndi_kept *kept, nd_gauge *bytes, nd_gauge *blocks);
uint64_t ndi_kept_bytes(ndi_kept *kept);

/* Keep a block, until one of the functions below returns it. */
void ndi_kept_give(ndi_kept *kept, ndi_kept_node *n);

/* The same if then at most so many bytes are kept. False: they would be more. */
bool ndi_kept_give_below(ndi_kept *kept, ndi_kept_node *n, uint64_t most);

/* A block of 'size' that work on 'queue' may use at once, the one given back last; or NULL. */
ndi_kept_node *ndi_kept_find_on(ndi_kept *kept, size_t size, uint32_t queue);

/* A block of 'size' whose work is over: its 'after' is empty. Asks devices. NULL: none was found,
 * though there may be one. */
ndi_kept_node *ndi_kept_find_done(ndi_kept *kept, size_t size);

/* A block of 'size', whatever it waits for; if there is one, of one queue alone. */
ndi_kept_node *ndi_kept_find_busy(ndi_kept *kept, size_t size);

/* The block given back longest ago, while more than 'most' bytes are kept. */
ndi_kept_node *ndi_kept_take_oldest(ndi_kept *kept, uint64_t most);

#endif
