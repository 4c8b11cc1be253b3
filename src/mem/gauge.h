/* Counters of resources: bytes and blocks that were taken and not given back yet. */
#ifndef ND_MEM_GAUGE_H
#define ND_MEM_GAUGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t now, peak, total; /* total: the sum of all that was added */
} nd_gauge;

/* Add 'by', which is signed, as 'now' is: where a lock guards the gauge. */
static inline void nd_gauge_add(nd_gauge *gauge, int64_t by) {
  gauge->now += (uint64_t)by;
  if (by > 0) gauge->total += (uint64_t)by;
  if ((int64_t)gauge->now > (int64_t)gauge->peak) gauge->peak = gauge->now;
}

/* A counter that threads may share without a lock: the sums of all that was added and of all that
 * was subtracted, which do not decrease (but by ndi_gauge_return). So each change is one locked
 * instruction. The peak is the largest value that the difference had: exact, but that of an
 * addition and a subtraction at the same time either may count as the first. */
typedef struct {
  atomic_uint_fast64_t added, subtracted, peak;
} ndi_gauge;

struct nd_mem_stats;

/* Bytes and blocks of a resource. Pending blocks count until they are given back. */
typedef struct {
  ndi_gauge bytes, blocks;
} ndi_counters;

/* Count a block of 'bytes' that was taken or given back. */
void ndi_counters_take(ndi_counters *counters, size_t bytes);
void ndi_counters_give(ndi_counters *counters, size_t bytes);
uint64_t ndi_counters_now(ndi_counters *counters);                        /* bytes */
void ndi_counters_read(ndi_counters *counters, struct nd_mem_stats *out); /* live, live_count */
void ndi_counters_reset_peak(ndi_counters *counters);                     /* to what is now */

/* Add 'by' to a gauge, and subtract it. */
void ndi_gauge_raise(ndi_gauge *gauge, size_t by);
void ndi_gauge_lower(ndi_gauge *gauge, size_t by);
void ndi_gauge_return(ndi_gauge *gauge, size_t by); /* undo a subtraction */
nd_gauge ndi_gauge_read(ndi_gauge *gauge);
void ndi_gauge_reset_peak(ndi_gauge *gauge);

/* Where others count: it is 'now', and was '*seen' the last time. */
nd_gauge ndi_gauge_follow(ndi_gauge *gauge, atomic_uint_fast64_t *seen, uint64_t now);

#endif
