/* The call context: what the embedding layer (the Lua binding, or a C program) lends to the core
 * while a call of it runs on this thread. It is thread-local instead of a parameter, because only
 * allocation and long loops need it, and every prototype between would have to pass it on. */
#ifndef ND_BASE_CALL_H
#define ND_BASE_CALL_H

#include <stdbool.h>

#include "base/status.h"

struct nd_resource;
struct nd_promises;

/* The callbacks of a call. Each may be NULL. They run on the thread that set the record. */
typedef struct {
  void *context; /* passed to each callback */
  /* Called before 'bytes' are taken from 'from'. May collect garbage: the core holds no lock. */
  void (*before_take)(void *context, const struct nd_resource *from, size_t bytes);
  /* Called when memory ran out, with no lock held: collect garbage, so that finalizers give memory
   * back. Returns false where a collection is not possible now. */
  bool (*collect)(void *context);
  /* Write the lines that led to this call, at most 'bytes' with a final 0; returns the length.
   * Calls no Lua. */
  size_t (*trace)(void *context, char *text, size_t bytes);
  bool (*is_interrupted)(void *context); /* should long work stop early? */
  /* Which resource new memory like that of 'own' comes from. NULL as a callback: 'own'. */
  struct nd_resource *(*memory)(void *context, struct nd_resource *own);
  const struct nd_promises *promises; /* what is taken may use them (mem/resource.h); NULL: none */
  uint32_t forbidden; /* a bit for each kind of transfer (dev/backend.h) that is refused */
  uint32_t queue; /* where devices enqueue work (mem/fence.h); 0: on queues of their own choice */
} nd_call;

/* Set the context of this thread; NULL is none. It is not copied: it must stay valid until the next
 * call of this function. Returns the previous one, which the caller restores when it is done. */
const nd_call *nd_call_set(const nd_call *call);

/* Whose call is it? NULL without a context. */
const void *nd_call_context(void);

/* Run a callback of this thread's context. Without a context, or without that callback, the first
 * is a no-op and the second returns false. */
void nd_call_before_take(const struct nd_resource *from, size_t bytes);
bool nd_call_collect(void);

size_t nd_call_trace(char *text, size_t bytes);              /* "" without a context */
struct nd_resource *nd_call_memory(struct nd_resource *own); /* 'own' without a context */
const struct nd_promises *nd_call_promises(void);            /* NULL without a context */
uint32_t nd_call_forbidden(void);                            /* 0 without a context */
uint32_t nd_call_queue(void); /* the 'queue' of this thread's context; 0 without one */

/* ND_INTERRUPTED if the call should stop, else ND_OK. Long work polls it between chunks. */
nd_status nd_check_interrupt(nd_error *err);

#endif
