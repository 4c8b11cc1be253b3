/* The levels of kernels (kern/level.h), for specs that run on each of them. */
#ifndef ND_SPEC_LEVELS_H
#define ND_SPEC_LEVELS_H

#include <stdbool.h>
#include <stdio.h>

#include "kern/level.h"

static const int levels[] = {1, 3, 4};

/* False where this processor, or this build, does not have the level. */
static inline bool use_level(int level) {
  ndi_level_limit(level);
  return ndi_level() == level;
}

/* The same, and prints which one. */
static inline bool show_level(int level) {
  const bool is_there = use_level(level);
  printf("# level: x86-64-v%d%s\n", level, is_there ? "" : ", skipped: not supported here");
  return is_there;
}

#endif
