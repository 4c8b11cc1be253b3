/* What the files of the Lua module share. Only this folder knows lua.h. */
#ifndef ND_BIND_BIND_H
#define ND_BIND_BIND_H

#include <lauxlib.h>
#include <lua.h>

#include "ndbuf.h"

enum { NDB_DEVICES = 64, NDB_LEDGERS = 2 * NDB_DEVICES + 1, NDB_TCDATA = 10, NDB_ANY = -1 };

/* {=== handles ===} */

/* The fast head: all that compiled element access needs. lua/ndbuf/head.lua declares the same
 * struct, with p1 typed by dtype; a spec compares every field. The head holds while 'epoch' equals
 * the storage's. A count of 0 sends that access to the next path, in the end to C. The 'unit'
 * counts serve the shortest path: the last step is 1 and, for stores, the storage is not punned. */
typedef struct {
  nd_storage *storage;
  char *p1;       /* address such that p1[i * step0 + j * step1] is element (i, j), 1-based */
  uint64_t epoch; /* Lua reads the low half, but where a store to 32-bit elements might alias */
  int32_t ndim;
  int32_t step0, step1;              /* in elements */
  int32_t unit_read_n, unit_write_n; /* elements of a 1-D array that a[i] may read, write */
  int32_t read_n, write_n;           /* the same for any step and punned storages */
  int32_t rows;                      /* of a 2-D array */
  int32_t unit_read_columns, unit_write_columns;
  int32_t read_columns, write_columns;
  int32_t is_punned; /* stores go through ffi.copy */
  int32_t is_mapped; /* a file that may shrink: the epoch is looked at again after the access */
} ndb_head;

typedef struct ndb_state ndb_state;

/* The userdata of an array. It ends after the last axis in use. */
typedef struct ndb_array {
  ndb_head head;     /* once closed its storage is one that never matches */
  const void *magic; /* tells a handle from any other userdata */
  uint64_t id;
  nd_view view; /* last; view.storage NULL: closed */
} ndb_array;

/* Push a handle for 'view', which moves into it: on return, or when this raises, 'view' is not the
 * caller's any more. */
void ndb_push_view(lua_State *L, ndb_state *S, nd_view *view);

/* What an operation made: raise unless 'status' is ND_OK, push the handle of 'out'; returns 1. */
int ndb_push_made(lua_State *L, ndb_state *S, nd_status status, nd_view *out, const nd_error *err);

/* Bring the head up to date with the storage. */
void ndb_refresh(ndb_array *a);

/* NULL when the value is no array. */
ndb_array *ndb_to_array(lua_State *L, int arg);

/* An array that was not closed; 'what' names the argument. Raises type_mismatch. */
ndb_array *ndb_check_array(lua_State *L, ndb_state *S, int arg, const char *what);

/* {=== state ===} One for each Lua state. */

typedef struct ndb_anchors ndb_anchors;

struct ndb_state {
  lua_State *L;         /* of the call in progress */
  const char *function; /* its name */
  lua_Hook hook_at_entry;
  nd_hooks hooks;
  struct ndb_parking *parking;    /* a spare one; NULL while it is in use */
  struct ndb_parking *registered; /* the one in the registry */
  int parking_ref;
  ndb_anchors *anchors;
  uint64_t debt[NDB_LEDGERS], live_after[NDB_LEDGERS]; /* bytes; see state.c */
  uint64_t collections;                                /* run for the debt */
  double collecting_ms;
  uint64_t last_handle; /* id of the array made last */
  uint64_t seed, random_calls;
  int scope_depth, scope_ref;
  int metatables[ND_DTYPE_COUNT], dtypes[ND_DTYPE_COUNT], dtype_metatable, device_metatable,
      error_metatable, memory_metatable;
  int devices;               /* table of device objects by name */
  int places;                /* table of the memory that was set for a place, by its name */
  int boxes[ND_DTYPE_COUNT]; /* Lua functions that make cdata of an element (i64, u64, complex) */
  int classify, to_pointer, unknown_name, print; /* Lua functions, registry references */
  int fills[ND_DTYPE_COUNT]; /* Lua functions that store a list of numbers; see element.c */
  bool is_collecting;
  bool is_stressed;     /* NDBUF_GC_STRESS=1: see ndb_stress */
  char own_source[256]; /* prefix of the chunk names of our own Lua files: their frames are no
                           user's line */
};

/* A function of the module. The dispatcher installs the hooks of the state around it. */
typedef int ndb_function(lua_State *L, ndb_state *S);
typedef struct {
  const char *name;
  ndb_function *call;
  int most; /* arguments that it takes, self included: the dispatcher refuses more. NDB_ANY: the
               function itself does, as what it takes depends on what it is given */
} ndb_reg;

/* Where a view waits while its handle is made: that may run finalizers, which may raise or call us.
 * A userdata, so that the collector drops what an error left in it. */
typedef struct ndb_parking {
  nd_view view;
} ndb_parking;

/* Have a spare one. At the start of a call: while nothing is held. */
void ndb_make_parking(lua_State *L, ndb_state *S);

/* At the end of an array: scripts' own finalizers may have made it when all states were closed, and
 * nobody else comes to free what it held. */
void ndb_close_late(void);

/* Put the parking at the top, which is popped, in the registry as the spare one. */
void ndb_spare_parking(lua_State *L, ndb_state *S, ndb_parking *parking);

ndb_state *ndb_open_state(lua_State *L);
ndb_state *ndb_find_state(lua_State *L); /* NULL: the module is not loaded */

/* Add the functions of 'list' (ended by a NULL name) to the table at the top, each called through
 * 'by': ndb_dispatch, or one that tries element access first and then dispatches. */
void ndb_register(lua_State *L, const ndb_reg *list, lua_CFunction by);

/* The same for methods, which refuse arrays of other dtypes as self. */
void ndb_register_methods(lua_State *L, const ndb_reg *list, lua_CFunction by, int dtype);
int ndb_dispatch(lua_State *L); /* upvalues: state, row of a list */
int ndb_direct_get(lua_State *L);
int ndb_direct_set(lua_State *L);

/* Keep the value at 'arg' alive until 'ndb_anchor_release' is called with the result, from any
 * thread. */
void *ndb_anchor(lua_State *L, ndb_state *S, int arg);
void ndb_anchor_release(void *anchor);

/* Let go of the values that were released. Each call does so first; at its end, one that frees. */
void ndb_drop_released(lua_State *L, ndb_state *S);

/* With NDBUF_GC_STRESS=1 a full collection, where one might come anyway: before memory is taken and
 * before a handle is made. */
void ndb_stress(lua_State *L, ndb_state *S);

void ndb_forget_debt(ndb_state *S, const nd_resource *from, size_t bytes);

/* {=== errors ===} */

/* Raise an error object unless 'status' is ND_OK. */
void ndb_check(lua_State *L, ndb_state *S, nd_status status, const nd_error *err);
ND_NORETURN int ndb_raise(lua_State *L, ndb_state *S, const nd_error *err, const char *argument);

/* Raise about argument 'what'. 'fmt' is printf's. */
ND_NORETURN int ndb_fail(lua_State *L, ndb_state *S, nd_status code, const char *what,
                         const char *fmt, ...) ND_PRINTF(5, 6);

/* The same with the numbers that explain it (ND_NUMBERS), which become fields. */
ND_NORETURN int ndb_fail_with(lua_State *L, ndb_state *S, nd_status code, const char *what,
                              const nd_number *numbers, const char *fmt, ...) ND_PRINTF(6, 7);

/* Raise type_mismatch: "what: expected 'wanted', got TYPE". */
ND_NORETURN int ndb_fail_type(lua_State *L, ndb_state *S, int arg, const char *what,
                              const char *wanted);

/* {=== arguments ===} All raise error objects that name the argument. */

/* An integral Lua number, or i64/u64 cdata that fits. False (nothing raised): the value is no
 * number at all. */
bool ndb_to_integer(lua_State *L, ndb_state *S, int arg, const char *what, int64_t *out);
int64_t ndb_check_integer(lua_State *L, ndb_state *S, int arg, const char *what);

/* The same of i64 and u64. The 'to' form returns false for anything else, fractions too. */
bool ndb_to_whole(lua_State *L, ndb_state *S, int arg, nd_int128 *out);
nd_int128 ndb_check_whole(lua_State *L, ndb_state *S, int arg, const char *what);
int64_t ndb_opt_integer(lua_State *L, ndb_state *S, int arg, const char *what, int64_t otherwise);
size_t ndb_check_size(lua_State *L, ndb_state *S, int arg, const char *what);
double ndb_check_number(lua_State *L, ndb_state *S, int arg, const char *what);
const char *ndb_check_string(lua_State *L, ndb_state *S, int arg, const char *what, size_t *length);

/* A path: a string without NUL bytes. */
const char *ndb_check_path(lua_State *L, ndb_state *S, int arg, const char *what);
bool ndb_opt_boolean(lua_State *L, ndb_state *S, int arg, const char *what, bool otherwise);

/* An axis of an array with 'ndim' axes, 0-based. */
int ndb_check_axis(lua_State *L, ndb_state *S, int arg, const char *what, int ndim);

/* A shape: a table at 'arg', or integers from 'arg' on; '*next' is the argument after it.
 * 'allow_open': -1 may stand. */
int ndb_check_shape(lua_State *L, ndb_state *S, int arg, const char *what, bool allow_open,
                    int64_t *shape, int *next);
void ndb_to_sizes(int ndim, const int64_t *shape, size_t *out);

/* A list of integers, as a shape: strides, counts, axes. Returns how many. */
int ndb_check_integers(lua_State *L, ndb_state *S, int arg, const char *what, int max, int64_t *out,
                       int *next);

/* A dtype's name or object. The 'to' form returns false for anything that is neither. */
bool ndb_to_dtype(lua_State *L, ndb_state *S, int arg, nd_dtype *out);
nd_dtype ndb_check_dtype(lua_State *L, ndb_state *S, int arg, const char *what);

/* A device's name or object, as text that lives as long as the value. NULL: neither. */
const char *ndb_to_device_name(lua_State *L, ndb_state *S, int arg);

/* Cut the arguments to 'last', or fill them up with nil. Raises where one behind it is not nil,
 * rather than ignore it. */
void ndb_end_arguments(lua_State *L, ndb_state *S, int last);

/* opts: 'arg' is a table or nil. Each key must be one of 'known' (NULL-terminated); unknown ones
 * raise. */
void ndb_check_options(lua_State *L, ndb_state *S, int arg, const char *const *known);
/* Push opts.name (nil when there are no options). True when it is not nil. */
bool ndb_get_option(lua_State *L, int arg, const char *name);

/* True when the argument at 'arg' is a table with no array part: options, not a shape. */
bool ndb_is_options(lua_State *L, int arg);

nd_cast_mode ndb_opt_mode(lua_State *L, ndb_state *S, int options);

/* opts.stream is unsupported until there are streams. */
void ndb_refuse_stream(lua_State *L, ndb_state *S, int options);

/* The driver's handle of somebody else's stream at opts.stream, a number or cdata; NULL when there
 * is none, or the default one. Refused unless 'has_streams'. */
void *ndb_opt_stream(lua_State *L, ndb_state *S, int options, bool has_streams);

/* {=== elements ===} */

/* Push one element at 'at' (any alignment). */
void ndb_push_element(lua_State *L, ndb_state *S, nd_dtype dtype, const void *at);

/* Number, boolean, i64, u64 or complex cdata as a scalar. False: the value is none of these. */
bool ndb_to_scalar(lua_State *L, ndb_state *S, int arg, nd_scalar *out);
void ndb_check_scalar(lua_State *L, ndb_state *S, int arg, const char *what, nd_scalar *out);

/* Read and write the element of a 0-d view. */
void ndb_push_item(lua_State *L, ndb_state *S, const nd_view *v);
void ndb_set_item(lua_State *L, ndb_state *S, const nd_view *v, const nd_scalar *value);

/* A nested table as a new host array of 'dtype'. Raises shape_mismatch for ragged rows. 'out' is
 * the caller's. */
void ndb_read_table(lua_State *L, ndb_state *S, int arg, nd_dtype dtype, nd_view *out);

/* Anything that can be assigned: an array is copied as a view, a table read, a scalar becomes 0-d.
 * 'out' is the caller's; nothing that raises may be called before it is dropped. */
void ndb_read_value(lua_State *L, ndb_state *S, int arg, const char *what, nd_dtype dtype,
                    nd_view *out);
void ndb_push_table(lua_State *L, ndb_state *S, const nd_view *v);

/* A row-major copy in host memory. 'out' is the caller's. */
nd_status ndb_host_copy(const nd_view *v, nd_view *out, nd_error *err);

/* Push the address inside cdata (pointer, array) as '*out'. Raises when it is not cdata of that
 * kind. */
void *ndb_check_pointer(lua_State *L, ndb_state *S, int arg, const char *what, size_t *room);

/* Raise out_of_bounds when 'bytes' exceed the '*room' found: an array's size, 0 for NULL, SIZE_MAX
 * for other pointers. */
void ndb_check_room(lua_State *L, ndb_state *S, const char *what, size_t room, size_t bytes);

/* {=== the files' function lists ===} */

extern const ndb_reg ndb_index_methods[], ndb_view_methods[], ndb_copy_methods[], ndb_properties[];
extern const ndb_reg ndb_reduce_functions[]; /* methods too */
extern const ndb_reg ndb_make_functions[], ndb_file_functions[], ndb_device_functions[];
extern const ndb_reg ndb_scope_functions[], ndb_core_functions[];
extern const ndb_reg ndb_compute_functions[], ndb_compute_methods[], ndb_operators[];
extern const ndb_reg ndb_cuda_functions[], ndb_cuda_core_functions[], ndb_cuda_methods[];
extern const ndb_reg ndb_memory_functions[];
void ndb_open_arrays(lua_State *L,
                     ndb_state *S); /* fills core at the top with metatables, methods, properties */
void ndb_open_dtypes(lua_State *L, ndb_state *S);
void ndb_open_devices(lua_State *L, ndb_state *S);
void ndb_open_memory(lua_State *L, ndb_state *S);
void ndb_configure_cuda(void);
void ndb_open_errors(lua_State *L, ndb_state *S);
void ndb_open_small_floats(lua_State *L);
int ndb_index_slow(lua_State *L, ndb_state *S);
int ndb_newindex_slow(lua_State *L, ndb_state *S);
int ndb_call_slow(lua_State *L, ndb_state *S);
int ndb_set_slow(lua_State *L, ndb_state *S);

/* A resource for the device named at opts.device / the argument; the caller drops it. */
nd_resource *ndb_open_place(lua_State *L, ndb_state *S, const char *name, bool overwrite);

/* What nd.memory.set chose for a place, held for the caller; NULL: nothing. */
nd_resource *ndb_find_resource(lua_State *L, ndb_state *S, const nd_place *place);

/* Register the new handle at the top with the running scope. */
void ndb_note_scope(lua_State *L, ndb_state *S);

#endif
