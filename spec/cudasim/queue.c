/* Clocks, and the queues that run what they order: at once, as late as may be, or in an order that
 * is drawn. An operation may run when all that its clock says has run. */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

sim_queue queues[QUEUES_MAX];
int queue_count;
sim_clock host_clock;

void sim_join(sim_clock *clock, const sim_clock *other) {
  for (int i = 0; i < queue_count; i++)
    if (other->at[i] > clock->at[i]) clock->at[i] = other->at[i];
}

/* One whose stream is gone, if the host has come after all of it: what is new comes after it too.
 */
static bool is_free_queue(int i) {
  const sim_queue *q = &queues[i];
  return !q->is_used || (!q->is_open && !q->pending && host_clock.at[i] >= q->clock.at[i]);
}

int sim_make_queue(int device, unsigned flags) {
  static uint64_t ids;
  int i = 0;
  while (i < queue_count && !is_free_queue(i)) i++;
  if (i == QUEUES_MAX) return -1;
  if (i == queue_count) queue_count++;
  sim_queue *q = &queues[i];
  q->is_used = q->is_open = true;
  q->device = device, q->flags = flags, q->id = ++ids;
  q->is_blocking = !(flags & CU_STREAM_NON_BLOCKING);
  q->clock = host_clock; /* what the former stream was still to wait for, this one is not */
  q->polls = 0, q->priority = 0, q->handle = 0;
  q->is_held = false;
  return i;
}

/* Streams order against the legacy one by themselves, unless they are non-blocking (CUDA Driver
 * API, "Stream synchronization behavior"). */
const sim_clock *sim_advance(int queue) {
  sim_queue *q = &queues[queue];
  const int legacy = devices[q->device].legacy;
  sim_join(&q->clock, &host_clock);
  if (q->is_blocking && queue != legacy) sim_join(&q->clock, &queues[legacy].clock);
  for (int i = 0; queue == legacy && i < queue_count; i++)
    if (queues[i].is_used && queues[i].is_blocking && queues[i].device == q->device)
      sim_join(&q->clock, &queues[i].clock);
  return &q->clock;
}

/* ---- running ---- */

static bool is_timing; /* is the time measured that the work would take? */

static char *row_of(char *bytes, const sim_region *region, size_t y, size_t z) {
  return bytes + z * region->slice + y * region->pitch;
}

static void run_copy(const sim_op *op) {
  const sim_region *to = &op->to, *from = &op->from;
  char *dst = sim_block_bytes(op->dst, to->at);
  char *src = op->staged ? op->staged : sim_block_bytes(op->src, from->at);
  if (op->src) sim_block_touch(op->src, from, false);
  if (op->dst) sim_block_touch(op->dst, to, true);
  for (size_t z = 0; z < to->depth; z++)
    for (size_t y = 0; y < to->height; y++)
      memmove(row_of(dst, to, y, z), row_of(src, from, y, z), to->width);
}

static void run_set(const sim_op *op) {
  char *dst = sim_block_bytes(op->dst, op->to.at);
  sim_block_touch(op->dst, &op->to, true);
  for (size_t y = 0; y < op->to.height; y++) {
    char *row = row_of(dst, &op->to, y, 0);
    if (op->item == 1) memset(row, (int)op->value, op->to.width);
    else /* little-endian: the low bytes come first */
      for (size_t x = 0; x < op->to.width; x += op->item) memcpy(row + x, &op->value, op->item);
  }
}

static void run_host_function(const sim_op *op) {
  sim_is_in_host_function = true;
  op->function(op->data);
  sim_is_in_host_function = false;
}

/* The head of a queue. */
static void run(sim_queue *q) {
  sim_op *op = q->first;
  switch (op->work) {
    case NOTHING: break;
    case TAKE: sim_block_forget(op->dst); break;
    case COPY: run_copy(op); break;
    case SET: run_set(op); break;
    case WRITE:
      if (!is_timing) sim_words_show(op->queue, op->number);
      break;
    case HOST_FUNCTION: run_host_function(op); break;
    case RECORD: sim_event_ran(op->event, op->records); break;
  }
  q->first = op->next;
  if (!q->first) q->last = NULL;
  q->pending--;
  q->done = op->number;
  free(op->staged);
  free(op);
}

/* What a lost context had pending never runs, and nobody waits for it. */
static bool is_over(int queue, uint64_t number) {
  const sim_queue *q = &queues[queue];
  return q->done >= number || devices[q->device].lost;
}

static bool is_ready(const sim_queue *q) {
  const sim_op *op = q->first;
  if (!op || q->is_held || devices[q->device].lost) return false;
  for (int i = 0; i < queue_count; i++)
    if (i != op->queue && !is_over(i, op->clock.at[i])) return false;
  return true;
}

static bool run_any(void) {
  int ready[QUEUES_MAX], count = 0;
  for (int i = 0; i < queue_count; i++)
    if (is_ready(&queues[i])) ready[count++] = i;
  if (!count) return false;
  run(&queues[ready[settings.mode == SHUFFLE ? sim_random(count) : 0]]);
  return true;
}

/* One operation that the clock says. A clock says all that comes before what it says. */
static bool run_within(const sim_clock *clock) {
  for (int i = 0; i < queue_count; i++)
    if (queues[i].done < clock->at[i] && is_ready(&queues[i])) return run(&queues[i]), true;
  return false;
}

bool sim_is_reached(const sim_clock *clock) {
  for (int i = 0; i < queue_count; i++)
    if (!is_over(i, clock->at[i])) return false;
  return true;
}

void sim_run_all(void) {
  while (run_any()) continue;
}

static void run_until(const sim_clock *clock) {
  while (settings.mode == SHUFFLE && !sim_is_reached(clock) && run_any()) continue;
  while (run_within(clock)) continue;
}

static void host_comes_after(const sim_clock *clock) {
  sim_join(&host_clock, clock);
  for (int i = 0; i < queue_count; i++) sim_words_show(i, host_clock.at[i]);
  sim_managed_unlock();
  sim_unprotect();
  sim_pools_release();
}

/* Who waits for a queue that is held, or finds it full, waits until it is not: the hold ends. */
static void end_holds(const sim_clock *clock) {
  for (int i = 0; i < queue_count; i++)
    if (!is_over(i, clock->at[i])) queues[i].is_held = false;
}

void sim_wait(const sim_clock *clock) {
  end_holds(clock);
  run_until(clock);
  host_comes_after(clock);
}

/* ---- time ---- */

/* Where it is measured, each operation that touches memory takes 1. Engines are without limit, or,
 * for the clock of CLOCK=model, there is one for each direction, which takes operations as they
 * come. */
static uint32_t latest;
static uint32_t engine_ends[DEVICES_MAX][2][2]; /* from, to: is it memory of the device? */

static bool is_on_device(const sim_block *b) { return b && (b->kind == DEVICE || b->kind == POOL); }

/* When the operation of that number has ended. */
static uint32_t time_of(const sim_queue *q, uint64_t number) {
  return number > q->timed_from ? q->times[number - q->timed_from - 1] : 0;
}

static uint32_t time_of_clock(const sim_clock *clock) {
  uint32_t end = 0;
  for (int i = 0; i < queue_count; i++) {
    const uint32_t time = time_of(&queues[i], clock->at[i]);
    if (time > end) end = time;
  }
  return end;
}

/* Where time is measured, only waiting takes the host's: what ends later is not done now. */
bool sim_poll(const sim_clock *clock, unsigned *polls) {
  if (is_timing && time_of_clock(clock) > time_of_clock(&host_clock)) return false;
  if (!sim_is_reached(clock) && !settings.lag && ++*polls >= POLLS_TO_STEP) run_within(clock);
  if (!sim_is_reached(clock)) return false;
  *polls = 0;
  host_comes_after(clock);
  return true;
}

/* If it is not reached, the host comes after the words that the queue has written: whoever asks
 * again and again looks at them meanwhile, which no call tells. */
bool sim_poll_queue(int queue) {
  sim_queue *q = &queues[queue];
  sim_clock written;
  const sim_clock clock = q->clock;
  if (!sim_is_reached(&clock) && !is_timing && sim_words_of(queue, q->done, &written))
    return host_comes_after(&written), false;
  return sim_poll(&clock, &q->polls);
}

static void note_time(sim_queue *q, const sim_op *op) {
  uint32_t end = time_of_clock(&op->clock);
  if (op->work == COPY || op->work == SET) {
    const bool from = op->work == SET || is_on_device(op->src);
    uint32_t *engine = &engine_ends[q->device][from][is_on_device(op->dst)];
    if (settings.has_engines && *engine > end) end = *engine;
    *engine = ++end;
  }
  const uint64_t at = op->number - q->timed_from - 1;
  if (at == q->times_room) {
    q->times_room = 2 * at + 64;
    q->times = realloc(q->times, q->times_room * sizeof *q->times);
    if (!q->times) abort();
  }
  q->times[at] = end;
  if (end > latest) latest = end;
}

double sim_model_time(int queue, uint64_t number) { return 1e-3 * time_of(&queues[queue], number); }

ND_CUDA_EXPORT void cusim_begin_time(void) {
  sim_lock();
  is_timing = true;
  latest = 0;
  for (int i = 0; i < QUEUES_MAX; i++) queues[i].timed_from = queues[i].clock.at[i];
  sim_unlock();
}

ND_CUDA_EXPORT uint64_t cusim_end_time(void) {
  sim_lock();
  const uint64_t time = latest;
  is_timing = false;
  memset(engine_ends, 0, sizeof engine_ends);
  for (int i = 0; i < QUEUES_MAX; i++) {
    free(queues[i].times);
    queues[i].times = NULL, queues[i].times_room = 0;
  }
  sim_unlock();
  return time;
}

ND_CUDA_EXPORT bool cusim_hold(uint64_t stream, bool is_on) {
  sim_lock();
  sim_queue *q = sim_handle_peek(STREAM_HANDLE, stream);
  if (q) q->is_held = is_on;
  if (q && !is_on && settings.mode == EAGER) sim_run_all();
  sim_unlock();
  return q != NULL;
}

/* ---- enqueuing ---- */

sim_op *sim_enqueue(int queue, sim_work work) {
  sim_queue *q = &queues[queue];
  sim_op *op = calloc(1, sizeof *op);
  if (!op) abort();
  op->clock = *sim_advance(queue);
  op->queue = queue;
  op->number = ++q->clock.at[queue];
  op->work = work;
  if (q->last) q->last->next = op;
  else q->first = op;
  q->last = op;
  q->pending++;
  if (work == COPY || work == SET) {
    q->last_work = op->number;
    sim_managed_lock();
  }
  return op;
}

void sim_enqueued(sim_op *op) {
  sim_queue *q = &queues[op->queue];
  if (is_timing || settings.has_engines) note_time(q, op);
  if (settings.mode == EAGER) {
    sim_run_all();
  } else if (settings.mode == SHUFFLE) {
    while (sim_random(3) == 0 && run_any()) continue;
  }
  const size_t most = settings.lag && !q->is_held ? settings.lag : QUEUE_LONGEST;
  while (q->pending > most && !devices[q->device].lost) {
    const sim_clock head = q->first->clock;
    if (q->pending > QUEUE_LONGEST) end_holds(&head), q->is_held = false;
    run_until(&head);
    if (!is_ready(q)) break; /* what it comes after is held */
    run(q);
  }
}

uint64_t sim_pending_count(void) {
  uint64_t count = 0;
  for (int i = 0; i < queue_count; i++) count += queues[i].pending;
  return count;
}

void sim_end_work(int device) {
  for (int i = 0; i < queue_count; i++)
    if (queues[i].is_used && queues[i].device == device) sim_join(&host_clock, &queues[i].clock);
}

void sim_wait_for_device(int device) {
  sim_clock all = host_clock;
  for (int i = 0; i < queue_count; i++)
    if (queues[i].is_used && queues[i].device == device) sim_join(&all, &queues[i].clock);
  sim_wait(&all);
}
