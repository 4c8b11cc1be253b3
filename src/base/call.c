/* The call context of each thread. */
#include "base/call.h"

static _Thread_local const nd_call *current;

const nd_call *nd_call_set(const nd_call *call) {
  const nd_call *previous = current;
  current = call;
  return previous;
}

void nd_call_before_take(const struct nd_resource *from, size_t bytes) {
  if (current && current->before_take) current->before_take(current->context, from, bytes);
}

bool nd_call_collect(void) {
  return current && current->collect && current->collect(current->context);
}

const void *nd_call_context(void) { return current ? current->context : NULL; }

size_t nd_call_trace(char *text, size_t bytes) {
  *text = '\0';
  return current && current->trace ? current->trace(current->context, text, bytes) : 0;
}

struct nd_resource *nd_call_memory(struct nd_resource *own) {
  return current && current->memory ? current->memory(current->context, own) : own;
}

const struct nd_promises *nd_call_promises(void) { return current ? current->promises : NULL; }

uint32_t nd_call_forbidden(void) { return current ? current->forbidden : 0; }

uint32_t nd_call_queue(void) { return current ? current->queue : 0; }

nd_status nd_check_interrupt(nd_error *err) {
  if (!current || !current->is_interrupted || !current->is_interrupted(current->context))
    return ND_OK;
  return nd_fail(err, ND_INTERRUPTED, "interrupted");
}
