/* What the module keeps for a Lua state, and the dispatcher that every call from Lua goes through
 * (state.c). The rules of bind.h hold. */
#ifndef ND_BIND_STATE_H
#define ND_BIND_STATE_H

#include <lua.h>

#include "bind/handle.h"
#include "bind/options.h"
#include "mem/due.h"
#include "ndbuf.h"

enum {
  NDB_LEDGERS = 2 * ND_DEVICES + 2, /* of the collection debt; see ndb_ledger_of */
  NDB_WORDS = 32,                   /* ndb_state.words */
  NDB_TCDATA = 10,                  /* lua_type of cdata, which LuaJIT's headers do not name */
  NDB_ANY = -1                      /* any dtype; any number of arguments */
};

typedef struct ndb_anchors ndb_anchors;

/* A device object. */
typedef struct {
  nd_place place;
  char name[]; /* the canonical one */
} ndb_device;

/* What the string at the address 'text' means to makers (args.c): a dtype or a place. */
typedef struct {
  const char *text; /* NULL: none yet */
  bool is_dtype;
  nd_dtype dtype;
  nd_place place;
} ndb_word;

/* One for each Lua state, shared by its coroutines: a userdata in the registry. Its int
 * fields are registry references, but for scope_depth. */
struct ndb_state {
  lua_State *L;           /* the coroutine of the call in progress */
  const char *function;   /* the name of the called function, for messages */
  lua_Hook hook_at_entry; /* another hook since then is Ctrl-C; see is_interrupted */
  uint64_t number;        /* of this state, never reused */
  nd_call call;           /* the core's callbacks while a call is in progress */
  uint32_t stream_queue;  /* of nd.with_stream, which each call begins with; 0: none */
  int stream_ref;         /* the stream object of the innermost nd.with_stream */
  size_t reaped;          /* bytes that came back as the call in progress began */
  int calls;              /* in progress: one in a finalizer runs within another */
  nd_storage *late; /* a list: their last references are dropped when no call is in progress */
  struct ndb_view_guard *guard;            /* ready for use; NULL while in use */
  struct ndb_view_guard *registered_guard; /* the one at guard_ref */
  int guard_ref;
  struct ndb_reported *reported; /* see ndb_report_at_end */
  ndi_due *guards, *listeners;   /* of ndb_settle_at_end, ndb_listen; NULL: there were none */
  bool is_guarded;               /* by the environment, see ndb_settle_defaults */
  ndb_anchors *anchors;          /* NULL once the Lua state is being closed */
  uint64_t debt[NDB_LEDGERS];    /* bytes allocated since the last collection, less those freed */
  uint64_t live_after[NDB_LEDGERS]; /* bytes in use after that collection */
  uint64_t collections;             /* full collections run for the debt */
  double collecting_ms;             /* processor time of these */
  uint64_t last_handle;             /* id of the array made last */
  uint64_t seed, random_calls;      /* of the running sequence of random numbers */
  int scope_depth;                  /* of nd.scope calls in progress */
  int scope_ref;                    /* table of the arrays made in the innermost one */
  int metatables[ND_DTYPE_COUNT], dtype_metatable, device_metatable, error_metatable,
      memory_metatable, reservation_metatable, stream_metatable, event_metatable, column_metatable;
  int devices;                      /* weak table: canonical name -> device object */
  int places;                       /* table: canonical name -> what nd.memory.set chose */
  ndb_word words[NDB_WORDS];        /* looked up last; by address */
  int words_ref;                    /* table: the strings of 'words' */
  nd_resource *chosen[NDB_LEDGERS]; /* by ndb_ledger_of, one reference each; NULL: the default */
  int chosen_count;
  uint32_t forbidden;          /* transfers, in the call's form */
  const nd_promises *promises; /* of r:use in progress; NULL: none */
  int boxes[ND_DTYPE_COUNT];   /* Lua functions that make cdata of an element (i64, u64, complex) */
  int classify, to_pointer, unknown_name, print; /* Lua functions that 'setup' handed over */
  int fills[ND_DTYPE_COUNT]; /* Lua functions that store a list of numbers; see table.c */
  bool is_telling;           /* a call made by listeners does not call them */
  bool is_collecting;        /* a finalizer that allocates starts no other collection */
  bool is_asking;            /* a function of nd.memory.retry runs */
  bool is_stressed;          /* NDBUF_GC_STRESS=1: see ndb_stress */
  char own_source[256];      /* prefix of our Lua files' chunk names: no user's line is there */
};

/* A function of the module, as ndb_dispatch calls it: while it runs, the state's nd_call is the
 * thread's. Returns the number of results, as a lua_CFunction does. */
typedef int ndb_function(lua_State *L, ndb_state *S);
typedef struct {
  const char *name;
  ndb_function *call;
  int most; /* the most arguments that it takes, self included; ndb_dispatch refuses more.
               NDB_ANY: the function checks, as the number depends on its arguments' types */
} ndb_reg;

/* Owns a view while lua_newuserdata makes its handle: that call may raise (the view would leak), or
 * run finalizers, which may call this module. A userdata, which the collector takes where such a
 * finalizer has made another meanwhile. */
typedef struct ndb_view_guard {
  nd_view view;
} ndb_view_guard;

/* Make sure that the state has a guard ready. May raise: call it before anything is owned. */
void ndb_make_guard(lua_State *L, ndb_state *S);

/* At the end of what has readied a guard: if an error passed ndb_push_view, which left the view in
 * the guard, drop the view and make the guard ready again. The call may have been a finalizer's, in
 * the middle of another that counts on a guard. */
void ndb_return_guard(ndb_state *S);

/* Called after an array's finalizer. If no state is open, frees pending memory and closes the
 * backends: a script's finalizers may make arrays after state_gc has run. No-op otherwise. */
void ndb_close_late(void);

/* Make 'guard', whose userdata is at the top, the state's ready one; pops it. */
void ndb_give_guard(lua_State *L, ndb_state *S, ndb_view_guard *guard);

/* Make the state, which the registry keeps. Raises when memory runs out. */
ndb_state *ndb_open_state(lua_State *L);
/* NULL, and nil: this module was not loaded into the Lua state. 'push' pushes the userdata. */
ndb_state *ndb_find_state(lua_State *L);
void ndb_push_state(lua_State *L);

/* Which resource new memory like that of 'own' comes from: what nd.memory.set chose, else 'own'.
 * Calls no Lua. */
nd_resource *ndb_memory_for(const ndb_state *S, nd_resource *own);

/* Drop a finalized handle's reference while calls are in progress. The record of the storage stays
 * valid until they have ended, the bytes perhaps not so long. */
void ndb_drop_late(ndb_state *S, nd_storage *storage);
/* lua_pcall of a script's function, by a call that works on no array: for that, it has ended. */
int ndb_call_script(lua_State *L, ndb_state *S, int arguments);

/* Add the functions of 'list', which a NULL name ends, to the table at the top, as ndb_dispatch. */
void ndb_register(lua_State *L, const ndb_reg *list);

/* The same for what arrays of 'dtype' have, which raises type_mismatch for self of another dtype;
 * as closures of what 'by' gives for each name. */
void ndb_register_methods(lua_State *L, const ndb_reg *list, lua_CFunction by(const char *name),
                          int dtype);

/* What a function of the module is a closure of: the record at its first upvalue. */
typedef struct {
  ndb_state *state;
  const ndb_reg *row;
  int dtype; /* of self; or NDB_ANY */
} ndb_bound;

/* One read for all three: each call begins with it. */
static inline const ndb_bound *ndb_bound_to(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(1));
}

/* What every call from Lua goes through: checks self's dtype and the number of arguments, frees
 * what finished meanwhile, readies a guard, and makes the state's nd_call the thread's until the
 * function returns or raises. */
int ndb_dispatch(lua_State *L);

/* Set the stack to exactly 'last' arguments, filling up with nil. Raises invalid_argument when one
 * after 'last' is not nil. */
void ndb_end_arguments(lua_State *L, ndb_state *S, int last);

/* Keep the Lua value at 'arg' alive until ndb_anchor_release is called with the result. Raises
 * out_of_memory, and unsupported while the state is being closed. */
void *ndb_anchor(lua_State *L, ndb_state *S, int arg);

/* Push the value of an anchor of this state that was not released. */
void ndb_anchor_push(lua_State *L, const void *anchor);

/* Thread-safe, and allowed after the Lua state was closed; calls no Lua. */
void ndb_anchor_release(void *anchor);

/* Are there anchors that ndb_drop_released would free? */
bool ndb_has_released(const ndb_state *S);

/* Unreference the values whose anchors were released. Every call does so when it begins; calls that
 * free memory also when they end. */
void ndb_drop_released(lua_State *L, ndb_state *S);

#endif
