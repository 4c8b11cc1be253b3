/* The retry adaptor: asks a function for memory when there is none. It passes takes and gives on;
 * the steps that make room (mem/ticket.c) ask it. */
#include <stdlib.h>

#include "mem/adapt/adapt.h"

typedef struct {
  nd_resource base;
  nd_retry_hook hook;
} retry;

static nd_status retry_take(nd_resource *self, const nd_request *request, nd_block *out,
                            nd_error *err) {
  return nd_resource_take(self->up, request, out, err);
}

static nd_status retry_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                            nd_error *err) {
  return nd_resource_give(self->up, block, after, err);
}

static nd_answer retry_ask(nd_resource *self, size_t bytes, nd_error *err) {
  const nd_retry_hook *hook = &((retry *)self)->hook;
  return hook->ask(hook->context, bytes, err);
}

static void retry_close(nd_resource *self) {
  const nd_retry_hook *hook = &((retry *)self)->hook;
  if (hook->release) hook->release(hook->context);
  free(self);
}

nd_status nd_retry_make(nd_resource *up, const nd_retry_hook *hook, nd_resource **out,
                        nd_error *err) {
  static const nd_resource_ops ops = {.name = "retry",
                                      .no_budget = "it would not be asked for what the budget "
                                                   "refuses; put it on the budget",
                                      .take = retry_take,
                                      .give = retry_give,
                                      .ask = retry_ask,
                                      .close = retry_close};
  ND_TRY(ndi_adaptor_make(&ops, sizeof(retry), up, out, err));
  ((retry *)*out)->hook = *hook;
  return ND_OK;
}
