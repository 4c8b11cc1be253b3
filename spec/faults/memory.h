/* Memory that fails on request, in three places: what the host's resource hands out, what our own
 * objects ask of the C library (linked with --wrap, see the Makefile), and Lua's allocator. */
#ifndef ND_SPEC_MEMORY_H
#define ND_SPEC_MEMORY_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "mem/medium.h"
#include "mem/small.h"
#include "ndbuf.h"

typedef enum { IN_NOTHING, IN_RESOURCE, IN_C, IN_LUA } place;

/* The n-th request in 'at' is refused, and unless 'once' all that follow. */
static struct {
  place at;
  bool once;
  long n, seen, refused;
} fault;

static inline bool refuses(place at) {
  if (fault.at != at) return false;
  fault.seen++;
  const bool refused = fault.once ? fault.seen == fault.n : fault.n > 0 && fault.seen >= fault.n;
  fault.refused += refused;
  if (refused) errno = ENOMEM;
  return refused;
}

/* {=== the host's resource ===} In its place stands one that refuses, and counts for itself. */

nd_resource *__real_nd_host_resource(void);
nd_resource *__wrap_nd_host_resource(void);

static struct { uint64_t live, peak, total, count, peak_count, total_count; } tally;

static inline void count_take(uint64_t granted) {
  tally.total += granted, tally.total_count++;
  tally.live += granted, tally.count++;
  if (tally.live > tally.peak) tally.peak = tally.live;
  if (tally.count > tally.peak_count) tally.peak_count = tally.count;
}

static inline nd_status failing_take(nd_resource *self, const nd_request *request, nd_block *out,
                                     nd_error *err) {
  if (refuses(IN_RESOURCE)) return nd_fail(err, ND_OUT_OF_MEMORY, "refused by the spec");
  ND_TRY(nd_resource_take(self->up, request, out, err));
  count_take(out->granted);
  return ND_OK;
}

static inline nd_status failing_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                                     nd_error *err) {
  tally.live -= block->granted, tally.count--;
  const nd_status status = nd_resource_give(self->up, block, after, err);
  ndi_medium_trim(); /* so that each block is a request */
  return status;
}

static inline uint64_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }

static inline bool failing_take_small(nd_resource *self, size_t record, size_t bytes, void **out,
                                      char **data) {
  if (refuses(IN_RESOURCE)) return false;
  ndi_small_trim(); /* so that each piece is a request */
  const bool is_taken = self->up->ops->take_small(self->up, record, bytes, out, data);
  if (is_taken) count_take(rounded(bytes));
  return is_taken;
}

static inline void failing_give_small(nd_resource *self, char *data, size_t bytes) {
  tally.live -= rounded(bytes), tally.count--;
  self->up->ops->give_small(self->up, data, bytes);
}

static inline nd_block failing_small_block(nd_resource *self, void *record, char *data,
                                           size_t bytes) {
  return self->up->ops->small_block(self->up, record, data, bytes);
}

nd_resource *__wrap_nd_host_resource(void) {
  static const nd_resource_ops ops = {.name = "failing",
                                      .take = failing_take,
                                      .give = failing_give,
                                      .take_small = failing_take_small,
                                      .give_small = failing_give_small,
                                      .small_block = failing_small_block};
  static nd_resource failing = {.ops = &ops, .holds = 1, .kind = ND_MEM_HOST};
  failing.up = __real_nd_host_resource();
  return &failing;
}

/* Do the host's counters say what was counted here? */
static inline bool counters_agree(void) {
  nd_mem_stats s;
  nd_resource_get_stats(__real_nd_host_resource(), &s);
  return s.live.now == tally.live && s.live.peak == tally.peak && s.live.total == tally.total &&
         s.live_count.now == tally.count && s.live_count.peak == tally.peak_count &&
         s.live_count.total == tally.total_count && s.failed_gives == 0;
}

/* {=== the C library ===} */

static long blocks; /* our objects' blocks and mappings that were not given back */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *at, size_t bytes);
void __real_free(void *at);
int __real_posix_memalign(void **out, size_t align, size_t bytes);
char *__real_strdup(const char *text);
char *__real_realpath(const char *path, char *out);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
int __real_munmap(void *at, size_t bytes);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *at, size_t bytes);
void __wrap_free(void *at);
int __wrap_posix_memalign(void **out, size_t align, size_t bytes);
char *__wrap_strdup(const char *text);
char *__wrap_realpath(const char *path, char *out);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
int __wrap_munmap(void *at, size_t bytes);

static inline void *counted(void *at) {
  blocks += at != NULL;
  return at;
}

void *__wrap_malloc(size_t bytes) { return refuses(IN_C) ? NULL : counted(__real_malloc(bytes)); }

void *__wrap_calloc(size_t count, size_t bytes) {
  return refuses(IN_C) ? NULL : counted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *at, size_t bytes) {
  if (refuses(IN_C)) return NULL;
  void *moved = __real_realloc(at, bytes);
  blocks += !at && moved;
  return moved;
}

void __wrap_free(void *at) {
  blocks -= at != NULL;
  __real_free(at);
}

int __wrap_posix_memalign(void **out, size_t align, size_t bytes) {
  if (refuses(IN_C)) return ENOMEM;
  const int failed = __real_posix_memalign(out, align, bytes);
  blocks += !failed;
  return failed;
}

char *__wrap_strdup(const char *text) {
  return refuses(IN_C) ? NULL : counted(__real_strdup(text));
}

char *__wrap_realpath(const char *path, char *out) {
  return refuses(IN_C) ? NULL : counted(__real_realpath(path, out));
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  if (refuses(IN_C)) return MAP_FAILED;
  void *mapped = __real_mmap(at, bytes, protection, flags, fd, offset);
  blocks += mapped != MAP_FAILED;
  return mapped;
}

int __wrap_munmap(void *at, size_t bytes) {
  blocks--;
  return __real_munmap(at, bytes);
}

/* {=== Lua ===} */

static long lua_blocks;

/* A lua_Alloc. Blocks that shrink are never refused: Lua relies on that. */
static inline void *lua_memory(void *context, void *at, size_t before, size_t bytes) {
  (void)context;
  if (bytes > before && refuses(IN_LUA)) return NULL;
  lua_blocks += (bytes > 0) - (at != NULL);
  if (bytes > 0) return __real_realloc(at, bytes);
  __real_free(at);
  return NULL;
}

#endif
