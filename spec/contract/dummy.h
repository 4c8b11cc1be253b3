/* A device that does nothing until it has to: every copy and run waits in a queue until its point
 * is waited for, asked for 'patience' times, or sync is called. Its memory lies on the host, so
 * that the host can look at it too early, and a block that is given back too early is seen and
 * spoiled. */
#ifndef ND_SPEC_DUMMY_H
#define ND_SPEC_DUMMY_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dev/device.h"
#include "mem/foreign.h"
#include "mem/gauge.h"

#include "borrow.h"

enum { DUMMY_JOBS = 64, DUMMY_VIEWS = 3 };

typedef enum { JOB_COPY, JOB_RUN, JOB_FREE } job_kind;

/* The views are over borrowed addresses: a job keeps no storage alive, as a driver would not. */
typedef struct {
  job_kind kind;
  int count;
  nd_view views[DUMMY_VIEWS];
  nd_cast_mode mode;
  nd_task task;
  void *block; /* JOB_FREE */
} job;

static struct {
  nd_device device;
  nd_resource memory;  /* its frees have no order: blocks wait on the pending list */
  nd_resource ordered; /* its frees go through the queue */
  nd_resource hidden;  /* the host may not touch it */
  uint32_t queue;
  pthread_mutex_t lock; /* guards the queue */
  job jobs[DUMMY_JOBS]; /* number 'seq' is at seq % DUMMY_JOBS */
  uint64_t enqueued, done;
  int queries;              /* of the job at the head */
  int patience;             /* queries that run it; 0: none does */
  atomic_int until_refusal; /* jobs accepted before one that is not; negative: all are */
  size_t early_frees, failed_jobs, strays; /* strays: operands of a run that lie elsewhere */
  ndi_counters counters;
} dummy;

static inline uint64_t dummy_in_flight(void) {
  pthread_mutex_lock(&dummy.lock);
  const uint64_t count = dummy.enqueued - dummy.done;
  pthread_mutex_unlock(&dummy.lock);
  return count;
}

/* The last point that is still to come; seq 0: none is. */
static inline nd_point dummy_tail(void) {
  pthread_mutex_lock(&dummy.lock);
  const nd_point tail = {dummy.queue, dummy.done < dummy.enqueued ? dummy.enqueued : 0};
  pthread_mutex_unlock(&dummy.lock);
  return tail;
}

/* {=== jobs ===} */

static inline void dummy_discard(job *j) {
  for (int i = 0; i < j->count; i++) nd_view_drop(&j->views[i]);
}

typedef struct {
  size_t bytes;
  void *raw;
} dummy_head;

static inline void dummy_free(void *block) {
  dummy_head head;
  memcpy(&head, (char *)block - sizeof head, sizeof head);
  memset(block, 0xdd, head.bytes);
  free(head.raw);
}

static inline void dummy_perform(job *j) {
  nd_status status = ND_OK;
  if (j->kind == JOB_COPY)
    status = nd_device_copy(nd_host_device(), &j->views[0], &j->views[1], j->mode, NULL);
  else if (j->kind == JOB_RUN) status = nd_device_run(nd_host_device(), &j->task, NULL);
  else dummy_free(j->block);
  dummy.failed_jobs += status != ND_OK;
  dummy_discard(j);
}

/* The lock is held. */
static inline void dummy_perform_until(uint64_t seq) {
  while (dummy.done < seq && dummy.done < dummy.enqueued) {
    dummy_perform(&dummy.jobs[(dummy.done + 1) % DUMMY_JOBS]);
    dummy.done++;
    dummy.queries = 0;
  }
}

/* Give 'j' the next number. A full queue runs its head. */
static inline nd_point dummy_enqueue(const job *j) {
  pthread_mutex_lock(&dummy.lock);
  if (dummy.enqueued - dummy.done == DUMMY_JOBS) dummy_perform_until(dummy.done + 1);
  job *at = &dummy.jobs[++dummy.enqueued % DUMMY_JOBS];
  *at = *j;
  for (int i = 0; i < j->count; i++) at->task.views[i] = &at->views[i];
  const nd_point point = {dummy.queue, dummy.enqueued};
  pthread_mutex_unlock(&dummy.lock);
  return point;
}

static inline nd_status dummy_wait(void *context, nd_point point, nd_error *err) {
  (void)context, (void)err;
  pthread_mutex_lock(&dummy.lock);
  dummy_perform_until(point.seq);
  pthread_mutex_unlock(&dummy.lock);
  return ND_OK;
}

/* Never blocks, and polling comes to an end: query number 'patience' runs one job. */
static inline bool dummy_is_done(void *context, nd_point point) {
  (void)context;
  if (pthread_mutex_trylock(&dummy.lock) != 0) return false;
  if (dummy.done < point.seq && ++dummy.queries == dummy.patience)
    dummy_perform_until(dummy.done + 1);
  const bool is_done = dummy.done >= point.seq;
  pthread_mutex_unlock(&dummy.lock);
  return is_done;
}

/* {=== the device ===} */

static inline nd_status dummy_borrow_all(job *j, int count, const nd_view *const *views,
                                         nd_error *err) {
  if (atomic_fetch_sub(&dummy.until_refusal, 1) == 0) return nd_fail(err, ND_DRIVER, "refused");
  for (j->count = 0; j->count < count; j->count++) {
    const nd_status status = borrow_view(views[j->count], &j->views[j->count], err);
    if (status == ND_OK) continue;
    dummy_discard(j);
    return status;
  }
  return ND_OK;
}

/* The first view is written. */
static inline nd_status dummy_use(nd_point at, int count, const nd_view *const *views,
                                  nd_error *err) {
  for (int i = 0; i < count; i++) {
    nd_use use = {.at = at, .is_write = i == 0};
    nd_view_span(views[i], &use.lo, &use.hi);
    ND_TRY(nd_storage_use(views[i]->storage, &use, err));
  }
  return ND_OK;
}

static inline nd_status dummy_copy(nd_device *self, const nd_view *dst, const nd_view *src,
                                   nd_cast_mode mode, nd_error *err) {
  (void)self;
  const nd_view *views[] = {dst, src};
  job j = {.kind = JOB_COPY, .mode = mode};
  ND_TRY(dummy_borrow_all(&j, 2, views, err));
  return dummy_use(dummy_enqueue(&j), 2, views, err);
}

static inline nd_status dummy_sync(nd_device *self, nd_error *err) {
  (void)self;
  return dummy_wait(NULL, (nd_point){dummy.queue, UINT64_MAX}, err);
}

/* What gives a number to the host is complete on return. */
static inline nd_status dummy_run(nd_device *self, const nd_task *task, nd_error *err) {
  job j = {.kind = JOB_RUN, .task = *task};
  for (int i = 0; i < task->count; i++) dummy.strays += nd_device_of(task->views[i]) != self;
  ND_TRY(dummy_borrow_all(&j, task->count, task->views, err));
  const nd_point at = dummy_enqueue(&j);
  return task->result ? dummy_sync(self, err) : dummy_use(at, task->count, task->views, err);
}

static inline bool dummy_can(nd_device *self, const nd_task *task) {
  (void)self;
  return task->op != ND_OP_PERMUTATION && task->op != ND_OP_INDEX_ADD;
}

/* {=== its memory ===} */

static inline nd_status dummy_take(nd_resource *self, const nd_request *request, nd_block *out,
                                   nd_error *err) {
  const size_t align = request->align > 64 ? request->align : 64; /* the head stands before it */
  void *at = NULL;
  if (request->bytes > SIZE_MAX / 4 ||
      (request->bytes && posix_memalign(&at, align, align + request->bytes) != 0)) {
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for %zu B", request->bytes);
  }
  if (at) {
    const dummy_head head = {.bytes = request->bytes, .raw = at};
    memcpy((char *)at + align - sizeof head, &head, sizeof head);
    out->ptr = memset((char *)at + align, request->zeroed ? 0 : 0xcc, request->bytes);
    out->host = self == &dummy.hidden ? NULL : out->ptr;
  }
  out->granted = request->bytes;
  out->zeroed = request->zeroed;
  out->ready = dummy_tail(); /* as memory that a queue still clears */
  ndi_counters_take(&dummy.counters, out->granted);
  return ND_OK;
}

/* Does a job that is still to come touch the block? The lock is held. */
static inline bool dummy_is_needed(const nd_block *block) {
  for (uint64_t seq = dummy.done + 1; seq <= dummy.enqueued; seq++) {
    const job *j = &dummy.jobs[seq % DUMMY_JOBS];
    for (int i = 0; i < j->count; i++)
      if (block->ptr && j->views[i].storage->ptr == block->ptr) return true;
  }
  return false;
}

static inline nd_status dummy_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                                   nd_error *err) {
  (void)after, (void)err;
  const job j = {.kind = JOB_FREE, .block = block->ptr};
  if (self != &dummy.ordered) {
    pthread_mutex_lock(&dummy.lock);
    dummy.early_frees += dummy_is_needed(block);
    pthread_mutex_unlock(&dummy.lock);
    if (block->ptr) dummy_free(block->ptr);
  } else if (block->ptr) {
    dummy_enqueue(&j);
  }
  ndi_counters_give(&dummy.counters, block->granted);
  return ND_OK;
}

static inline void dummy_stats(nd_resource *self, nd_mem_stats *out) {
  (void)self;
  ndi_counters_read(&dummy.counters, out);
}

/* Register it; once for the process. */
static inline void dummy_open(void) {
  static const nd_fence_ops fence = {.is_done = dummy_is_done, .wait = dummy_wait};
  static const nd_device_ops ops = {
      .copy = dummy_copy, .run = dummy_run, .can = dummy_can, .sync = dummy_sync};
  static const nd_resource_ops memory = {
      .name = "dummy", .take = dummy_take, .give = dummy_give, .stats = dummy_stats};
  static const nd_resource_ops ordered = {
      .name = "dummy, ordered", .take = dummy_take, .give = dummy_give, .stats = dummy_stats};
  pthread_mutex_init(&dummy.lock, NULL);
  dummy.until_refusal = -1;
  dummy.patience = 3;
  dummy.device = (nd_device){.ops = &ops, .name = "dummy:0"};
  if (nd_device_register(&dummy.device, NULL) || nd_queue_open(&fence, NULL, &dummy.queue, NULL))
    abort();
  const nd_resource place = {
      .ops = &memory, .holds = 1, .kind = ND_MEM_MANAGED, .device = dummy.device.number};
  dummy.memory = dummy.ordered = dummy.hidden = place;
  dummy.ordered.ops = &ordered;
  dummy.ordered.is_ordered = true;
  dummy.hidden.kind = ND_MEM_DEVICE;
}

#endif
