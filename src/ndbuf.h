/* ndbuf's public C interface. A host program calls nd_init() once and links libndbuf.a; none of it
 * needs Lua, except the three functions at the end. */
#ifndef NDBUF_H
#define NDBUF_H

#include "base/dtype.h"
#include "base/status.h"
#include "dev/device.h"
#include "mem/storage.h"
#include "ops/ops.h"
#include "view/index.h"
#include "view/view.h"
#include "xchg/xchg.h"

/* Make the built-in devices known. Idempotent; any thread. The one place that names concrete
 * backends. */
nd_status nd_init(nd_error *err);

struct lua_State;

/* The module of this program, for package.preload["ndbuf.core"] before 'require "ndbuf"'. A core.so
 * has a core of its own, whose arrays are not this one's: it does not export the two below. */
ND_EXPORT int luaopen_ndbuf_core(struct lua_State *L);

/* Push a handle of 'view' (which stays the caller's; the handle takes a hold of its own). Raises a
 * Lua error on failure, also when this program's module is not loaded in this state. 'abi' is
 * ND_ABI of the header compiled against. */
void nd_push_array(struct lua_State *L, const nd_view *view, int abi);

/* The view of the array at 'arg'; it lives as long as that value. Raises an error object when it is
 * none. */
const nd_view *nd_check_array(struct lua_State *L, int arg, int abi);

#endif
