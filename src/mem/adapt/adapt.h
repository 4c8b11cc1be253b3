/* Adaptors: resources that change how blocks of another one, their upstream, are taken and given
 * back. Each maker holds the upstream; '*out' is one reference. ND_OUT_OF_MEMORY without memory for
 * the record, ND_INVALID_ARGUMENT for a stack that makes no sense, ND_CAPACITY for one of more than
 * 64 layers. */
#ifndef ND_MEM_ADAPT_ADAPT_H
#define ND_MEM_ADAPT_ADAPT_H

#include "mem/due.h"
#include "mem/resource.h"

/* {=== adapt.c ===} */

/* A zeroed record of so many bytes, which begins with an nd_resource, on 'up'. */
nd_status ndi_adaptor_make(const nd_resource_ops *ops, size_t bytes, nd_resource *up,
                           nd_resource **out, nd_error *err);

/* Add 'text' to the message, once, where memory is short for what was asked of the upstream, which
 * is more than what was asked of the adaptor. */
void ndi_adaptor_explain(nd_status status, const char *text, nd_error *err);

/* {=== meter.c ===} What a layer counts, in nested scopes: blocks, until they are given back. */

/* Counts since the scope began. 'now' is signed: less than 0 where older blocks were given back. */
typedef struct {
  nd_gauge bytes, blocks;
  uint64_t pending, pending_blocks; /* of the layer, when the scope began */
} ndi_scope;

typedef struct ndi_meter {
  atomic_uint lock; /* of mem/spin.h */
  ndi_scope scope;  /* the innermost one */
  ndi_scope *outer; /* those around it, the innermost last */
  int depth, room;  /* of 'outer': used, allocated */
} ndi_meter;

/* Count blocks that came (more than 0) or went (less). */
void ndi_meter_add(ndi_meter *meter, int64_t bytes, int64_t blocks);
void ndi_meter_reset_peak(ndi_meter *meter);
void ndi_meter_close(ndi_meter *meter);

uint64_t ndi_meter_peak(ndi_meter *meter); /* in bytes, whatever scopes there are */

/* Set 'live', 'live_count' and 'is_scoped', where 'pending' is set. */
void ndi_meter_read(ndi_meter *meter, nd_mem_stats *out);

/* Begin a scope while so much is pending; end it, what it counted is in 'out'. An outer scope has
 * then counted it, too. */
nd_status ndi_meter_push(ndi_meter *meter, const nd_mem_stats *now, nd_error *err);
nd_status ndi_meter_pop(ndi_meter *meter, nd_mem_stats *out, nd_error *err);

/* {=== budget.c ===} A hard limit. */

/* At most 'limit' bytes of 'up', counted as granted: those in use, pending, or promised by a
 * reservation, and what the memory's own cache keeps. A take that would exceed it fails with
 * ND_BUDGET_EXCEEDED. 'place' names the memory in messages. */
nd_status nd_budget_make(nd_resource *up, uint64_t limit, const char *place, nd_resource **out,
                         nd_error *err);

/* {=== limit.c ===} */

/* The limit that 'text' means for 'up': "4GiB", "512 MiB", "1000000", or "50%" of all memory that
 * there is of its kind. ND_INVALID_ARGUMENT for another text, and where that is unknown. */
nd_status nd_budget_parse(const char *text, nd_resource *up, uint64_t *out, nd_error *err);

/* {=== budget.c, continued ===} */

/* The next functions work on the outermost budget of the stack 'self'. ND_UNSUPPORTED where there
 * is none. A limit below what is in use now refuses all takes until enough came back. */
nd_status nd_budget_set_limit(nd_resource *self, uint64_t limit, nd_error *err);

/* Would all budgets of a stack let 'bytes' pass now? ND_BUDGET_EXCEEDED where one would not. Other
 * threads may take them meanwhile. */
nd_status nd_budget_check(nd_resource *self, size_t bytes, nd_error *err);

/* {=== reservation.c ===} */

/* Promise 'bytes' of all budgets of 'self' to takes whose request has the reservation in its list.
 * Makes room as a take does. What is taken by it is given back to the budgets, not to the
 * reservation. One reference. */
nd_status nd_budget_reserve(nd_resource *self, size_t bytes, nd_reservation **out, nd_error *err);
uint64_t nd_reservation_remaining(const nd_reservation *self); /* of the outermost budget's */
void nd_reservation_release(nd_reservation *self);             /* the rest; idempotent */
nd_reservation *nd_reservation_hold(nd_reservation *self);
void nd_reservation_drop(nd_reservation *self); /* the last one releases it */

/* Charge all budgets of a stack for memory of its kind that is not taken from it. Makes room as a
 * take does. Counts as promised until it is uncharged. */
nd_status nd_budget_charge(nd_resource *stack, size_t bytes, nd_error *err);
void nd_budget_uncharge(nd_resource *stack, size_t bytes);

/* {=== pool.c ===} */

/* Keeps up to 'cap' bytes of what is given back for later takes. Not over a pool, a file or foreign
 * memory. */
nd_status nd_pool_make(nd_resource *up, uint64_t cap, nd_resource **out, nd_error *err);

/* {=== retry.c ===} */

/* 'ask' is called for a take of so many bytes, or a reservation, that failed for want of memory,
 * before work in flight is waited for, as long as it says to try again. On the thread that takes,
 * which holds no lock. It may add to the message of 'err' (may be NULL). 'release' (may be
 * NULL) is called with the context when the adaptor is closed, on any thread. */
typedef struct {
  nd_answer (*ask)(void *context, size_t bytes, nd_error *err);
  void (*release)(void *context);
  void *context;
} nd_retry_hook;

/* Not below a budget. Takes over the hook's context. */
nd_status nd_retry_make(nd_resource *up, const nd_retry_hook *hook, nd_resource **out,
                        nd_error *err);

/* {=== track.c ===} */

enum { ND_TRACE_TEXT = 1024 };

typedef struct {
  const void *address; /* the device's; NULL for 0 bytes */
  size_t bytes;        /* as requested */
  uint64_t tag;        /* of the request */
  uint64_t generation; /* from 1 on: of all that were taken, this was the how manieth */
  double taken, age;   /* seconds: when, on the monotonic clock, and how long ago */
  const char *trace;   /* the lines that led to the take, by nd_call's 'trace' */
} nd_tracked;

/* Not below a pool. */
nd_status nd_track_make(nd_resource *up, nd_resource **out, nd_error *err);

/* The blocks that the outermost track layer of 'self' took and did not get back, the oldest first.
 * The list, its texts included, is one allocation, for the caller to free. ND_UNSUPPORTED where
 * there is no such layer. */
nd_status nd_track_list(nd_resource *self, nd_tracked **out, size_t *count, nd_error *err);

/* {=== guard.c ===} Finds writes beside blocks, and to blocks that were given back. */

typedef struct {
  const char *what;    /* "before", "after", "use after free", "overlap". Static */
  const void *address; /* of the block, for its user */
  size_t bytes;        /* as requested */
  uint64_t tag;        /* of the request */
  uint64_t generation; /* as that of nd_tracked */
  ptrdiff_t offset;    /* of the first byte concerned, from 'address' on */
  char trace[ND_TRACE_TEXT];
} nd_finding;

/* Marks the bytes before and after each block, fills blocks as they are taken (0xDD) and given back
 * (0xDE), and keeps those for a while. Where a mark changed, the next take fails once, with
 * ND_OUT_OF_BOUNDS or ND_USE_AFTER_FREE; with ND_OVERLAP one that got memory of another block. Not
 * over files and foreign memory, nor below a pool. Over memory that the CPU cannot read, the
 * device's 'staging' (mem/resource.h) has to be there at the first take: pinned memory has to be
 * asked for before.
 *
 * 'tell' (may be NULL) gets what nobody was told, as the guard is closed, on any thread. That does
 * not look at device and managed memory any more, which calls a driver: settle the guard first. */
nd_status nd_guard_make(nd_resource *up, void (*tell)(const nd_finding *finding, uint64_t lost),
                        nd_resource **out, nd_error *err);

/* Wait for all work on the memory of 'self', look at all blocks of its outermost guard, live and
 * kept, give back the latter, and take all findings off the list: an allocation of the caller's.
 * '*lost': for how many there was no room. ND_UNSUPPORTED where there is no guard. */
nd_status nd_guard_verify(nd_resource *self, nd_finding **out, size_t *count, uint64_t *lost,
                          nd_error *err);

/* Fail for the oldest finding of the guards of 'self' for which no call failed yet, as the next
 * allocation would. */
nd_status nd_guard_raise(const nd_resource *self, nd_error *err);

/* Look at the blocks that a guard keeps, and give them back; with 'waits' after waiting for work on
 * them, and then telling what no call failed for. Are none left? What is no guard has none. */
bool nd_guard_settle(nd_resource *self, bool waits);

/* Take the steps of a guard that are due on memory of devices, without waiting. */
void nd_guard_go_on(nd_resource *self);

/* Let a reader take the steps of a new guard, which is due while there are some. Of memory that the
 * CPU cannot read it is so also as its last reference is gone, until all blocks are looked at. */
void nd_guard_join(nd_resource *self, ndi_due *reader);

/* Take the steps of all that are due, without waiting. The second settles all guards that there
 * are, waiting, and drops the reader. */
void nd_guards_go_on(ndi_due *reader);
void nd_guards_end(ndi_due *reader);

/* {=== stats.c ===} */

/* Counts what goes through it. */
nd_status nd_stats_make(nd_resource *up, nd_resource **out, nd_error *err);

/* Begin a scope of the outermost layer of 'self' that counts in scopes (stats, budget, pool), and
 * end its innermost one: '*out' is what that has counted. ND_UNSUPPORTED where there is no such
 * layer; ND_INVALID_ARGUMENT for an end without a beginning. */
nd_status nd_stats_push(nd_resource *self, nd_error *err);
nd_status nd_stats_pop(nd_resource *self, nd_mem_stats *out, nd_error *err);

/* {=== log_ring.c ===} What a log records; a queue of records. */

/* ORDER LOG_ACTION */
typedef enum {
  ND_LOG_ALLOCATE,
  ND_LOG_FREE,
  ND_LOG_FAILURE,      /* no memory was had; the pointer is NULL */
  ND_LOG_FREE_FAILURE, /* the block stays allocated */
  ND_LOG_REAP,         /* this and the next: so many bytes were given back, no pointer */
  ND_LOG_TRIM,
  ND_LOG_DAMAGE, /* a guard found it: the first byte concerned, the size of the block */
} nd_log_action;

const char *nd_log_action_name(nd_log_action action); /* "allocate failure" and the like. Static. */

typedef struct {
  uint64_t time;   /* microseconds since 1970, UTC */
  uint64_t thread; /* the system's number of the thread */
  const void *ptr; /* NULL for 0 bytes */
  size_t bytes;    /* as requested */
  size_t granted;  /* 0 for a failure */
  uint32_t queue;  /* that the block is ready on; 0: the host */
  uint16_t device; /* registry number */
  uint8_t kind;    /* nd_memkind as granted */
  nd_log_action action;
} nd_log_record;

/* Any thread may put records and take them. 'keeps_last': a record for which there is no room takes
 * the place of the oldest; otherwise it is lost. */
typedef struct ndi_log_ring ndi_log_ring;
ndi_log_ring *ndi_log_ring_make(size_t room, bool keeps_last); /* one reference; NULL: no memory */
ndi_log_ring *ndi_log_ring_hold(ndi_log_ring *self);
void ndi_log_ring_drop(ndi_log_ring *self); /* NULL may be dropped */
bool ndi_log_ring_keeps_last(const ndi_log_ring *self);

/* What finds no room or comes after 'close' is counted as lost. */
void ndi_log_ring_put(ndi_log_ring *self, const nd_log_record *record);
void ndi_log_ring_close(ndi_log_ring *self);
bool ndi_log_ring_is_closed(const ndi_log_ring *self);

/* Make a new ring due at 'due' as a record comes, and as it is closed. It has 'reader' until that
 * is set to NULL. The second: the reader (or NULL) of the ring that is due for longest. The third,
 * after ndi_due_close: of one that joined. False: there is none. */
void ndi_log_ring_join(ndi_log_ring *self, ndi_due *due, void *reader);
void ndi_log_ring_set_reader(ndi_log_ring *self, void *reader);
bool ndi_log_ring_take_due(ndi_due *due, void **reader);
bool ndi_log_ring_pop(ndi_due *due, void **reader);

/* Records are numbered as they come. The number of the next one to come; is there none to take? */
uint64_t ndi_log_ring_end(const ndi_log_ring *self);
bool ndi_log_ring_is_empty(const ndi_log_ring *self);

/* Copy the record with number '*at', or the oldest one after it that is still there, and set '*at'
 * to the number after it. False: there is none before 'end'. The second removes the oldest. */
bool ndi_log_ring_get(ndi_log_ring *self, uint64_t *at, uint64_t end, nd_log_record *out);
bool ndi_log_ring_take(ndi_log_ring *self, uint64_t end, nd_log_record *out);

/* Count a record that was taken as lost; the number of all that were lost. */
void ndi_log_ring_lose(ndi_log_ring *self);
uint64_t ndi_log_ring_lost(const ndi_log_ring *self);

/* {=== log_file.c ===} Records as rows of a file. */

typedef struct ndi_log_file ndi_log_file;

/* Begin a file of at most 'cap' bytes, which replaces what 'path' has. ND_IO, with the path, where
 * it cannot be opened: with EWOULDBLOCK as "errno" where another log has it open. Whatever fails
 * later only counts as lost, as does what a forked child puts. */
nd_status ndi_log_file_open(const char *path, uint64_t cap, ndi_log_file **out, nd_error *err);
void ndi_log_file_put(ndi_log_file *self, const nd_log_record *record);
uint64_t ndi_log_file_lost(const ndi_log_file *self);
void ndi_log_file_close(ndi_log_file *self); /* NULL may be closed */

/* {=== log.c ===} */

/* Records each take, each give, and what trims and reaps give back; changes nothing, and holds no
 * lock meanwhile. Into a file: a table of comma-separated values that begins with the columns of
 * RMM's log. What RMM does not know, from ND_LOG_FREE_FAILURE on, goes to a second file,
 * "x.events.csv" beside "x.csv", unless there is a file of that name which no log wrote. */
nd_status nd_log_make_file(nd_resource *up, const char *path, uint64_t cap, nd_resource **out,
                           nd_error *err);

/* Into a ring of so many records (ND_INVALID_ARGUMENT for 0). */
nd_status nd_log_make_ring(nd_resource *up, size_t room, bool keeps_last, nd_resource **out,
                           nd_error *err);

/* The ring of that sort of the outermost log of 'self' that has one, which lives as long as 'self';
 * or NULL. */
ndi_log_ring *nd_log_ring_of(nd_resource *self, bool keeps_last);

/* Record, in the outermost log of 'self', that a byte of 'block' was damaged. */
void ndi_log_damage(nd_resource *self, const nd_block *block, const void *at);

/* The number of records that all logs of a stack lost. False: there is no log in it. */
bool nd_log_lost(const nd_resource *self, uint64_t *out);

#endif
