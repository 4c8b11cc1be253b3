/* ndbuf's public C interface. A host program calls nd_init() once and links libndbuf.a; none of it
 * needs Lua, except the two functions at the end, which live in the module. */
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

/* Push a handle of 'view' (which stays the caller's; the handle takes a hold of its own). The
 * module must be loaded in this state by 'require "ndbuf"'. Raises a Lua error on failure. 'abi' is
 * ND_ABI of the header compiled against. */
ND_EXPORT void nd_push_array(struct lua_State *L, const nd_view *view, int abi);

/* The view of the array at 'arg'; it lives as long as that value. Raises an error object when it is
 * none. */
ND_EXPORT const nd_view *nd_check_array(struct lua_State *L, int arg, int abi);

#endif
