/* a:rows([axis]): one array that moves along an axis, so that a loop makes no garbage.
 *
 * It is an ordinary array but for its handle, ndb_rows, which keeps what moves it: the byte offset
 * of its view, and the address in its head. Both may change between any two calls; every row lies
 * within the storage, so that code which reads them twice finds elements all the same. With the JIT
 * on, lua/ndbuf/rows.lua makes the moves, and calls next_row where the epoch has changed. */
#include "bind/bind.h"

/* Note what row.head.p1 is for the first row, as fill_head in handle.c computes it, and for which
 * epoch. Where the CPU has no address the head refuses every access, whatever p1 is. */
static void note_address(ndb_rows *r) {
  const nd_view *v = &r->row.view;
  nd_storage *s = v->storage;
  const size_t align = nd_dtype_get((nd_dtype)v->dtype)->align;
  const uint64_t epoch = atomic_load(&s->epoch); /* first, as in ndb_refresh */
  const bool is_live = nd_storage_get_state(s) == ND_STORAGE_LIVE;
  uintptr_t first = (is_live ? (uintptr_t)s->host : 0) + r->first_offset;
  for (int i = 0; i < v->ndim; i++) first -= (uintptr_t)v->axis[i].step;
  r->first_p1 = (char *)first;
  /* rows that are not all aligned alike need heads of their own */
  r->first_epoch = r->stride % (ptrdiff_t)align == 0 ? epoch : 0;
}

/* rows([axis]): the array at the first row. rows.lua makes the iterator of it. Without any row it
 * is the array itself, which is empty. */
static int array_rows(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_view out;
  nd_error err;
  if (v->ndim == 0) ndb_fail(L, S, ND_INVALID_ARGUMENT, "rows", "a scalar (0-d) array has no rows");
  const int axis = lua_isnoneornil(L, 2) ? 0 : ndb_check_axis(L, S, 2, "rows", v->ndim);
  const nd_axis along = v->axis[axis];
  if (along.len > 0) ndb_check(L, S, nd_view_select(v, axis, 0, &out, &err), &err);
  else nd_view_copy(v, &out);
  ndb_rows *r = (ndb_rows *)ndb_push_handle(L, S, &out, sizeof *r);
  r->row.magic = ndb_magic + 1;
  r->count = (double)along.len;
  r->stride = r->row.view.size ? along.step : 0; /* empty rows are all where the array is */
  r->first_offset = r->row.view.offset;
  note_address(r);
  return 1;
}

/* The array at argument 1, which must be what array_rows made. */
static ndb_rows *check_rows(lua_State *L, ndb_state *S) {
  ndb_array *a = ndb_check_array(L, S, 1, "rows");
  if (a->magic != ndb_magic + 1)
    ndb_fail(L, S, ND_TYPE_MISMATCH, "rows", "expected the array that a:rows() moves, got another");
  return (ndb_rows *)a;
}

/* next_row(row, i): move the row to row i, counted from 0, and return i + 1 and the row; nothing
 * after the last. The iterator where the JIT is off, and all that rows.lua does not handle. */
static int module_next_row(lua_State *L, ndb_state *S) {
  ndb_rows *r = check_rows(L, S);
  nd_storage *s = r->row.view.storage;
  nd_error err;
  const size_t i = ndb_check_size(L, S, 2, "index");
  if (!((double)i < r->count)) return 0;
  const nd_status status = nd_storage_check(s, &err);
  if (status != ND_NOT_ALLOCATED) ndb_check(L, S, status, &err);
  r->row.view.offset = r->first_offset + i * (size_t)r->stride;
  ndb_refresh(&r->row);
  note_address(r);
  lua_pushnumber(L, (lua_Number)i + 1);
  lua_pushvalue(L, 1);
  return 2;
}

const ndb_reg ndb_rows_methods[] = {{"rows", array_rows, 2}, {NULL, NULL, 0}};
const ndb_reg ndb_rows_functions[] = {{"next_row", module_next_row, 2}, {NULL, NULL, 0}};

/* Set core.rows_magic (core is at the top), by which rows.lua recognises the array that it moves.
 */
void ndb_open_rows(lua_State *L) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)(ndb_magic + 1));
  lua_setfield(L, -2, "rows_magic");
}
