/* What the files of the Lua module share. No other folder includes lua.h. Each section declares the
 * functions of the file in its title; a file calls only functions of the sections above its own, so
 * that no two files depend on each other. metatables.c and module.c register the lists of all other
 * files with Lua.
 *
 * Rules for every function here that takes a lua_State:
 * - "Raises" means lua_error with an error object (error.c), by longjmp or unwinding: the caller
 * must hold no memory, reference or lock that only its own later code would release.
 * - A finalizer (__gc) of the script may run wherever Lua allocates, and may call this module or
 *   free any array. So nothing read from an array stays valid across such a call, unless the
 *   array's handle is on the stack and what was read is its view. Where the finalizer takes that
 *   one's storage, by __gc, the record stays valid until the call ends (ndb_drop_late). */
#ifndef ND_BIND_BIND_H
#define ND_BIND_BIND_H

#include <lauxlib.h>
#include <lua.h>

#include "bind/handle.h"
#include "bind/options.h"
#include "bind/parts.h"
#include "bind/slice.h"
#include "bind/state.h"
#include "ndbuf.h"

/* {=== error.c ===} */

/* Raise the error object of 'err' unless 'status' is ND_OK. */
void ndb_check(lua_State *L, ndb_state *S, nd_status status, const nd_error *err);

/* Raise an error object with the code, message, remedy, numbers and path of 'err', the caller's
 * file:line, and 'argument' (may be NULL) as its field of that name. */
ND_NORETURN int ndb_raise(lua_State *L, ndb_state *S, const nd_error *err, const char *argument);

/* Raise "what: …" about argument 'what' (NULL: the message stands alone). 'fmt' is printf's. */
ND_NORETURN int ndb_fail(lua_State *L, ndb_state *S, nd_status code, const char *what,
                         const char *fmt, ...) ND_PRINTF(5, 6);

/* Raise the core's failure 'why' as one about argument 'what': "what: message". */
ND_NORETURN int ndb_fail_as(lua_State *L, ndb_state *S, const nd_error *why, const char *what);

/* ndb_fail with the numbers that explain the failure (ND_NUMBERS): they become fields of the error
 * object. */
ND_NORETURN int ndb_fail_with(lua_State *L, ndb_state *S, nd_status code, const char *what,
                              const nd_number *numbers, const char *fmt, ...) ND_PRINTF(6, 7);

/* The type of the value at 'arg' with its article, for messages: "a number", "an array", "nil". */
const char *ndb_type_text(lua_State *L, int arg);

/* Raise type_mismatch: "what: expected 'wanted', got TYPE". */
ND_NORETURN int ndb_fail_type(lua_State *L, ndb_state *S, int arg, const char *what,
                              const char *wanted);

/* {=== debt.c ===} When an allocation makes Lua collect. */

/* Callbacks of nd_call; 'context' is the state. Before memory is taken, while nothing is owned, and
 * when memory ran out: the core then tries again. */
void ndb_before_take(void *context, const nd_resource *from, size_t bytes);
bool ndb_collect_on_failure(void *context);

/* Memory of one kind and device has one ledger. Below NDB_LEDGERS. */
size_t ndb_ledger_of(const nd_resource *from);

/* With NDBUF_GC_STRESS=1 run a full collection; otherwise a no-op. Called where Lua may
 * collect anyway (before memory is taken, before a handle is made), to find what is not kept
 * alive there. */
void ndb_stress(lua_State *L, ndb_state *S);

/* Add 'bytes' that will be taken to the debt of 'from', as ndb_before_take does. False, with
 * nothing added, where that would collect first. Calls no Lua. */
bool ndb_add_debt(ndb_state *S, const nd_resource *from, size_t bytes);

/* Subtract 'bytes' that were freed explicitly, not by the collector, from the debt of 'from'. */
void ndb_forget_debt(ndb_state *S, const nd_resource *from, size_t bytes);

/* The same for a storage that is about to be freed: what others have stays, maybe as garbage. */
void ndb_forget_freed(ndb_state *S, nd_storage *storage);

/* {=== element.c ===} */

/* Push the element at 'at' (any alignment): a boolean, a number, or cdata where no number is exact
 * (i64 and u64 beyond 2^53, complex). */
void ndb_push_element(lua_State *L, ndb_state *S, nd_dtype dtype, const void *at);

/* The same for f64 and f32 alone, sooner. False for other dtypes, nothing is pushed. */
bool ndb_push_float(lua_State *L, nd_dtype dtype, const void *at);

/* Convert a number, a boolean, or i64, u64 or complex cdata to a scalar of dtype f64, bool or the
 * cdata's. False: the value is none of these, 'out' is untouched. The 'check' form raises
 * type_mismatch instead. */
bool ndb_to_scalar(lua_State *L, ndb_state *S, int arg, nd_scalar *out);
void ndb_check_scalar(lua_State *L, ndb_state *S, int arg, const char *what, nd_scalar *out);

/* Read and write the element of a 0-d view. Both wait for pending work and raise what the core
 * refuses; host memory without pending work is accessed at once. */
void ndb_push_item(lua_State *L, ndb_state *S, const nd_view *v);
void ndb_set_item(lua_State *L, ndb_state *S, const nd_view *v, const nd_scalar *value);

/* {=== args.c ===} Conversions of the Lua value at 'arg'. 'what' is the argument's name in
 * messages. The 'check' forms raise type_mismatch for a value of another type, the 'opt' forms
 * return 'otherwise' for nil or nothing. */

/* A Lua number or i64/u64 cdata as an int64_t. False: the value is neither. Raises invalid_argument
 * for a number that is not integral or does not fit. */
bool ndb_to_integer(lua_State *L, ndb_state *S, int arg, const char *what, int64_t *out);
int64_t ndb_check_integer(lua_State *L, ndb_state *S, int arg, const char *what);

/* The same for the ranges of i64 and u64 together. The 'to' form does not raise: it returns false
 * for fractions and numbers out of range, too. */
bool ndb_to_int128(lua_State *L, ndb_state *S, int arg, nd_int128 *out);
nd_int128 ndb_check_int128(lua_State *L, ndb_state *S, int arg, const char *what);
int64_t ndb_opt_integer(lua_State *L, ndb_state *S, int arg, const char *what, int64_t otherwise);

/* An integer that is not negative; invalid_argument for others. */
size_t ndb_check_size(lua_State *L, ndb_state *S, int arg, const char *what);

/* A number, or i64/u64 cdata of at most 2^53 either way; not_representable beyond it. */
double ndb_check_number(lua_State *L, ndb_state *S, int arg, const char *what);

/* The text lives as long as the value. '*length' is its bytes; where 'length' is NULL the text is
 * a name, and "" stands for one that contains a NUL byte, so that no comparison with a name
 * succeeds. */
const char *ndb_check_string(lua_State *L, ndb_state *S, int arg, const char *what, size_t *length);

/* A path: a string that is not empty and contains no NUL byte; invalid_argument for others. */
const char *ndb_check_path(lua_State *L, ndb_state *S, int arg, const char *what);
bool ndb_opt_boolean(lua_State *L, ndb_state *S, int arg, const char *what, bool otherwise);

/* An axis of an array with 'ndim' axes, counted by the script from 1 or with negatives from the
 * end; returned 0-based. index_out_of_range, naming the function 'what'. */
int ndb_check_axis(lua_State *L, ndb_state *S, int arg, const char *what, int ndim);

/* A shape: a table at 'arg', or the integers from 'arg' on; '*next' is the argument after it.
 * Writes up to ND_MAX_NDIM extents and returns how many. invalid_argument for more and for negative
 * ones, but for -1 where 'allow_open'. */
int ndb_check_shape(lua_State *L, ndb_state *S, int arg, const char *what, bool allow_open,
                    int64_t *shape, int *next);

/* Extents that are not negative, as size_t. */
void ndb_to_sizes(int ndim, const int64_t *shape, size_t *out);

/* At most 'max' integers, given as a shape is: strides, counts, axes. Returns how many. */
int ndb_check_integers(lua_State *L, ndb_state *S, int arg, const char *what, int max, int64_t *out,
                       int *next);

/* True when the value at 'arg' is a userdata with the metatable that 'reference', in the registry,
 * stands for. */
bool ndb_has_metatable(lua_State *L, int arg, int reference);

/* The userdata at 1, if 'gc' is its finalizer; else NULL. */
void *ndb_to_finalized(lua_State *L, lua_CFunction gc);

/* A dtype's name or object. The 'to' form returns false for any other value; the 'check' form
 * raises invalid_argument for an unknown name. */
bool ndb_to_dtype(lua_State *L, ndb_state *S, int arg, nd_dtype *out);
nd_dtype ndb_check_dtype(lua_State *L, ndb_state *S, int arg, const char *what);

/* What the string at 'arg' means, which is looked up once, as makers are called with the same few:
 * Lua has one copy of a string, so that its address tells it as long as S->words_ref keeps it
 * alive. NULL: nothing, or a file, as there is no end of paths. Raises nothing. */
const ndb_word *ndb_find_word(lua_State *L, ndb_state *S, int arg);

/* The text of a device's name or object, which lives as long as the value; it is not parsed. NULL
 * for any other value. */
const char *ndb_to_device_name(lua_State *L, ndb_state *S, int arg);

/* The place of what ndb_to_device_name has found at 'arg', parsed. Its path, if any, points into
 * the value's text. */
nd_status ndb_find_place(lua_State *L, ndb_state *S, int arg, nd_place *out, nd_error *err);

/* The place of the device object at 'arg', and push the object for a canonical name. */
nd_place ndb_check_device(lua_State *L, ndb_state *S, int arg);
void ndb_push_device(lua_State *L, ndb_state *S, const char *name);

/* The place of a device's name or object. Its path, if any, points into the value's text. */
nd_place ndb_check_place(lua_State *L, ndb_state *S, int arg, const char *what);

/* True for a table of options, false for a shape: it has keys, but no element 1. */
bool ndb_is_options(lua_State *L, int arg);

/* The address in cdata that is a pointer or an array. '*room' is the number of bytes there: the
 * size of an array, 0 for NULL, SIZE_MAX (unknown) for other pointers. type_mismatch for other
 * values. */
void *ndb_check_pointer(lua_State *L, ndb_state *S, int arg, const char *what, size_t *room);

/* Raise out_of_bounds when 'bytes' exceed 'room', as ndb_check_pointer gives it. */
void ndb_check_room(lua_State *L, ndb_state *S, const char *what, size_t room, size_t bytes);

/* {=== array.c ===} */

/* Push the handle of an array that is still to be made, of 'dtype' and with room for 'ndim' axes.
 * This may raise, and may run finalizers, so it comes before anything is owned, and what was read
 * from other arrays before it may be gone. The caller then sets 'view', which takes over a
 * reference, and calls ndb_finish; if it raises before, the handle is one that was finalized. */
ndb_array *ndb_begin(lua_State *L, ndb_state *S, nd_dtype dtype, int ndim);

/* True for such a handle, and for one that was finalized; for such a handle alone. */
bool ndb_is_unset(const ndb_array *a);
bool ndb_is_spare(const ndb_array *a);

/* Complete a handle whose view is set. Calls no Lua; ndb_note_scope is left to the caller. 'of', an
 * array of the same dtype that the view is a part of, makes it faster: each of its elements is one
 * of 'of', and no two are the same. It may be NULL. */
void ndb_finish(ndb_state *S, ndb_array *a, const ndb_array *of);

/* Push a new array for a view that was made before its handle. Takes over the view's reference,
 * even when this raises; the caller must not drop it. Needs the state's guard (ndb_make_guard),
 * which ndb_dispatch provides. */
void ndb_push_view(lua_State *L, ndb_state *S, nd_view *view);

/* The same, with a handle of 'bytes', which are enough for its axes. */
ndb_array *ndb_push_handle(lua_State *L, ndb_state *S, nd_view *view, size_t bytes);

/* ndb_check, then ndb_push_view of 'out'. Returns 1, the number of results. */
int ndb_push_made(lua_State *L, ndb_state *S, nd_status status, nd_view *out, const nd_error *err);

/* The array at 'arg'. Raises type_mismatch for any other value, freed for an array that was
 * finalized. Its memory may still be freed or not allocated yet: the core checks that. */
ndb_array *ndb_check_array(lua_State *L, ndb_state *S, int arg, const char *what);

/* The array that a method was called on: argument 1, "self". */
ndb_array *ndb_check_self(lua_State *L, ndb_state *S);

/* Push argument 1 as the method's result; returns 1. */
int ndb_return_self(lua_State *L);

/* Add the array at the top to the table of the innermost nd.scope in progress. */
void ndb_note_scope(lua_State *L, ndb_state *S);

/* Set __gc of the metatable at the top to the finalizer of arrays. */
void ndb_set_finalizer(lua_State *L);

/* {=== table.c ===} */

/* Make 'out' a view of the value at 'arg', as it can be assigned: of an array, another view; of a
 * nested table, a new host array of 'dtype', its values converted by 'mode' (shape_mismatch for
 * ragged rows, not_representable for what ND_CHECK refuses); of a scalar, a new 0-d host array of
 * the scalar's own dtype. 'out' owns a reference, so the caller must drop it before it calls
 * anything that raises. */
void ndb_read_value(lua_State *L, ndb_state *S, int arg, const char *what, nd_dtype dtype,
                    nd_cast_mode mode, nd_view *out);

/* The array at the absolute index 'arg', as ndb_check_array; a nested table there is replaced by
 * the array that nd.array makes of it. type_mismatch for a table of options. */
const nd_view *ndb_check_operand(lua_State *L, ndb_state *S, int arg, const char *what);

/* Push the elements of 'v' as nested tables; a 0-d view as the element itself. */
void ndb_push_table(lua_State *L, ndb_state *S, const nd_view *v);

/* {=== memory.c ===} */

/* The resource that memory of a place comes from: what nd.memory.set chose in this Lua state, else
 * the place's own. 'overwrite': a disk file that exists may be replaced. The caller owns a
 * reference and must drop it. Raises what the backend refuses (device_not_found, io …). */
nd_resource *ndb_open_resource(lua_State *L, ndb_state *S, const nd_place *place, bool overwrite);

extern const ndb_reg ndb_memory_functions[], ndb_stats_functions[];
void ndb_open_memory(lua_State *L, ndb_state *S);

/* {=== adaptors.c ===} */
extern const ndb_reg ndb_adaptor_functions[];

/* {=== cuda.c ===} */

/* The handle of a foreign CUDA stream, given as a number or pointer cdata; NULL when it is absent
 * or the default stream. invalid_argument when it is given though 'has_streams' is false. */
void *ndb_option_stream(lua_State *L, ndb_state *S, const ndb_options *options, bool has_streams);

/* A handle that a script gives; NULL is 0. invalid_argument for what cannot be one. */
void *ndb_check_stream_handle(lua_State *L, ndb_state *S, int arg, const char *what);
void *ndb_check_event_handle(lua_State *L, ndb_state *S, int arg, const char *what);

/* Does the driver open, with a device at least? */
bool ndb_has_gpu(void);

/* Hand NDBUF_CUDA, NDBUF_CUDA_DRIVER and NDBUF_SYNC of the environment to the CUDA backend; before
 * its first use. */
void ndb_configure_cuda(void);

extern const ndb_reg ndb_cuda_functions[], ndb_cuda_core_functions[], ndb_cuda_methods[];

/* {=== index.c and along.c, then direct.c ===} */

extern const ndb_reg ndb_index_methods[], ndb_along_methods[], ndb_along_functions[];

/* a[key], a[key] = value, a(…) and a:set(…) with every rule: where the fast paths of head.lua and
 * direct.c end. */
int ndb_index_slow(lua_State *L, ndb_state *S);
int ndb_newindex_slow(lua_State *L, ndb_state *S);
int ndb_call_slow(lua_State *L, ndb_state *S);
int ndb_set_slow(lua_State *L, ndb_state *S);

/* What Lua calls for a metamethod, method or property of arrays: its short path, for calls that
 * need nothing of what ndb_dispatch does, else ndb_dispatch. */
lua_CFunction ndb_short_path(const char *name);

/* {=== the other files' functions and methods ===} None of these files calls another of them. */

extern const ndb_reg ndb_properties[], ndb_view_methods[], ndb_copy_methods[];
extern const ndb_reg ndb_pattern_methods[], ndb_value_methods[], ndb_byte_methods[];
extern const ndb_reg ndb_compute_functions[], ndb_compute_methods[], ndb_operators[];
extern const ndb_reg ndb_reduce_functions[], ndb_count_functions[], ndb_scan_functions[];
extern const ndb_reg ndb_count_core_functions[], ndb_scan_methods[], ndb_product_functions[];
extern const ndb_reg ndb_product_core_functions[], ndb_factor_functions[];
extern const ndb_reg ndb_fft_functions[];
extern const ndb_reg ndb_fft_core_functions[], ndb_convolve_functions[];
extern const ndb_reg ndb_make_functions[], ndb_wrap_functions[], ndb_map_functions[];
extern const ndb_reg ndb_load_functions[], ndb_record_functions[], ndb_device_functions[];
extern const ndb_reg ndb_scope_functions[], ndb_setup_functions[], ndb_error_functions[];
extern const ndb_reg ndb_join_functions[], ndb_rows_methods[], ndb_rows_functions[];
extern const ndb_reg ndb_leaf_functions[], ndb_select_functions[];

/* Set core.leaf (core is at the top): the addresses that leaf.lua calls through the FFI, and in
 * 'dtypes' the number of each dtype. */
void ndb_open_leaf(lua_State *L, ndb_state *S);
void ndb_open_rows(lua_State *L);
void ndb_open_dtypes(lua_State *L, ndb_state *S);
void ndb_open_devices(lua_State *L, ndb_state *S);
void ndb_open_errors(lua_State *L, ndb_state *S);
void ndb_open_small_floats(lua_State *L);

/* Set core.operations (core is at the top): the rows of base/op.h for element-wise operations and
 * reductions, which specs and the check of the manual read. */
void ndb_open_operations(lua_State *L);

/* {=== metatables.c ===} */

/* Set core.metatables and core.properties (core is at the top) and the metatables of the state,
 * one for each dtype. */
void ndb_open_arrays(lua_State *L, ndb_state *S);

#endif
