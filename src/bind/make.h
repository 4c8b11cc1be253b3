/* What make.c and make_spec.c share. */
#ifndef ND_BIND_MAKE_H
#define ND_BIND_MAKE_H

#include "bind/memory.h"

/* {=== make_spec.c ===} */

/* What may follow a shape or a value: a dtype, a device or a memory resource, options. Each is
 * optional; they are told apart by their values. */
typedef struct {
  nd_dtype dtype;
  bool has_dtype, has_device, overwrite;
  nd_place device;     /* where there is none: cpu, but for */
  nd_resource *memory; /* NULL: that of the device */
  ndb_options options;
} ndb_make_spec;

/* Read all arguments from 'arg' on. 'otherwise' is the default dtype; 'known' are the function's
 * options besides dtype, device, overwrite and stream. */
ndb_make_spec ndb_read_spec(lua_State *L, ndb_state *S, int arg, nd_dtype otherwise,
                            uint64_t known);

/* Was a device or memory given? */
bool ndb_has_place(const ndb_make_spec *s);

/* Push a new array. A disk array always gets its file at once, so that a path that cannot be
 * created is refused here. The view is the pushed array's. */
const nd_view *ndb_push_new(lua_State *L, ndb_state *S, const ndb_make_spec *s, int ndim,
                            const size_t *shape, bool zeroed, nd_lazy lazy);

#endif
