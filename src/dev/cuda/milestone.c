/* Milestones: points of a queue that the CPU can wait for by themselves, where there is no event,
 * as while a single queue is in use, or none any more. Behind work on memory that the CPU may
 * access, as soon as something is to follow it, the stream writes the work's number into a word of
 * the queue. The CPU looks at the word, then waits for a stream aside that waits for it; the driver
 * is asked meanwhile, so that it tells what fails. Where it cannot do that, a point is waited for
 * with all that follows. */
#include <string.h>

#include "dev/cuda/cuda.h"

/* Of a device: for more queues than it has, unless hundreds of streams are adopted at a time. */
enum { WORDS = 4096 / sizeof(uint64_t) };

/* {=== a stream aside ===} */

nd_status ndi_aside_take(ndi_cuda *d, CUstream *out, nd_error *err) {
  *out = atomic_exchange(&d->aside, NULL);
  return *out ? ND_OK : ND_CU(d, cuStreamCreate(out, CU_STREAM_NON_BLOCKING), err);
}

void ndi_aside_give(ndi_cuda *d, CUstream stream, bool is_empty) {
  CUstream none = NULL;
  if (is_empty && atomic_compare_exchange_strong(&d->aside, &none, stream)) return;
  if (ndi_cu.cuStreamDestroy(stream) != CUDA_SUCCESS) ndi_cu.cuStreamDestroy(stream);
}

/* {=== words ===} */

void ndi_milestone_prepare(ndi_cuda *d) {
  void *at = NULL;
  uint64_t *none = NULL;
  if (d->words || !d->has_words) return;
  if (ND_CU(d, cuMemHostAlloc(&at, WORDS * sizeof *none, 0), NULL) != ND_OK) return;
  memset(at, 0, WORDS * sizeof *none);
  if (!atomic_compare_exchange_strong(&d->words, &none, at)) ndi_cu.cuMemFreeHost(at);
}

/* 0: it has none. */
static CUdeviceptr word_of(const ndi_queue *q) {
  uint64_t *const words = atomic_load(&q->device->words);
  return words && q->place < WORDS ? (CUdeviceptr)(uintptr_t)(words + q->place) : 0;
}

/* Other code may capture the stream since it was looked at: then nothing would be written. */
void ndi_milestone_set(ndi_queue *q) {
  ndi_cuda *d = q->device;
  const uint64_t seq = q->visible;
  const CUdeviceptr word = word_of(q);
  if (!word || seq <= atomic_load(&q->milestone) || seq <= atomic_load(&q->done)) return;
  if (q->is_shared && ndi_cuda_check_capture(d, q->stream, NULL) != ND_OK) return;
  if (ND_CU(d, cuStreamWriteValue64(q->stream, word, seq, CU_STREAM_WRITE_VALUE_DEFAULT), NULL))
    return;
  atomic_store(&q->milestone, seq);
}

bool ndi_milestone_is_possible(const ndi_queue *q) { return word_of(q) != 0; }

/* {=== waiting ===} */

/* Of 10 to 50 us each, so that copies of megabytes are seen to end. */
enum { LOOKS = 32, PAUSES = 512 };

/* A stream aside wakes up to 50 us after the word is written, so look at the word first. The driver
 * is asked about the stream now and then, and once the word is there. Streams that other code may
 * capture must not be asked. */
static bool is_seen(ndi_queue *q, uint64_t seq) {
  const _Atomic uint64_t *word = (const _Atomic uint64_t *)(uintptr_t)word_of(q);
  const CUstream stream = q->stream;
  CUresult result = CUDA_ERROR_NOT_READY;
  bool is_written = false;
  for (int i = 0; i < LOOKS && result == CUDA_ERROR_NOT_READY && !is_written; i++) {
    for (int k = 0; k < PAUSES && atomic_load(word) < seq; k++) ND_PAUSE();
    is_written = atomic_load(word) >= seq;
    /* another thread may have given the handle away, or destroyed an idle stream */
    if (!stream || q->is_shared || q->stream != stream) return false;
    result = ndi_cu.cuStreamQuery(stream);
  }
  return result == CUDA_SUCCESS || (result == CUDA_ERROR_NOT_READY && is_written);
}

static nd_status wait_for_word(ndi_queue *q, uint64_t seq) {
  ndi_cuda *d = q->device;
  CUstream stream;
  ND_VISIT(d, NULL);
  if (is_seen(q, seq)) return ND_OK;
  ND_TRY(ndi_aside_take(d, &stream, NULL));
  nd_status status = ND_CU(
      d, cuStreamWaitValue64(stream, word_of(q), seq, CU_STREAM_WAIT_VALUE_GEQ), NULL);
  if (status == ND_OK) status = ND_CU(d, cuStreamSynchronize(stream), NULL);
  ndi_aside_give(d, stream, status == ND_OK);
  return status;
}

bool ndi_milestone_wait(ndi_queue *q, uint64_t seq) {
  return atomic_load(&q->milestone) >= seq && wait_for_word(q, seq) == ND_OK;
}

/* {=== looking ===} */

bool ndi_milestone_watch(ndi_queue *q) {
  ndi_cuda *d = q->device;
  if (q->watch) return true;
  q->visible = atomic_load(&q->enqueued);
  ndi_milestone_set(q);
  q->watched = atomic_load(&q->milestone);
  if (q->watched != q->visible)
    return q->visible <= atomic_load(&q->done); /* waited for meanwhile */
  if (ndi_aside_take(d, &q->watch, NULL) != ND_OK) return false;
  const CUdeviceptr word = word_of(q);
  const unsigned flags = CU_STREAM_WAIT_VALUE_GEQ;
  if (ND_CU(d, cuStreamWaitValue64(q->watch, word, q->watched, flags), NULL) == ND_OK) return true;
  ndi_aside_give(d, q->watch, false);
  q->watch = NULL;
  return false;
}

uint64_t ndi_milestone_look(ndi_queue *q) {
  if (!q->watch || ndi_cu.cuStreamQuery(q->watch) != CUDA_SUCCESS) return 0;
  ndi_aside_give(q->device, q->watch, true);
  q->watch = NULL;
  return q->watched;
}

/* A word may be written behind the last point that was waited for. */
void ndi_milestone_close(ndi_cuda *d) {
  for (ndi_queue *q = d->queues; q; q = q->next) {
    if (q->milestone) wait_for_word(q, q->milestone);
    if (q->watch) ndi_cu.cuStreamSynchronize(q->watch); /* the word is there, but it may not know */
    if (q->watch) ndi_cu.cuStreamDestroy(q->watch);
  }
  if (d->aside) ndi_cu.cuStreamDestroy(d->aside);
  if (d->words) ndi_cu.cuMemFreeHost(d->words);
}
