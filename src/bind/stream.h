/* Stream and event objects, and the stream of a call: stream_object.c, and stream.c above it. */
#ifndef ND_BIND_STREAM_H
#define ND_BIND_STREAM_H

#include "bind/bind.h"
#include "dev/stream.h"

typedef struct {
  nd_stream stream; /* without a backend: not made, or finalized */
  bool is_own;      /* to be closed */
} ndb_stream;

typedef struct {
  nd_event *event; /* NULL: not made, or finalized */
} ndb_event;

/* Push an object that owns nothing yet. */
ndb_stream *ndb_push_stream(lua_State *L, ndb_state *S);
ndb_event *ndb_push_event(lua_State *L, ndb_state *S);

/* The object at 'arg'; 'to': NULL for other values. Raises type_mismatch, and stream_misuse for one
 * that was finalized. */
ndb_stream *ndb_to_stream(lua_State *L, ndb_state *S, int arg);
ndb_stream *ndb_check_stream(lua_State *L, ndb_state *S, int arg, const char *what);
ndb_event *ndb_check_event(lua_State *L, ndb_state *S, int arg, const char *what);

/* Let the rest of this call enqueue work on the option's stream, if it is given: on the views 'a'
 * and 'b' (NULL: none), or on a new array at 'place' and 'a'. stream_misuse where all the work is
 * on another device. */
void ndb_use_stream(lua_State *L, ndb_state *S, const ndb_options *options, const nd_view *a,
                    const nd_view *b);
void ndb_use_stream_at(lua_State *L, ndb_state *S, const ndb_options *options, const nd_view *a,
                       const nd_place *place);

/* Make the metatables; the second sets core.stream_metatable and core.event_metatable (core is at
 * the top), and adds to the methods of devices. */
void ndb_open_stream_objects(lua_State *L, ndb_state *S);
void ndb_open_streams(lua_State *L, ndb_state *S);

extern const ndb_reg ndb_stream_functions[];
extern const ndb_reg ndb_stream_cuda_functions[];

#endif
