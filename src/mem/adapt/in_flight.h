/* Bytes that came back to a layer while work on them is in flight. */
#ifndef ND_MEM_ADAPT_IN_FLIGHT_H
#define ND_MEM_ADAPT_IN_FLIGHT_H

#include <stdatomic.h>

#include "mem/fence.h"

/* Bytes of some blocks, in use until all points of 'after' are done. */
typedef struct {
  nd_uses after;
  uint64_t bytes, blocks; /* no bytes: free */
  uint64_t version;       /* grows with each change */
} ndi_flight;

typedef struct {
  atomic_uint lock;    /* of mem/spin.h: guards the rest */
  ndi_flight *flights; /* NULL: there never are any */
} ndi_flights;

/* False: no memory. */
bool ndi_flights_open(ndi_flights *all);
void ndi_flights_close(ndi_flights *all);

void ndi_flights_add(ndi_flights *all, const nd_uses *after, uint64_t bytes, uint64_t blocks);

/* Take out what is done: 'bytes' and 'blocks' of '*out'. May ask a driver, without the lock. */
void ndi_flights_land(ndi_flights *all, ndi_flight *out);

/* Take out 'wanted' bytes that wait for this queue alone, with the points that they wait for; or
 * none, and false. */
bool ndi_flights_consume(ndi_flights *all, uint32_t queue, uint64_t wanted, ndi_flight *out);

#endif
