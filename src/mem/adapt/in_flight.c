/* Bytes in flight: a table, in which blocks that wait for the same queue share an entry when it is
 * full. */
#include "mem/adapt/in_flight.h"

#include <stdlib.h>

#include "mem/spin.h"

enum { FLIGHTS = 32 };

bool ndi_flights_open(ndi_flights *all) {
  all->flights = calloc(FLIGHTS, sizeof *all->flights);
  return all->flights != NULL;
}

void ndi_flights_close(ndi_flights *all) { free(all->flights); }

/* Are all points on this queue? */
static bool is_on(const nd_uses *uses, uint32_t queue) {
  for (int i = 0; i < uses->count; i++)
    if (uses->use[i].at.queue != queue) return false;
  return true;
}

/* Add the points of 'more', of each queue the last one. A record has room for 16 queues. */
static void join(nd_uses *uses, const nd_uses *more) {
  for (int i = 0; i < more->count; i++) {
    const nd_use use = {.at = more->use[i].at, .lo = 0, .hi = SIZE_MAX, .is_write = false};
    ndi_uses_add(uses, &use);
  }
}

/* A free entry; else one that waits for the same queue, or at last for others. */
static ndi_flight *pick(ndi_flights *all, const nd_uses *after) {
  ndi_flight *same = NULL;
  for (int i = 0; i < FLIGHTS; i++) {
    ndi_flight *f = &all->flights[i];
    if (f->bytes == 0) return f->after.count = 0, f->blocks = 0, f;
    if (!same && after->count > 0 && is_on(&f->after, after->use[0].at.queue)) same = f;
  }
  return same ? same : &all->flights[0];
}

void ndi_flights_add(ndi_flights *all, const nd_uses *after, uint64_t bytes, uint64_t blocks) {
  ndi_spin_lock(&all->lock);
  ndi_flight *f = pick(all, after);
  join(&f->after, after);
  f->bytes += bytes, f->blocks += blocks;
  f->version++;
  ndi_spin_unlock(&all->lock);
}

/* Move bytes of an entry out, and its blocks with the last of them. The lock is held. */
static void move(ndi_flight *f, uint64_t bytes, ndi_flight *out) {
  const uint64_t blocks = bytes == f->bytes ? f->blocks : 0;
  f->bytes -= bytes, out->bytes += bytes;
  f->blocks -= blocks, out->blocks += blocks;
  f->version++;
}

/* The entry stays where it is while a driver is asked, so that it is counted all the time. */
static void land(ndi_flights *all, ndi_flight *f, ndi_flight *out) {
  ndi_spin_lock(&all->lock);
  const uint64_t version = f->version;
  const bool is_free = f->bytes == 0;
  const nd_uses after = f->after;
  ndi_spin_unlock(&all->lock);
  if (is_free || !ndi_uses_are_over(&after)) return;
  ndi_spin_lock(&all->lock);
  if (f->version == version) move(f, f->bytes, out);
  ndi_spin_unlock(&all->lock);
}

void ndi_flights_land(ndi_flights *all, ndi_flight *out) {
  out->bytes = out->blocks = 0;
  for (int i = 0; all->flights && i < FLIGHTS; i++) land(all, &all->flights[i], out);
}

static uint64_t bytes_on(const ndi_flights *all, uint32_t queue) {
  uint64_t sum = 0;
  for (int i = 0; i < FLIGHTS; i++)
    if (is_on(&all->flights[i].after, queue)) sum += all->flights[i].bytes;
  return sum;
}

bool ndi_flights_consume(ndi_flights *all, uint32_t queue, uint64_t wanted, ndi_flight *out) {
  out->bytes = out->blocks = 0;
  out->after.count = 0;
  ndi_spin_lock(&all->lock);
  const bool is_enough = bytes_on(all, queue) >= wanted;
  for (int i = 0; is_enough && i < FLIGHTS && out->bytes < wanted; i++) {
    ndi_flight *f = &all->flights[i];
    const uint64_t rest = wanted - out->bytes;
    if (f->bytes == 0 || !is_on(&f->after, queue)) continue;
    join(&out->after, &f->after);
    move(f, f->bytes < rest ? f->bytes : rest, out);
  }
  ndi_spin_unlock(&all->lock);
  return is_enough;
}
