/* Rules of the CUDA driver for streams and events. A group's name begins with the section of
 * NVIDIA's "CUDA Driver API" that has the rule. */
#include "contract.h"

#include <sched.h>

enum { BYTES = 1 << 16, POLLS_MOST = 2000000 };

static void streams_know_themselves(void) {
  CUstream s = NULL, t = NULL;
  CUcontext found = NULL;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  unsigned flags = 99;
  int least = 0, greatest = 0, priority = 99;
  group("Stream Management: cuStreamCreate takes the two flags it has");
  IS(cuStreamCreate(&s, 0x40), CUDA_ERROR_INVALID_VALUE);
  OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
  OK(cuStreamGetFlags(s, &flags));
  CHECK(flags == CU_STREAM_NON_BLOCKING, "flags %u", flags);
  OK(cuStreamGetCtx(s, &found));
  CHECK(found == context, "another context");
  OK(cuStreamIsCapturing(s, &status));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE, "it captures");
  group("Stream Management: priorities, the greatest is the lowest number");
  OK(cuCtxGetStreamPriorityRange(&least, &greatest));
  CHECK(greatest <= least, "%d to %d", least, greatest);
  OK(cuStreamCreateWithPriority(&t, CU_STREAM_NON_BLOCKING, greatest - 5));
  OK(cuStreamGetPriority(t, &priority));
  CHECK(priority == greatest, "%d, not %d", priority, greatest);
  if (cuStreamGetId) {
    unsigned long long a = 0, b = 0;
    group("Stream Management: every stream has an id of its own");
    OK(cuStreamGetId(s, &a));
    OK(cuStreamGetId(t, &b));
    CHECK(a != b, "both have %llu", a);
  }
  OK(cuStreamDestroy(s));
  OK(cuStreamDestroy(t));
  group("Stream Management: the default streams are not destroyed");
  CHECK(cuStreamDestroy(NULL) != CUDA_SUCCESS, "it was");
  expect_calm();
}

static void work_is_in_order(void) {
  unsigned char *host = take_pinned(BYTES);
  CUstream s = make_stream();
  CUdeviceptr p = take(BYTES);
  group("Stream Management: a stream does one thing after the other");
  for (int i = 0; i < 30; i++) {
    OK(cuMemsetD8Async(p, (unsigned char)i, BYTES, s));
    OK(cuMemsetD8Async(p, (unsigned char)(i + 1), BYTES / 2, s));
    OK(cuMemcpyDtoHAsync(host, p, BYTES, s));
    OK(cuStreamSynchronize(s));
    CHECK(is_all(host, i + 1, BYTES / 2) && is_all(host + BYTES / 2, i, BYTES / 2), "round %d", i);
  }
  group("Stream Management: a stream's work goes on after cuStreamDestroy");
  OK(cuMemsetD8Async(p, 77, BYTES, s));
  OK(cuMemcpyDtoHAsync(host, p, BYTES, s));
  OK(cuStreamDestroy(s));
  OK(cuCtxSynchronize());
  CHECK(is_all(host, 77, BYTES), "%d", host[0]);
  OK(cuMemFree(p));
  OK(cuMemFreeHost(host));
  expect_calm();
}

static void polling_ends(void) {
  unsigned char *host = take_pinned(BYTES);
  CUstream s = make_stream();
  CUevent e = make_event();
  CUdeviceptr p = take(BYTES);
  CUresult result = CUDA_SUCCESS;
  int polls = 0;
  group("Stream Management: cuStreamQuery says CUDA_ERROR_NOT_READY until the work is done");
  OK(cuMemsetD8Async(p, 3, BYTES, s));
  OK(cuMemcpyDtoHAsync(host, p, BYTES, s));
  while ((result = cuStreamQuery(s)) == CUDA_ERROR_NOT_READY && polls++ < POLLS_MOST) sched_yield();
  OK(result);
  CHECK(is_all(host, 3, BYTES), "%d", host[0]);
  group("Event Management: cuEventQuery the same for what comes before the event");
  OK(cuEventQuery(e)); /* never recorded: there is nothing to wait for */
  OK(cuMemsetD8Async(p, 4, BYTES, s));
  OK(cuMemcpyDtoHAsync(host, p, BYTES, s));
  OK(cuEventRecord(e, s));
  polls = 0;
  while ((result = cuEventQuery(e)) == CUDA_ERROR_NOT_READY && polls++ < POLLS_MOST) sched_yield();
  OK(result);
  CHECK(is_all(host, 4, BYTES), "%d", host[0]);
  OK(cuEventDestroy(e));
  OK(cuStreamDestroy(s));
  OK(cuMemFree(p));
  OK(cuMemFreeHost(host));
  expect_calm();
}

static void events_order_streams(void) {
  unsigned char *host = take_pinned(BYTES);
  CUstream s = make_stream(), t = make_stream();
  CUdeviceptr p = take(BYTES);
  group("Event Management: cuStreamWaitEvent orders one stream behind another");
  for (int i = 0; i < 30; i++) {
    OK(cuMemsetD8Async(p, (unsigned char)i, BYTES, s));
    order(t, s);
    OK(cuMemcpyDtoHAsync(host, p, BYTES, t));
    order(s, t);
    OK(cuMemsetD8Async(p, 99, BYTES, s));
    OK(cuStreamSynchronize(t));
    CHECK(is_all(host, i, BYTES), "round %d: %d", i, host[0]);
  }
  OK(cuStreamSynchronize(s));
  group("Event Management: a wait is for what was recorded when it was made");
  CUevent e = make_event();
  OK(cuEventRecord(e, s));
  OK(cuStreamWaitEvent(t, e, 0));
  OK(cuMemsetD8Async(p, 1, BYTES, s));
  OK(cuEventRecord(e, s));
  OK(cuEventSynchronize(e));
  OK(cuMemcpyDtoHAsync(host, p, BYTES, t));
  OK(cuStreamSynchronize(t));
  CHECK(is_all(host, 1, BYTES), "%d", host[0]);
  OK(cuEventDestroy(e));
  OK(cuStreamDestroy(s));
  OK(cuStreamDestroy(t));
  OK(cuMemFree(p));
  OK(cuMemFreeHost(host));
  expect_calm();
}

static void words_order_streams(void) {
  int can = 0;
  OK(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 0));
  if (!can || !cuStreamWriteValue64 || !cuStreamWaitValue64) {
    puts("skipped: streams have no words");
    return;
  }
  unsigned char *host = take_pinned(BYTES);
  uint64_t *word = take_pinned(sizeof *word);
  const CUdeviceptr at = (CUdeviceptr)(uintptr_t)word;
  CUstream s = make_stream(), t = make_stream();
  CUdeviceptr p = take(BYTES);
  *word = 0;
  group("Stream Memory Operations: who waits for a word comes after what was before its writing");
  for (uint64_t i = 1; i <= 30; i++) {
    OK(cuMemsetD8Async(p, (unsigned char)i, BYTES, s));
    OK(cuMemcpyDtoHAsync(host, p, BYTES, s));
    OK(cuStreamWriteValue64(s, at, i << 40, CU_STREAM_WRITE_VALUE_DEFAULT));
    for (int k = 0; k < 5; k++) OK(cuMemsetD8Async(p, 99, BYTES, s)); /* and not after this */
    OK(cuStreamWaitValue64(t, at, (i << 40) - 7, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuStreamSynchronize(t));
    CHECK(is_all(host, (int)i, BYTES), "round %d: %d", (int)i, host[0]);
  }
  OK(cuStreamWaitValue64(t, at, 3, CU_STREAM_WAIT_VALUE_GEQ)); /* it is more already */
  OK(cuStreamSynchronize(t));
  OK(cuStreamSynchronize(s));
  CHECK(*word == 30ull << 40, "%llx", (unsigned long long)*word);
  group("Stream Memory Operations: what is no word is refused");
  IS(cuStreamWriteValue64(s, at, 1, 0x100), CUDA_ERROR_INVALID_VALUE);
  if (sim.set) {
    IS(cuStreamWriteValue64(s, at + 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuStreamWaitValue64(t, at, 31ull << 40, CU_STREAM_WAIT_VALUE_GEQ));
    expect_reports("unrecorded", 1); /* a card would wait for ever */
    OK(cuStreamWriteValue64(s, at, 31ull << 40, CU_STREAM_WRITE_VALUE_DEFAULT));
    OK(cuMemFreeHost(word));
    expect_reports("pending", 1); /* nobody has waited for that */
  } else {
    OK(cuMemFreeHost(word));
  }
  OK(cuStreamDestroy(s));
  OK(cuStreamDestroy(t));
  OK(cuMemFree(p));
  OK(cuMemFreeHost(host));
  expect_calm();
}

static void events_take_time(void) {
  CUevent a, b, plain = make_event();
  CUstream s = make_stream();
  CUdeviceptr p = take(BYTES);
  float ms = -1;
  group("Event Management: flags, and the time between two events");
  IS(cuEventCreate(&a, 0x40), CUDA_ERROR_INVALID_VALUE);
  OK(cuEventCreate(&a, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&b, CU_EVENT_DEFAULT));
  IS(cuEventElapsedTime_v1(&ms, a, b), CUDA_ERROR_INVALID_HANDLE);
  OK(cuEventRecord(a, s));
  OK(cuMemsetD8Async(p, 1, BYTES, s));
  OK(cuEventRecord(b, s));
  OK(cuEventRecord(plain, s));
  OK(cuEventSynchronize(b));
  OK(cuEventElapsedTime_v1(&ms, a, b));
  CHECK(ms >= 0 && ms < 60000, "%g ms", (double)ms);
  OK(cuStreamSynchronize(s));
  IS(cuEventElapsedTime_v1(&ms, a, plain), CUDA_ERROR_INVALID_HANDLE);
  OK(cuEventDestroy(a));
  OK(cuEventDestroy(b));
  OK(cuEventDestroy(plain));
  OK(cuStreamDestroy(s));
  OK(cuMemFree(p));
  expect_calm();
}

static void legacy_stream_orders(void) {
  unsigned char host[16];
  CUstream blocking = NULL;
  CUdeviceptr p = take(BYTES);
  group("Stream synchronization behavior: the legacy stream comes after blocking ones, they after "
        "it");
  OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  OK(cuMemsetD8Async(p, 5, BYTES, blocking));
  OK(cuMemcpyDtoH(host, p, sizeof host));
  CHECK(is_all(host, 5, sizeof host), "%d", host[0]);
  OK(cuMemsetD8(p, 6, BYTES));
  OK(cuMemsetD8Async(p, 7, BYTES / 2, blocking));
  OK(cuMemsetD8Async(p, 8, 8, CU_STREAM_PER_THREAD));
  expect_reports("race", 1); /* two blocking streams are not ordered */
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(host, p + BYTES / 2, sizeof host));
  CHECK(is_all(host, 6, sizeof host), "%d", host[0]);
  OK(cuStreamDestroy(blocking));
  OK(cuMemFree(p));
  expect_calm();
}

/* ---- host functions ---- */

static int seen_value;
static CUresult seen_result;

static void look(void *data) {
  int count;
  seen_value = *(unsigned char *)data;
  seen_result = cuDeviceGetCount(&count);
}

static void host_functions_run(void) {
  unsigned char *host = take_pinned(BYTES);
  CUstream s = make_stream();
  CUdeviceptr p = take(BYTES);
  group("Execution Control: a host function runs in stream order");
  seen_value = -1;
  OK(cuMemsetD8Async(p, 12, BYTES, s));
  OK(cuMemcpyDtoHAsync(host, p, BYTES, s));
  OK(cuLaunchHostFunc(s, look, host));
  OK(cuStreamSynchronize(s));
  CHECK(seen_value == 12, "it saw %d", seen_value);
  group("Execution Control: a host function may not call CUDA");
  CHECK(seen_result != CUDA_SUCCESS || !sim.set, "it could");
  expect_reports("stale", 1);
  OK(cuStreamDestroy(s));
  OK(cuMemFree(p));
  OK(cuMemFreeHost(host));
  expect_calm();
}

/* ---- two devices ---- */

static void across_devices(void) {
  CUcontext other = NULL;
  CUstream s = make_stream(), t = NULL;
  CUevent e = make_event();
  OK(cuDevicePrimaryCtxRetain(&other, 1));
  OK(cuCtxPushCurrent(other));
  t = make_stream();
  group("Event Management: event and stream of cuEventRecord are of one context");
  IS(cuEventRecord(e, t), CUDA_ERROR_INVALID_HANDLE);
  OK(cuCtxPopCurrent(NULL));
  OK(cuEventRecord(e, s));
  group("Event Management: cuStreamWaitEvent takes another device's event");
  OK(cuCtxPushCurrent(other));
  OK(cuStreamWaitEvent(t, e, 0));
  OK(cuStreamSynchronize(t));
  OK(cuStreamDestroy(t));
  OK(cuCtxPopCurrent(NULL));
  OK(cuEventDestroy(e));
  OK(cuStreamDestroy(s));
  OK(cuDevicePrimaryCtxRelease(1));
  expect_calm();
}

static void rules(void) {
  int count = 0;
  streams_know_themselves();
  work_is_in_order();
  polling_ends();
  events_order_streams();
  words_order_streams();
  events_take_time();
  legacy_stream_orders();
  host_functions_run();
  OK(cuDeviceGetCount(&count));
  if (count > 1) across_devices();
  else puts("skipped: one device, no event went to another");
}

int main(void) {
  begin();
  run_rules(rules);
  return end();
}
