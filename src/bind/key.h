/* Keys: what stands in the brackets of a[…], and lists of indices. index.c and along.c read them.
 */
#ifndef ND_BIND_KEY_H
#define ND_BIND_KEY_H

#include "bind/bind.h"

/* A list of entries with the script's numbers, and the index arrays and masks among them. Functions
 * set 'count' and 'arrays' to 0 rather than initialise a key: that would clear more than 1 KiB for
 * each access to an element. */
typedef struct {
  int count, arrays;
  ndb_slice items[ND_MAX_INDICES];
  struct {
    const nd_view *by; /* of an array on the stack */
    int item, items;   /* the first of the ranges ':' that keep its place; how many */
  } of[ND_MAX_NDIM];
} ndb_key;

/* Add the entry at the absolute index 'arg': an integer, a range, a slice string or an array, which
 * is then pushed. */
void ndb_key_add(lua_State *L, ndb_state *S, ndb_key *k, int arg);

/* Add an integer; the entries of the slice text at 'arg'; those of the table at the absolute index
 * 'table'. */
void ndb_key_add_integer(lua_State *L, ndb_state *S, ndb_key *k, int64_t at);
void ndb_key_add_text(lua_State *L, ndb_state *S, ndb_key *k, int arg);
void ndb_key_add_table(lua_State *L, ndb_state *S, ndb_key *k, int table);

/* Make 'out' the part of 'v' that the key names, with the axes of its arrays whole; true: it is one
 * element, by integers alone. 'out' has no reference of its own: the array on the stack keeps the
 * storage alive. That saves two atomic operations for an element. */
bool ndb_key_resolve(lua_State *L, ndb_state *S, const nd_view *v, const ndb_key *k, nd_view *out);

/* Write the pickers for the view that ndb_key_resolve makes, 'arrays' of them. Returns where the
 * axes of the index arrays come among those that are left: in the place of the arrays, or, where
 * something else stands between two of them, first. */
int ndb_key_pickers(const nd_view *v, const ndb_key *k, nd_picker *out);

/* Push a value as an array of 'dtype'; the handle on the stack keeps the returned view alive. */
const nd_view *ndb_push_values(lua_State *L, ndb_state *S, int arg, const char *what,
                               nd_dtype dtype);

/* Push a list of indices: an array as it is, a number or a table as one of i64. */
const nd_view *ndb_push_index(lua_State *L, ndb_state *S, int arg);

/* Push what 'what' adds: a scalar must be exact in 'dtype', or it is refused. */
const nd_view *ndb_push_addend(lua_State *L, ndb_state *S, int arg, const char *what,
                               nd_dtype dtype);

/* Return the array at the top, or copy it to the option 'out', which must have its shape
 * (shape_mismatch), and return that. */
int ndb_return_out(lua_State *L, ndb_state *S, const ndb_options *options, const char *what);

/* Return the 'count' arrays at the top, or, where 'at' is not 0, copy them to those in the table at
 * 'at', as many, and return these. All are checked before one is written: shapes (shape_mismatch),
 * what nd_check_copy refuses, and that no two share memory (overlap). */
int ndb_return_outs(lua_State *L, ndb_state *S, int at, int count);

#endif
