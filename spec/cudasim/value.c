/* Streams that write a value to memory, and wait for one. CUDA Driver API: "Stream Memory
 * Operations". Such words are no data: that one stream writes while another waits is no race. */
#include "sim.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct write {
  struct write *next;
  uint64_t address, block, value; /* block: its id */
  sim_clock clock;
  int queue;
  bool is_shown; /* is the value there? */
} write;

static write *first; /* in the order of the calls; those that the host has come after are removed */

static void forget_old(void) {
  for (write **at = &first; *at;) {
    write *w = *at;
    if (host_clock.at[w->queue] < w->clock.at[w->queue]) at = &w->next;
    else *at = w->next, free(w);
  }
}

static bool is_of(const write *w, int queue, uint64_t number) {
  return w->queue == queue && w->clock.at[queue] <= number;
}

static void show(write *w) {
  sim_block *block = NULL;
  w->is_shown = true;
  if (sim_block_find(w->address, sizeof w->value, &block) || !block || block->id != w->block)
    return;
  atomic_store((_Atomic uint64_t *)(void *)sim_block_bytes(block, w->address), w->value);
}

void sim_words_show(int queue, uint64_t number) {
  for (write *w = first; w; w = w->next)
    if (!w->is_shown && is_of(w, queue, number)) show(w);
}

bool sim_words_of(int queue, uint64_t number, sim_clock *out) {
  bool is_found = false;
  for (const write *w = first; w; w = w->next)
    if (is_of(w, queue, number) && host_clock.at[queue] < w->clock.at[queue])
      *out = w->clock, is_found = true;
  return is_found;
}

static CUresult find_word(uint64_t address, sim_block **out) {
  if (address % sizeof(uint64_t)) return CUDA_ERROR_INVALID_VALUE;
  SIM_TRY(sim_block_find(address, sizeof(uint64_t), out));
  return *out && (*out)->kind != MANAGED ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

SIM_CALL(cuStreamWriteValue64_v2,
         (CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags),
         (stream, address, value, flags)) {
  int queue;
  sim_block *block;
  SIM_TRY(sim_queue_of(stream, &queue));
  if (flags != CU_STREAM_WRITE_VALUE_DEFAULT) return CUDA_ERROR_INVALID_VALUE;
  if (!sim_attribute(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS))
    return CUDA_ERROR_NOT_SUPPORTED;
  SIM_TRY(find_word(address, &block));
  sim_op *op = sim_enqueue(queue, WRITE);
  op->dst = block, op->to = sim_bytes_at(address, sizeof value), op->value = value;
  sim_use_by(op, block, &op->to, true);
  forget_old();
  write **end = &first, *new = calloc(1, sizeof *new);
  if (!new) abort();
  while (*end) end = &(*end)->next;
  *new = (write){NULL, address, block->id, value, queues[queue].clock, queue, false};
  *end = new;
  sim_enqueued(op);
  return CUDA_SUCCESS;
}

/* The first write enqueued that ends the wait; NULL: none does. */
static const write *find_write(uint64_t address, const sim_block *block, uint64_t value) {
  const write *w = first;
  while (w && (w->address != address || w->block != block->id || (int64_t)(w->value - value) < 0))
    w = w->next;
  return w;
}

static bool is_there(const sim_block *block, uint64_t address, uint64_t value) {
  uint64_t now;
  memcpy(&now, sim_block_bytes(block, address), sizeof now);
  return (int64_t)(now - value) >= 0;
}

/* For what was never enqueued to be written a card would wait, perhaps for ever. */
SIM_CALL(cuStreamWaitValue64_v2,
         (CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags),
         (stream, address, value, flags)) {
  int queue;
  sim_block *block;
  SIM_TRY(sim_queue_of(stream, &queue));
  if (flags != CU_STREAM_WAIT_VALUE_GEQ) return CUDA_ERROR_INVALID_VALUE;
  if (!sim_attribute(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS))
    return CUDA_ERROR_NOT_SUPPORTED;
  SIM_TRY(find_word(address, &block));
  const write *found = find_write(address, block, value);
  sim_advance(queue);
  if (found) sim_join(&queues[queue].clock, &found->clock);
  else if (!is_there(block, address, value))
    sim_report(UNRECORDED, "%s: nobody was to write %llu to %#llx", sim_calling(),
               (unsigned long long)value, (unsigned long long)address);
  return CUDA_SUCCESS;
}
