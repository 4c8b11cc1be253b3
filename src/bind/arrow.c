/* Arrow's structures in and out. lua/ndbuf/arrow.lua makes the structures and gives their
 * addresses; the functions here fill them, or make arrays of them. */
#include <errno.h>
#include <string.h>

#include "bind/exchange.h"

/* {=== columns without a dtype ===} Userdata with a pointer to what is held. */

static nd_arrow_held *to_held(lua_State *L, ndb_state *S, int arg) {
  if (!ndb_has_metatable(L, arg, S->column_metatable)) return NULL;
  return *(nd_arrow_held **)lua_touserdata(L, arg);
}

static int held_gc(lua_State *L) {
  nd_arrow_held **at = ndb_to_finalized(L, held_gc);
  if (!at) return 0;
  nd_arrow_held_drop(*at);
  *at = NULL;
  return 0;
}

static void push_held(lua_State *L, ndb_state *S, nd_arrow_held *held) {
  nd_arrow_held **at = lua_newuserdata(L, sizeof *at);
  *at = NULL;
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->column_metatable);
  lua_setmetatable(L, -2);
  *at = nd_arrow_held_hold(held);
}

static const nd_arrow_held *check_held(lua_State *L, ndb_state *S) {
  const nd_arrow_held *held = to_held(L, S, 1);
  if (!held) ndb_fail_type(L, S, 1, "self", "a column");
  return held;
}

static const char *beside(const nd_arrow_held *held) {
  return nd_arrow_held_has_dictionary(held) ? " with a dictionary" : "";
}

static int held_index(lua_State *L, ndb_state *S) {
  const nd_arrow_held *held = check_held(L, S);
  if (lua_type(L, 2) == LUA_TNUMBER)
    ndb_fail(L, S, ND_UNSUPPORTED, "column", "no dtype has elements of Arrow's \"%.40s\"%s",
             nd_arrow_held_format(held), beside(held));
  const char *field = ndb_check_string(L, S, 2, "field", NULL);
  if (strcmp(field, "format") == 0) lua_pushstring(L, nd_arrow_held_format(held));
  else if (strcmp(field, "length") == 0) lua_pushnumber(L, (lua_Number)nd_arrow_held_rows(held));
  else
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "column",
             "there is no field \"%.40s\"; known are format, length", field);
  return 1;
}

static int held_newindex(lua_State *L, ndb_state *S) {
  check_held(L, S);
  ndb_fail(L, S, ND_READ_ONLY, "column", "what is held for others cannot be changed");
}

static int held_len(lua_State *L, ndb_state *S) {
  lua_pushnumber(L, (lua_Number)nd_arrow_held_rows(check_held(L, S)));
  return 1;
}

static int held_tostring(lua_State *L, ndb_state *S) {
  const nd_arrow_held *held = check_held(L, S);
  lua_pushfstring(L, "a column of %f rows of Arrow's \"%s\"%s",
                  (lua_Number)nd_arrow_held_rows(held), nd_arrow_held_format(held), beside(held));
  return 1;
}

void ndb_open_arrow(lua_State *L, ndb_state *S) {
  static const ndb_reg functions[] = {{"__index", held_index, 2},
                                      {"__newindex", held_newindex, 3},
                                      {"__len", held_len, 2},
                                      {"__tostring", held_tostring, 1},
                                      {NULL, NULL, 0}};
  lua_newtable(L);
  ndb_register(L, functions);
  lua_pushcfunction(L, held_gc);
  lua_setfield(L, -2, "__gc");
  lua_pushliteral(L, "ndbuf.column");
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  S->column_metatable = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_setfield(L, -2, "column_metatable");
}

/* {=== out ===} */

static nd_arrow_column check_column(lua_State *L, ndb_state *S, int arg, const char *name) {
  nd_arrow_held *held = to_held(L, S, arg);
  if (held) return (nd_arrow_column){.name = name, .held = held};
  const nd_view *v = &ndb_check_array(L, S, arg, name ? name : "array")->view;
  return (nd_arrow_column){.name = name, .array = v};
}

/* The columns of the table at 'arg'. Pushes what keeps them. */
static const nd_arrow_column *check_columns(lua_State *L, ndb_state *S, int arg, int *count) {
  const ndb_pair *pairs = ndb_push_pairs(L, S, arg, "columns", "a table of arrays by name", count);
  nd_arrow_column *columns = lua_newuserdata(L, ((size_t)*count + 1) * sizeof *columns);
  for (int i = 0; i < *count; i++, lua_pop(L, 1)) {
    ndb_push_value(L, &pairs[i]);
    columns[i] = check_column(L, S, lua_gettop(L), pairs[i].name);
  }
  return columns;
}

/* arrow_out(array | columns, schema, array, is_device): true where bytes were copied. */
static int arrow_out(lua_State *L, ndb_state *S) {
  nd_arrow_column only;
  const nd_arrow_column *columns = &only;
  bool is_copied = false;
  int count = 1;
  nd_error err;
  struct ArrowSchema *schema = ndb_check_address(L, S, 2, "schema");
  void *array = ndb_check_address(L, S, 3, "array");
  const bool is_one = ndb_to_array(L, 1) || to_held(L, S, 1);
  if (is_one) only = check_column(L, S, 1, NULL);
  else columns = check_columns(L, S, 1, &count);
  ndb_check(L, S,
            lua_toboolean(L, 4)
                ? nd_arrow_export_device(count, columns, !is_one, schema, array, &is_copied, &err)
                : nd_arrow_export(count, columns, !is_one, schema, array, &is_copied, &err),
            &err);
  lua_pushboolean(L, is_copied);
  return 1;
}

/* arrow_stream_out(columns, stream [, {rows =}]) */
static int arrow_stream_out(lua_State *L, ndb_state *S) {
  enum { ROWS = 65536 };
  ndb_options options;
  bool is_copied = false;
  int count;
  nd_error err;
  struct ArrowArrayStream *stream = ndb_check_address(L, S, 2, "stream");
  ndb_read_options(L, S, 3, NDB_BIT(ROWS), &options);
  const int at = options.at[NDB_ROWS];
  const int64_t rows = at ? ndb_check_integer(L, S, at, "rows") : ROWS;
  if (rows < 1)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "rows", ND_NUMBERS({"value", rows}, {"limit", 1}),
                  "expected 1 at least, got %lld", (long long)rows);
  const nd_arrow_column *columns = check_columns(L, S, 1, &count);
  ndb_check(L, S, nd_arrow_export_stream(count, columns, (size_t)rows, stream, &is_copied, &err),
            &err);
  lua_pushboolean(L, is_copied);
  return 1;
}

/* {=== in ===} */

static int batch_gc(lua_State *L) {
  nd_arrow_batch **batch = lua_touserdata(L, 1);
  if (*batch) nd_arrow_free(*batch);
  *batch = NULL;
  return 0;
}

/* Push a userdata of so many bytes, zeroed, with that finalizer. */
static void *push_guarded(lua_State *L, size_t bytes, lua_CFunction gc) {
  void *at = lua_newuserdata(L, bytes);
  memset(at, 0, bytes);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  return at;
}

static void push_copy(lua_State *L, ndb_state *S, const nd_view *v) {
  nd_view copy;
  ndb_make_guard(L, S);
  nd_view_copy(v, &copy);
  ndb_push_view(L, S, &copy);
}

static void push_values(lua_State *L, ndb_state *S, const nd_arrow_batch *batch, int i) {
  if (nd_arrow_held_of(batch, i)) push_held(L, S, nd_arrow_held_of(batch, i));
  else push_copy(L, S, nd_arrow_values(batch, i));
}

/* Two fields of a struct may have one name. */
static void check_new(lua_State *L, ndb_state *S, int table, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, table);
  if (!lua_isnil(L, -1))
    ndb_fail(L, S, ND_UNSUPPORTED, "schema", "two columns are named \"%.80s\"", name);
  lua_pop(L, 1);
}

/* Push the values and the validity: of one column, or tables of them by name. */
static void push_columns(lua_State *L, ndb_state *S, const nd_arrow_batch *batch) {
  if (!nd_arrow_is_table(batch)) {
    push_values(L, S, batch, 0);
    if (nd_arrow_validity(batch, 0)) push_copy(L, S, nd_arrow_validity(batch, 0));
    else lua_pushnil(L);
    return;
  }
  lua_newtable(L), lua_newtable(L);
  const int values = lua_gettop(L) - 1;
  for (int i = 0; i < nd_arrow_count(batch); i++) {
    const char *name = nd_arrow_name(batch, i);
    check_new(L, S, values, name);
    push_values(L, S, batch, i);
    lua_setfield(L, -3, name);
    if (!nd_arrow_validity(batch, i)) continue;
    push_copy(L, S, nd_arrow_validity(batch, i));
    lua_setfield(L, -2, name);
  }
}

/* Push what is in an array, which is taken over once nothing can raise any more. 'array' is the
 * first member of an ArrowDeviceArray where 'is_device' says so. */
static int push_batch(lua_State *L, ndb_state *S, const struct ArrowSchema *schema,
                      struct ArrowArray *array, bool is_device) {
  nd_error err;
  nd_arrow_batch **batch = push_guarded(L, sizeof *batch, batch_gc);
  ndb_check(L, S,
            is_device ? nd_arrow_read_device(schema, (struct ArrowDeviceArray *)array, batch, &err)
                      : nd_arrow_read(schema, array, batch, &err),
            &err);
  push_columns(L, S, *batch);
  nd_arrow_accept(*batch, array);
  nd_arrow_free(*batch);
  *batch = NULL;
  return 2;
}

/* arrow_in(schema, array, is_device, …): addresses; what follows keeps what is there. */
static int arrow_in(lua_State *L, ndb_state *S) {
  struct ArrowSchema *schema = ndb_check_address(L, S, 1, "schema");
  struct ArrowArray *array = ndb_check_address(L, S, 2, "array");
  const int count = push_batch(L, S, schema, array, lua_toboolean(L, 3));
  schema->release(schema);
  return count;
}

/* {=== streams in ===} */

typedef struct {
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray array; /* between get_next and the arrays made of it */
} reader;

static void close_reader(reader *r) {
  if (r->array.release) r->array.release(&r->array);
  if (r->schema.release) r->schema.release(&r->schema);
  if (r->stream.release) r->stream.release(&r->stream);
}

static int reader_gc(lua_State *L) {
  reader *r = ndb_to_finalized(L, reader_gc);
  if (r) close_reader(r);
  return 0;
}

ND_NORETURN static void fail_stream(lua_State *L, ndb_state *S, struct ArrowArrayStream *stream,
                                    int number) {
  const char *text = stream->get_last_error(stream);
  nd_error err;
  nd_fail_with(&err, number == ENOMEM ? ND_OUT_OF_MEMORY : ND_IO, ND_NUMBERS({"errno", number}),
               "the stream failed (%d): %.300s", number, text ? text : "it does not say why");
  ndb_raise(L, S, &err, "stream");
}

/* arrow_next(reader): what arrow_in returns, or nothing at the end. */
static int arrow_next(lua_State *L, ndb_state *S) {
  reader *r = ndb_to_finalized(L, reader_gc);
  lua_settop(L, 1);
  if (!r) ndb_fail_type(L, S, 1, "reader", "what arrow_stream_in returns");
  if (!r->stream.release) return 0;
  if (r->array.release) r->array.release(&r->array); /* it was refused */
  const int number = r->stream.get_next(&r->stream, &r->array);
  if (number != 0) fail_stream(L, S, &r->stream, number);
  if (!r->array.release) return close_reader(r), 0; /* the end */
  return push_batch(L, S, &r->schema, &r->array, false);
}

/* arrow_stream_in(stream, …): a reader; what follows the address keeps what is there. */
static int arrow_stream_in(lua_State *L, ndb_state *S) {
  struct ArrowArrayStream *stream = ndb_check_address(L, S, 1, "stream");
  if (!stream->release)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "stream", "the Arrow stream was released");
  reader *r = push_guarded(L, sizeof *r, reader_gc);
  const int number = stream->get_schema(stream, &r->schema);
  if (number != 0) fail_stream(L, S, stream, number);
  r->stream = *stream;
  stream->release = NULL;
  return 1;
}

const ndb_reg ndb_arrow_functions[] = {
    {"arrow_out", arrow_out, 4},   {"arrow_stream_out", arrow_stream_out, 3},
    {"arrow_in", arrow_in, 5},     {"arrow_stream_in", arrow_stream_in, 2},
    {"arrow_next", arrow_next, 1}, {NULL, NULL, 0}};
