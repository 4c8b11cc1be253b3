/* Libraries that are opened when they are first needed: nothing is needed to build, and what is
 * missing is missing where it is used. The declarations of their functions are our own. */
#ifndef ND_BASE_LIBRARY_H
#define ND_BASE_LIBRARY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct {
  const char *name;             /* as people call it: zlib */
  const char *file;             /* libz.so.1 */
  const char *package;          /* Debian's, that has it */
  const char *const *symbols;   /* of 'functions', in their order, at most 64; NULL ends them */
  int optional;                 /* so many of the last ones may be missing: they are NULL then */
  void *functions;              /* a struct of pointers to functions and nothing else */
  const char *(*version)(void); /* asked once it is open */
  atomic_bool is_open;
} ndi_library;

/* Open the library, if it is not open yet; it stays so. Thread-safe. ND_UNSUPPORTED with the reason
 * and the package; a later call tries again. */
nd_status ndi_library_open(ndi_library *self, nd_error *err);

/* The code for what a library says: ND_OUT_OF_MEMORY, or 'otherwise'. */
nd_status ndi_library_code(const char *message, nd_status otherwise);

#endif
