/* Device addresses that the CPU cannot use, and the bytes behind them, which are somewhere else:
 * two mappings and one file of memory, none of which a fork inherits. */
#include "sim.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SPANS_MAX = 4096 };

typedef struct {
  uint64_t extent;
  size_t span;
} free_extent;

static char *arena, *shadow;
static size_t capacity, arena_top, shadow_top;
static int file = -1;
static free_extent spans[SPANS_MAX];
static int span_count;

static bool try_capacity(size_t bytes) {
  arena = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED) return false;
  shadow = ftruncate(file, (off_t)bytes) == 0
               ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0)
               : MAP_FAILED;
  if (shadow == MAP_FAILED) {
    munmap(arena, bytes);
    return false;
  }
  capacity = bytes;
  return true;
}

/* Valgrind and ThreadSanitizer leave less room than others: the first size that is had. */
bool sim_arena_make(void) {
  static const size_t sizes_gib[] = {16 << 10, 256, 30, 4};
  if (capacity) return true;
  file = memfd_create("cusim", MFD_CLOEXEC);
  for (int i = 0; i < 4 && file >= 0 && !capacity; i++) try_capacity(sizes_gib[i] << 30);
  if (!capacity) return false;
  madvise(arena, capacity, MADV_DONTFORK);
  madvise(shadow, capacity, MADV_DONTFORK);
  madvise(shadow, capacity, MADV_DONTDUMP);
  arena_top = PAGE_BYTES;
  return true;
}

void sim_arena_end(void) {
  if (capacity) munmap(shadow, capacity);
}

bool sim_is_arena(uint64_t address) { return address - (uintptr_t)arena < capacity; }

uint64_t sim_arena_take(size_t span) {
  if (span > capacity || arena_top + span + PAGE_BYTES > capacity) return 0;
  const uint64_t base = (uintptr_t)arena + arena_top;
  arena_top += span + PAGE_BYTES;
  return base;
}

/* Extents are given out again by exact size: programs ask for the same ones over and over. */
uint64_t sim_extent_take(size_t span) {
  for (int i = span_count; i-- > 0;)
    if (spans[i].span == span) {
      const uint64_t extent = spans[i].extent;
      spans[i] = spans[--span_count];
      return extent;
    }
  if (span > capacity - shadow_top) return NO_EXTENT;
  shadow_top += span;
  return shadow_top - span;
}

static void punch(uint64_t extent, size_t span) { madvise(shadow + extent, span, MADV_REMOVE); }

/* What is kept for later is bounded; beyond, its pages go back to the system. */
void sim_extent_give(uint64_t extent, size_t span) {
  static const size_t KEPT_BYTES = (size_t)512 << 20;
  size_t kept = 0;
  for (int i = 0; i < span_count; i++) kept += spans[i].span;
  if (span_count < SPANS_MAX && kept + span <= KEPT_BYTES)
    spans[span_count++] = (free_extent){extent, span};
  else punch(extent, span);
}

char *sim_shadow(uint64_t extent) { return shadow + extent; }

bool sim_map_for_host(uint64_t base, size_t span, uint64_t extent) {
  void *at = (void *)(uintptr_t)base;
  if (mmap(at, span, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)extent) != at)
    return false;
  madvise(at, span, MADV_DONTFORK);
  return true;
}

void sim_unmap_for_host(uint64_t base, size_t span) {
  void *at = (void *)(uintptr_t)base;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(at, span, PROT_NONE, flags, -1, 0) != at) perror("cusim: mmap");
  madvise(at, span, MADV_DONTFORK);
}

void sim_protect(uint64_t base, size_t span, sim_access access) {
  static const int flags[] = {[OPEN] = PROT_READ | PROT_WRITE, [READ_ONLY] = PROT_READ};
  mprotect((void *)(uintptr_t)base, span, access == CLOSED ? PROT_NONE : flags[access]);
}
