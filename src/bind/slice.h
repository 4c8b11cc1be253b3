/* Indices as scripts write them: counted from 1, negative ones from the end, ranges with both ends
 * included. The only place that converts them to the core's 0-based indices. It includes no lua.h,
 * so that C specs can call it. */
#ifndef ND_BIND_SLICE_H
#define ND_BIND_SLICE_H

#include "view/index.h"

/* One entry of an index, with the script's numbers. A range without bounds is ':'. */
typedef struct {
  nd_index_kind kind;
  bool has_first, has_last;
  int64_t first, last, step; /* AT: 'first'; RANGE: 'step' is 1 when none was given */
} ndb_slice;

/* Parse slice text into 'out', which has room for ND_MAX_INDICES entries, and their number into
 * 'count'. Grammar: entries separated by commas; an entry is an integer, lo:hi or lo:hi:step with
 * any part left out, '...' (all axes not named) or '_' (a new axis); blanks anywhere between.
 * ND_INVALID_ARGUMENT names the character where it fails. */
nd_status ndb_slice_parse(const char *text, size_t length, ndb_slice *out, int *count,
                          nd_error *err);

/* True when 'text' consists of the grammar's characters, not blanks alone: it is a slice, right or
 * wrong, and not the name of a field. ("_" alone could be either.) */
bool ndb_slice_is_text(const char *text, size_t length);

/* Convert 'count' entries to the core's for nd_view_index on 'src'. ND_INDEX_OUT_OF_RANGE and
 * ND_INVALID_ARGUMENT give the script's numbers. Too many entries or ellipses are not refused here:
 * nd_view_index does that. */
nd_status ndb_slice_resolve(const nd_view *src, int count, const ndb_slice *items, nd_index *out,
                            nd_error *err);

/* Convert index 'at', 1 to 'len' or -len to -1, to 0-based. 'axis' (0-based) is for the message of
 * ND_INDEX_OUT_OF_RANGE only. */
nd_status ndb_index_resolve(int64_t at, size_t len, int axis, size_t *out, nd_error *err);

/* Convert an axis number, 1 to 'ndim' or -ndim to -1, to 0-based; ND_INDEX_OUT_OF_RANGE. 'what' is
 * the function named in the message. */
nd_status ndb_axis_resolve(const char *what, int64_t axis, int ndim, int *out, nd_error *err);

#endif
