/* ndbuf's public C interface. A host program links libndbuf.a and calls nd_init() first. Nothing
 * here needs Lua but the three functions at the end. */
#ifndef NDBUF_H
#define NDBUF_H

#include "base/call.h"
#include "base/dtype.h"
#include "base/status.h"
#include "dev/backend.h"
#include "dev/stream.h"
#include "mem/adapt/adapt.h"
#include "mem/file.h"
#include "mem/foreign.h"
#include "mem/host.h"
#include "mem/reap.h"
#include "mem/storage.h"
#include "ops/factors.h"
#include "ops/ops.h"
#include "view/index.h"
#include "view/view.h"
#include "xchg/xchg.h"

/* Register the built-in backends. Idempotent and thread-safe. On failure, which every later call
 * reports too, no device may be used. */
nd_status nd_init(nd_error *err);

struct lua_State;

/* The Lua module that is linked into this program. Set it as package.preload["ndbuf.core"] before
 * 'require "ndbuf"', so that scripts share the core of this program. The module core.so is linked
 * with a core of its own, whose storages and devices this one knows nothing of; so it does not
 * export the two functions below. */
ND_EXPORT int luaopen_ndbuf_core(struct lua_State *L);

/* Push an array with the elements of 'view'. 'view' stays the caller's; the array holds a reference
 * to the storage of its own. Pass ND_ABI as 'abi', which is compared with that of the library.
 * Raises a Lua error on failure, as where this program's module is not loaded in 'L'. */
void nd_push_array(struct lua_State *L, const nd_view *view, int abi);

/* The view of the array at stack index 'arg', valid as long as that value is alive. Raises an error
 * object if it is not an array. 'abi' as above. */
const nd_view *nd_check_array(struct lua_State *L, int arg, int abi);

#endif
