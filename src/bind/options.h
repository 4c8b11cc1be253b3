/* Options: the last argument of many functions, a table of named values, read in one way. */
#ifndef ND_BIND_OPTIONS_H
#define ND_BIND_OPTIONS_H

#include <lua.h>

#include "ndbuf.h"

typedef struct ndb_state ndb_state; /* state.h */

/* All options: identifier, the name in the table. A function says which it takes by a set of
 * NDB_BITs. Two share the name "stream": no function takes both. */
#define NDB_OPTIONS(X)      \
  X(ADVICE, advice)         \
  X(ASYNC, async)           \
  X(AXES, axes)             \
  X(AXIS, axis)             \
  X(BASE, base)             \
  X(CAP, cap)               \
  X(COPY, copy)             \
  X(DDOF, ddof)             \
  X(DESCENDING, descending) \
  X(DEVICE, device)         \
  X(DTYPE, dtype)           \
  X(FOREIGN_STREAM, stream) \
  X(KEEPDIMS, keepdims)     \
  X(LARGEST, largest)       \
  X(LAZY, lazy)             \
  X(METADATA, metadata)     \
  X(METHOD, method)         \
  X(MINLENGTH, minlength)   \
  X(MMAP, mmap)             \
  X(MODE, mode)             \
  X(N, n)                   \
  X(NAMES, names)           \
  X(NORM, norm)             \
  X(OFFSET, offset)         \
  X(ONCE, once)             \
  X(OUT, out)               \
  X(OVERWRITE, overwrite)   \
  X(OWNER, owner)           \
  X(PATH, path)             \
  X(PRIORITY, priority)     \
  X(QUALITY, quality)       \
  X(RATE, rate)             \
  X(REPORT, report)         \
  X(READONLY, readonly)     \
  X(RING, ring)             \
  X(ROWS, rows)             \
  X(S, s)                   \
  X(SEED, seed)             \
  X(SIDE, side)             \
  X(SORTED, sorted)         \
  X(SORTER, sorter)         \
  X(STREAM, stream)         \
  X(TIMING, timing)         \
  X(VERSIONED, versioned)   \
  X(WEIGHTS, weights)
#define ND_ROW(ID, name) NDB_##ID,
typedef enum { NDB_OPTIONS(ND_ROW) NDB_OPTION_COUNT } ndb_option;
#undef ND_ROW
#define NDB_BIT(ID) (UINT64_C(1) << NDB_##ID)

typedef struct {
  int at[NDB_OPTION_COUNT]; /* stack index of the value, which stays there; 0: absent or nil */
} ndb_options;

/* Read the options at 'arg', a table or nil, the last argument; pushes their values. Where AXIS is
 * in 'known', a number at 'arg' is the axis, and the table may follow it. Raises invalid_argument
 * for further arguments and for keys that are not in 'known'. */
void ndb_read_options(lua_State *L, ndb_state *S, int arg, uint64_t known, ndb_options *out);

/* The value of option 'which', or what stands for an absent one. Each raises as its argument check
 * does, with the option as the argument's name. */
bool ndb_option_boolean(lua_State *L, ndb_state *S, const ndb_options *options, ndb_option which,
                        bool otherwise);

/* The array of option 'out', or NULL. The view is the array's own. */
const nd_view *ndb_option_out(lua_State *L, ndb_state *S, const ndb_options *options);

/* The dtype of option 'dtype', written to 'to'; NULL when it is absent. */
const nd_dtype *ndb_option_dtype(lua_State *L, ndb_state *S, const ndb_options *options,
                                 nd_dtype *to);

/* The index of a string among 'choices' (NULL-terminated); 0 when it is absent. invalid_argument
 * for others, listing the choices. */
int ndb_option_choice(lua_State *L, ndb_state *S, const ndb_options *options, ndb_option which,
                      const char *const *choices);
nd_cast_mode ndb_option_mode(lua_State *L, ndb_state *S, const ndb_options *options);

/* What 'base' says that counting begins from: 0 or 1, the default. invalid_argument for others. */
int64_t ndb_option_base(lua_State *L, ndb_state *S, const ndb_options *options);

/* An axis, 0-based; 'otherwise' when it is absent. A negative 'otherwise': the option is
 * required. */
int ndb_option_axis(lua_State *L, ndb_state *S, const ndb_options *options, const char *what,
                    int ndim, int otherwise);

/* A set of axes from one integer or a list: bit i is axis i, 0-based. All axes when it is absent;
 * invalid_argument for one that is named twice. */
uint32_t ndb_option_axes(lua_State *L, ndb_state *S, const ndb_options *options, const char *what,
                         int ndim);

#endif
