/* The lines of Lua that led to a call, for memory that is tracked; reports of what is left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind/memory.h"

/* "file:line: in function" lines, the innermost first, without our own files; as many as fit. Reads
 * the frames only: it allocates nothing and calls no Lua. */
size_t ndb_trace(void *context, char *text, size_t bytes) {
  const ndb_state *S = context;
  const size_t own = strlen(S->own_source);
  size_t used = 0;
  lua_Debug ar;
  text[0] = '\0';
  for (int level = 0; lua_getstack(S->L, level, &ar); level++) {
    lua_getinfo(S->L, "Sln", &ar);
    if (ar.currentline <= 0 || (own && strncmp(ar.source, S->own_source, own) == 0)) continue;
    const int length = snprintf(text + used, bytes - used, "%s%s:%d: in %s", used ? "\n" : "",
                                ar.short_src, ar.currentline, ar.name ? ar.name : ar.what);
    if (length < 0 || (size_t)length >= bytes - used) break;
    used += (size_t)length;
  }
  text[used] = '\0';
  return used;
}

/* {=== reports ===} */

typedef struct ndb_reported {
  struct ndb_reported *next;
  nd_resource *track; /* one reference */
} ndb_reported;

nd_status ndb_report_at_end(ndb_state *S, nd_resource *track, nd_error *err) {
  ndb_reported *r = malloc(sizeof *r);
  if (!r) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a report at the end");
  *r = (ndb_reported){S->reported, nd_resource_hold(track)};
  S->reported = r;
  return ND_OK;
}

static void write_indented(const char *lines) {
  for (; *lines; lines++) {
    const size_t length = strcspn(lines, "\n");
    fprintf(stderr, "    %.*s\n", (int)length, lines);
    lines += length;
    if (!*lines) break;
  }
}

static void report(nd_resource *track) {
  nd_tracked *list;
  size_t count;
  char place[64];
  const nd_place its = nd_resource_place(track);
  if (nd_track_list(track, &list, &count, NULL) != ND_OK) return;
  if (count > 0)
    fprintf(stderr, "ndbuf: not given back to %s as the Lua state closes: %zu %s\n",
            nd_place_text(&its, place, sizeof place), count, count == 1 ? "block" : "blocks");
  for (size_t i = 0; i < count; i++) {
    fprintf(stderr, "  %zu B at %p, storage %llu, %.3f s old\n", list[i].bytes, list[i].address,
            (unsigned long long)list[i].tag, list[i].age);
    write_indented(list[i].trace);
  }
  free(list);
}

/* {=== guards ===} */

void ndb_tell_finding(const nd_finding *f, uint64_t lost) {
  if (!f) {
    fprintf(stderr, "ndbuf: damage, %llu more findings\n", (unsigned long long)lost);
    return;
  }
  fprintf(stderr, "ndbuf: damage, %s: %zu B at %p, storage %llu, offset %td\n", f->what, f->bytes,
          f->address, (unsigned long long)f->tag, f->offset);
  write_indented(f->trace);
}

nd_status ndb_settle_at_end(ndb_state *S, nd_resource *guard, nd_error *err) {
  if (!S->anchors) return ND_OK; /* the state is being closed, and settled guards before */
  if (!S->guards && !(S->guards = ndi_due_make()))
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a guard");
  nd_guard_join(guard, S->guards);
  return ND_OK;
}

void ndb_settle_guards(ndb_state *S, bool waits) {
  ndi_due *guards = S->guards;
  if (!guards) return;
  if (!waits) {
    nd_guards_go_on(guards);
  } else {
    S->guards = NULL;
    nd_guards_end(guards);
  }
}

/* {=== the end ===} */

void ndb_report_leaks(ndb_state *S) {
  ndb_reported *next, *at = S->reported;
  S->reported = NULL;
  for (; at; at = next) {
    next = at->next;
    report(at->track);
    nd_resource_drop(at->track);
    free(at);
  }
}
