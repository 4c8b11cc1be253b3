/* What all adaptors have in common. */
#include "mem/adapt/adapt.h"

#include <stdlib.h>
#include <string.h>

/* Calls go through the layers by recursion. */
enum { MOST_LAYERS = 64 };

nd_status ndi_adaptor_make(const nd_resource_ops *ops, size_t bytes, nd_resource *up,
                           nd_resource **out, nd_error *err) {
  int layers = 2;
  for (const nd_resource *r = up; r->up; r = r->up) layers++;
  if (layers > MOST_LAYERS)
    return nd_fail_with(err, ND_CAPACITY, ND_NUMBERS({"limit", MOST_LAYERS}),
                        "a stack of %d layers: the most is %d", layers, MOST_LAYERS);
  nd_resource *self = calloc(1, bytes);
  if (!self) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a resource");
  nd_resource_init_on(self, ops, up);
  *out = self;
  return ND_OK;
}

void ndi_adaptor_explain(nd_status status, const char *text, nd_error *err) {
  const bool is_shortage = status == ND_OUT_OF_MEMORY || status == ND_BUDGET_EXCEEDED;
  if (err && is_shortage && !strstr(err->message, text))
    strncat(err->message, text, sizeof err->message - 1 - strlen(err->message));
}
