/* The error where memory ran out: how much there is, who has it. */
#ifndef ND_MEM_SHORTAGE_H
#define ND_MEM_SHORTAGE_H

#include "base/status.h"

typedef struct {
  const char *place;  /* "cuda:0" */
  const char *failed; /* what, where a driver needs memory itself; NULL: the next was asked for */
  size_t bytes;
  uint64_t live, pending, cached; /* ours */
  uint64_t free, total;           /* of the device or the system; 0: unknown */
  uint16_t device;                /* registry number: whose arrays are listed */
} ndi_shortage;

/* ND_OUT_OF_MEMORY, with these figures and the sizes of the five largest live blocks. */
nd_status ndi_fail_shortage(const ndi_shortage *s, nd_error *err);

#endif
