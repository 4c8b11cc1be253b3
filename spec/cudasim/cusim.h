/* The simulated CUDA driver, as specs steer and read it: what its libcuda.so.1 exports beside the
 * driver's own functions. docs/internals.md says what it simulates.
 *
 * From outside: CUSIM_MODE=eager|lazy|shuffle, CUSIM_SEED=n, CUSIM_HANDLES=fresh|reuse,
 * CUSIM_DEVICES=n, CUSIM_MEMORY=bytes, CUSIM_CLOCK=real|model,
 * CUSIM_FAIL=function:n:CUDA_ERROR_NAME[,…], CUSIM_HIDE=symbol[,…], CUSIM_DRIVER=11040,
 * CUSIM_MANAGED=concurrent|exclusive, CUSIM_LAG=n (in mode lazy a queue goes on working by itself,
 * but is always behind by n operations, so that it is idle for those only who wait),
 * CUSIM_ATTRIBUTE=NAME:value[,…] (as CU_DEVICE_ATTRIBUTE_NAME), CUSIM_REGISTER=all|no-files,
 * CUSIM_FORK=0|1, CUSIM_PROTECT=0|1 (accesses of the CPU to pinned and managed memory in use are
 * checked as by cusim_touch), CUSIM_REPORT=path.
 *
 * Functions are named by their exported symbol (cuMemAlloc_v2); "*" is any of them. */
#ifndef CUSIM_H
#define CUSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit status of a process that leaves with a report; a status that the process fails with by
 * itself is not told apart from it. */
enum { CUSIM_EXIT_STATUS = 70 };

/* One setting, named as above without CUSIM_. False: no such name or value. DEVICES, DRIVER and
 * HIDE are for the environment only. */
bool cusim_set(const char *name, const char *value);

/* Let the n-th call from now (1: the next) of 'function' return the error 'name' and do nothing.
 * An error that loses the context on a card does so here. */
bool cusim_fail(const char *function, uint64_t n, const char *name);
/* Take back what has not failed yet. Returns how many that were. */
uint64_t cusim_fail_none(void);

/* Calls of 'function' since the start or the last reset; "*" leaves out the two for error texts. */
uint64_t cusim_calls(const char *function);
void cusim_reset_calls(void);
/* Of those, the calls that wait for the device on a card, or may: they take, free and register
 * memory without a stream. */
uint64_t cusim_stalls(void);
/* The i-th function's symbol, from 0; NULL behind the last. */
const char *cusim_function(size_t i);

/* What is held, by kind: device (cuMemAlloc), pool (cuMemAllocAsync), managed, pinned, registered;
 * without bytes: stream, event, mempool, context. "*": all of memory. */
uint64_t cusim_live_count(const char *kind);
uint64_t cusim_live_bytes(const char *kind);

/* Operations that have been enqueued and have not run. */
uint64_t cusim_pending(void);
/* Bytes at a device, managed or pinned address as they are now, with pending work not done. False:
 * not within one live allocation. */
bool cusim_peek(uint64_t address, void *out, size_t bytes);
/* Say that the CPU now reads or writes pinned, managed or registered memory: checked like work of a
 * stream. False, with a report, if that is not safe. */
bool cusim_touch(const void *address, size_t bytes, bool is_write);

/* From here on this thread's current context has to be the one that it is now, whenever
 * cusim_check_context looks: a library has to leave it as it was. False, with a report, and the
 * thread gets it back, where it is another. */
void cusim_keep_context(void);
bool cusim_check_context(void);

/* Begin to capture a stream, by its handle, in global mode, or end it. Nothing is recorded: using
 * the stream ends its capture, and so does a call of a thread that is not relaxed and may stall.
 * False: no such stream, captured already, or the capture had ended. */
bool cusim_capture(uint64_t stream, bool is_on);

/* Hold a stream, by its handle: its work runs only for those who wait for it, and no query ends it.
 * False: no such stream. */
bool cusim_hold(uint64_t stream, bool is_on);

/* Measure the time from here on: each operation that touches memory takes 1, begins when all is
 * over that it comes after, and engines are without limit. The end returns when the last one is
 * over. */
void cusim_begin_time(void);
uint64_t cusim_end_time(void);

/* Reports by kind: race, leak, double-free, use-after-free, out-of-bounds, pending, unrecorded,
 * pageable, stale, managed, limit, context; "*" any. */
uint64_t cusim_reports(const char *kind);
/* The i-th that stands, from 0; NULL behind the last. Valid until the next call of cusim_forgive.
 */
const char *cusim_report(size_t i);
/* Strike out the reports of a kind. Returns how many there were. */
uint64_t cusim_forgive(const char *kind);
/* Report now what the end of the process would report as leaked. Returns how many reports stand. */
uint64_t cusim_end(void);

#endif
