/* The one function behind nd.records (lua/ndbuf/records.lua). */
#include "bind/bind.h"

/* field(bytes, offset, stride, count, dtype): a 1-D view of 'count' elements, the first at byte
 * 'offset' (0-based), the others 'stride' bytes apart. */
static int module_field(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_array(L, S, 1, "bytes")->view;
  nd_view out;
  nd_error err;
  const size_t offset = ndb_check_size(L, S, 2, "offset"),
               stride = ndb_check_size(L, S, 3, "stride");
  const size_t count = ndb_check_size(L, S, 4, "count");
  const nd_dtype dtype = ndb_check_dtype(L, S, 5, "dtype");
  if (!nd_view_is_contiguous(v))
    ndb_fail(L, S, ND_INVALID_VIEW, "bytes", "not contiguous; use :contiguous()");
  return ndb_push_made(L, S, nd_view_field(v, offset, stride, count, dtype, &out, &err), &out,
                       &err);
}

const ndb_reg ndb_record_functions[] = {{"field", module_field, 5}, {NULL, NULL, 0}};
