/* What the files of the guard adaptor share: guard_tree.c knows the ranges of all blocks,
 * guard_find.c looks at bytes and keeps findings, guard_keep.c what becomes of a block that was
 * given back, guard.c is the resource. */
#ifndef ND_MEM_ADAPT_GUARD_H
#define ND_MEM_ADAPT_GUARD_H

#include "mem/adapt/adapt.h"
#include "mem/due.h"

/* The bytes around a block, and what is written where. */
enum {
  NDI_GUARD_FRONT = 256, /* the alignment of devices, which is kept */
  NDI_GUARD_BACK = 64,   /* at least; as many more as round the size up to a multiple of it */
  NDI_GUARD_MARK = 0xfb,
  NDI_GUARD_TAKEN = 0xdd,
  NDI_GUARD_GIVEN = 0xde
};

/* Of device memory so many bytes are looked at, at each end, as a block leaves. A slot has room for
 * them and the marks. */
enum { NDI_GUARD_END = 4096, NDI_GUARD_SLOT = 2 * NDI_GUARD_END + 512, NDI_GUARD_SLOTS = 32 };

enum { NDI_GUARD_FINDINGS = 64 };

/* Of a block; made at the take, so that a give needs no memory. */
typedef struct ndi_guard_node {
  struct ndi_guard_node *left, *right; /* in the tree */
  uint32_t weight;                     /* there: more than those of the nodes below it */
  struct ndi_guard_node *next;         /* in a queue */
  nd_block block;                      /* the upstream's; 'ready' after what the guard wrote */
  size_t front, bytes, back;           /* the user's range, and what is around it */
  uint64_t tag, generation;
  nd_uses after;     /* once it is given back: all work on it, the guard's included */
  size_t head, tail; /* how much of the user's range is in the slot: of its beginning and end */
  nd_point look;     /* from there on the slot has it */
  int slot;          /* negative: none */
  bool is_marked;    /* before that nobody but the taking thread knows it */
  bool is_torn;      /* only a part of what the slot should have was enqueued */
  bool is_filled;    /* with NDI_GUARD_GIVEN */
  unsigned told;     /* a bit for each sort of finding: each is told once */
  unsigned refusals; /* how often a look at it could not be made */
  char trace[];
} ndi_guard_node;

/* Blocks in the order in which they came. */
typedef struct {
  ndi_guard_node *first, *last;
  size_t count, bytes;
} ndi_guard_queue;

typedef struct {
  nd_finding finding;
  bool is_raised;
} ndi_guard_entry;

typedef struct {
  nd_resource base;
  ndi_due_item due; /* while steps are to be taken */
  void (*tell)(const nd_finding *finding, uint64_t lost);
  atomic_uint lock;     /* of mem/spin.h; guards the rest, but no byte of a block */
  ndi_guard_node *root; /* of the tree of all blocks of the upstream */
  size_t nodes;         /* in it */
  uint64_t count;       /* of blocks ever */
  unsigned lookers;     /* calls that look at live blocks: no node may be freed, */
  unsigned looking_in;  /* in this process: the count of forks */
  /* Given back: 'fresh', of which nothing was enqueued yet; 'looked', with a look at the marks
   * under way; 'kept'; 'leaving', with the last look under way. Blocks that the CPU can look at are
   * kept at once. */
  ndi_guard_queue fresh, looked, kept, leaving;
  nd_resource *staging; /* where the slots come from */
  nd_block slots;
  uint32_t used_slots;
  /* {=== findings ===} the oldest first */
  atomic_int findings_count, unraised;
  uint64_t lost, dropped; /* for want of room: those that nobody was told, those that a call told */
  ndi_guard_entry *entries; /* of NDI_GUARD_FINDINGS; NULL: there never was one */
} ndi_guard;

static inline char *ndi_guard_at(const ndi_guard_node *n) {
  return (char *)n->block.ptr + n->front;
}

/* May the CPU look at the block itself? Not at managed memory, which devices may be using. */
static inline bool ndi_guard_is_near(const ndi_guard_node *n) {
  return n->block.host && n->block.kind != ND_MEM_MANAGED;
}

/* {=== guard_tree.c ===} The lock is held. */

/* A block that has a byte of this range; NULL: there is none. */
ndi_guard_node *ndi_guard_overlap(ndi_guard_node *root, const void *at, size_t bytes);
void ndi_guard_add(ndi_guard_node **root, ndi_guard_node *n);
void ndi_guard_remove(ndi_guard_node **root, ndi_guard_node *n);

/* List up to 'most' nodes that are marked; returns how many there are in 'out'. */
size_t ndi_guard_list(ndi_guard_node *root, ndi_guard_node **out, size_t most);

/* {=== guard_find.c ===} */

/* Bytes of a block, or copies of them: the mark before it with 'head' bytes of the user, and 'tail'
 * bytes of the user with the mark after it. */
typedef struct {
  const unsigned char *front, *back;
  size_t head, tail;
} ndi_guard_sight;

/* Look at the marks, and whether the user's bytes are all NDI_GUARD_GIVEN. */
void ndi_guard_compare(ndi_guard *g, ndi_guard_node *n, const ndi_guard_sight *sight);

/* The new block of 'n' has bytes of another. */
void ndi_guard_note_overlap(ndi_guard *g, const ndi_guard_node *n);

/* Fail for the oldest finding for which no call failed yet. */
nd_status ndi_guard_raise(ndi_guard *g, nd_error *err);

/* Move all findings to 'out'; or tell those for which no call failed, after which none will. */
size_t ndi_guard_take_findings(ndi_guard *g, nd_finding *out, uint64_t *lost);
void ndi_guard_tell_rest(ndi_guard *g);

/* {=== guard_keep.c ===} */

/* A slot; negative: all are in use. */
int ndi_guard_take_slot(ndi_guard *g);
void ndi_guard_give_slot(ndi_guard *g, int slot);

/* Copy marks, and as much of the user's bytes, to a slot, after '*chain', which becomes the last
 * point enqueued. '*is_torn': a part was enqueued, the rest failed. */
nd_status ndi_guard_fetch(ndi_guard *g, const ndi_guard_node *n, int slot, size_t head, size_t tail,
                          nd_uses *chain, bool *is_torn, nd_error *err);
ndi_guard_sight ndi_guard_sight_of(const ndi_guard *g, int slot, size_t head, size_t tail);
/* Of memory that the CPU reads. False: it is not to be touched any more. */
bool ndi_guard_look(ndi_guard *g, ndi_guard_node *n, bool is_given);

/* Set bytes of the upstream's block after '*chain', which becomes the point of that, also where the
 * call fails once it is enqueued. */
nd_status ndi_guard_fill(ndi_guard *g, const ndi_guard_node *n, size_t offset, size_t bytes,
                         uint8_t value, nd_uses *chain, nd_error *err);

/* Keep a block that was given back. */
void ndi_guard_keep(ndi_guard *g, ndi_guard_node *n);

/* Let the blocks go on that are at a step that is done, and give back the oldest ones that are kept
 * beyond the limit, or beyond 'keep' bytes. */
nd_status ndi_guard_step(ndi_guard *g, size_t keep, bool waits, size_t *freed, nd_error *err);

/* Leave a block to the next reap, where a give might call a driver, or work on it is in flight. */
void ndi_guard_leave_block(nd_resource *to, const nd_block *block, const nd_uses *uses);
bool ndi_guard_is_empty(ndi_guard *g);
bool ndi_guard_is_moving(ndi_guard *g); /* have steps begun that go on by themselves? */

/* As the guard is closed: what calls a driver is left to reaps. */
void ndi_guard_leave_all(ndi_guard *g);

#endif
