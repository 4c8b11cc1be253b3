/* Slots: what makes a ticket live, and where slots go when threads end. */
#include <pthread.h>

#include "../contract/resource.h"
#include "mem/foreign.h"
#include "mem/host.h"

static nd_ticket take_one(void) {
  nd_ticket ticket = {0};
  nd_block block;
  CHECK(take(nd_host_resource(), 64, &ticket, &block) == ND_OK, "take");
  return ticket;
}

static void give_one(nd_ticket ticket) {
  CHECK(nd_ticket_give(ticket, NULL, NULL) == ND_OK, "give");
}

static void spec_generations(void) {
  group("no ticket is live but the one that the slot's last taker has");
  const nd_ticket ticket = take_one();
  for (uint64_t g = ticket.generation > 3 ? ticket.generation - 3 : 0; g < ticket.generation + 4;
       g++)
    CHECK(nd_ticket_is_live((nd_ticket){ticket.slot, g}) == (g == ticket.generation),
          "%" PRIu64 " of %" PRIu64, g, ticket.generation);
  give_one(ticket);
  for (uint64_t g = ticket.generation - 1; g < ticket.generation + 4; g++)
    CHECK(!nd_ticket_is_live((nd_ticket){ticket.slot, g}), "%" PRIu64 " after the give", g);
  CHECK(nd_ticket_give((nd_ticket){ticket.slot, ticket.generation + 1}, NULL, NULL) ==
            ND_USE_AFTER_FREE,
        "none to give");
}

static void *take_and_give(void *slot) {
  const nd_ticket ticket = take_one();
  *(uint32_t *)slot = ticket.slot;
  give_one(ticket);
  return NULL;
}

static void spec_threads_end(void) {
  group("threads that end leave their slots to others");
  uint32_t first = 0, slot = 0;
  pthread_t thread;
  for (int i = 0; i < 20; i++) {
    if (pthread_create(&thread, NULL, take_and_give, &slot) || pthread_join(thread, NULL)) abort();
    if (i == 0) first = slot;
    CHECK(slot == first, "thread %d has slot %u, not %u", i, slot, first);
  }
}

enum { DEVICE = 9 };
static char memory[1000];

static nd_status take_memory(nd_resource *self, const nd_request *request, nd_block *out,
                             nd_error *err) {
  (void)self, (void)err;
  out->ptr = memory;
  out->granted = request->bytes;
  return ND_OK;
}

static nd_status give_memory(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  (void)self, (void)block, (void)after, (void)err;
  return ND_OK;
}

static void spec_largest(void) {
  group("the largest blocks of a device are its live ones");
  static const nd_resource_ops ops = {.name = "own", .take = take_memory, .give = give_memory};
  nd_resource own = {.ops = &ops, .holds = 1, .kind = ND_MEM_DEVICE, .device = DEVICE};
  static const size_t sizes[] = {300, 1000, 10, 700};
  size_t found[3];
  nd_ticket ticket[ND_COUNTOF(sizes)];
  nd_block block;
  for (size_t i = 0; i < ND_COUNTOF(sizes); i++)
    CHECK(take(&own, sizes[i], &ticket[i], &block) == ND_OK, "%zu B", sizes[i]);
  CHECK(ndi_slot_largest(DEVICE, 3, found) == 3 && found[0] == 1000 && found[1] == 700 &&
            found[2] == 300,
        "%zu, %zu, %zu", found[0], found[1], found[2]);
  give_one(ticket[1]), give_one(ticket[0]);
  CHECK(ndi_slot_largest(DEVICE, 3, found) == 2 && found[0] == 700 && found[1] == 10, "%zu, %zu",
        found[0], found[1]);
  CHECK(ndi_slot_largest(DEVICE + 1, 3, found) == 0, "of another device");
  give_one(ticket[2]), give_one(ticket[3]);
  CHECK(ndi_slot_largest(DEVICE, 3, found) == 0, "none");
}

static void count_release(void *owner) { ++*(int *)owner; }

static void spec_foreign(void) {
  group("foreign memory: no more than there is, taken once, released with its block");
  int released = 0;
  nd_ticket ticket, other;
  nd_block block;
  nd_resource *foreign = NULL;
  CHECK(nd_foreign_resource(memory, 100, count_release, &released, &foreign, NULL) == ND_OK,
        "make");
  CHECK(take(foreign, 101, &ticket, &block) == ND_OUT_OF_BOUNDS, "a byte too much");
  CHECK(take(foreign, 100, &ticket, &block) == ND_OK && block.ptr == memory, "take");
  CHECK(take(foreign, 1, &other, &block) == ND_CAPACITY && released == 0, "while it is taken");
  give_one(ticket);
  CHECK(released == 1, "%d times", released);
  CHECK(take(foreign, 1, &other, &block) == ND_CAPACITY, "after it was let go");
  nd_resource_drop(foreign);
  CHECK(released == 1, "%d times", released);
}

/* A resource over another one, of which it has a hold. */
static void close_nothing(nd_resource *self) { (void)self; }

static void spec_up(void) {
  group("a resource that closes lets the one below it go");
  static const nd_resource_ops ops = {
      .name = "over", .take = take_memory, .give = give_memory, .close = close_nothing};
  int released = 0;
  nd_resource *foreign = NULL;
  CHECK(nd_foreign_resource(memory, 100, count_release, &released, &foreign, NULL) == ND_OK,
        "make");
  nd_resource over = {.ops = &ops, .holds = 1, .kind = ND_MEM_HOST, .up = foreign};
  nd_resource_hold(&over);
  nd_resource_drop(&over);
  CHECK(released == 0, "held");
  nd_resource_drop(&over);
  CHECK(released == 1, "%d times", released);
}

int main(void) {
  spec_generations();
  spec_threads_end();
  spec_largest();
  spec_foreign();
  spec_up();
  return finish();
}
