/* What the C specs share: counted checks in groups, and random numbers that are not ours. */
#ifndef ND_SPEC_CHECK_H
#define ND_SPEC_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SHOWN_FAILURES = 20 };

static struct {
  size_t passed, failed, groups, passed_before, failed_before;
  const char *group;
} checks;

/* The format and its values describe the case; printed on failure only. */
#define CHECK(ok, ...)                                  \
  do {                                                  \
    if (ok) checks.passed++;                            \
    else if (++checks.failed <= SHOWN_FAILURES) {       \
      printf("# %s:%d: %s: ", __FILE__, __LINE__, #ok); \
      printf(__VA_ARGS__), putchar('\n');               \
    }                                                   \
  } while (0)

/* A group that checked nothing has failed: what it is about was not looked at. */
static inline void end_group(void) {
  if (!checks.group) return;
  if (checks.failed + checks.passed == checks.failed_before + checks.passed_before) checks.failed++;
  const size_t failed = checks.failed - checks.failed_before;
  const size_t count = failed + checks.passed - checks.passed_before;
  printf("%s %zu - %s (%zu checks)\n", failed ? "not ok" : "ok", ++checks.groups, checks.group,
         count);
  checks.group = NULL;
}

static inline void group(const char *name) {
  end_group();
  checks.group = name;
  checks.passed_before = checks.passed;
  checks.failed_before = checks.failed;
}

/* The exit status of main. */
static inline int finish(void) {
  end_group();
  printf("1..%zu\n%zu passed, %zu failed\n", checks.groups, checks.passed, checks.failed);
  return checks.failed != 0;
}

/* 'n' cases, fewer where NDBUF_CASES is below 1 (under valgrind, say), but one in fifty at least.
 */
static inline size_t scaled(size_t n) {
  const char *text = getenv("NDBUF_CASES");
  const double part = text ? strtod(text, NULL) : 1;
  return part >= 1 ? n : (size_t)((double)n * (part > 0.02 ? part : 0.02)) + 1;
}

/* The threads of this process. */
static inline int running_threads(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  int count = 0;
  while (file && fgets(line, sizeof line, file)) sscanf(line, "Threads: %d", &count);
  if (file) fclose(file);
  return count;
}

/* Do they become so many? One that was joined still counts until the system has cleared it away. */
static inline bool threads_become(int count) {
  const time_t start = time(NULL);
  while (running_threads() != count)
    if (time(NULL) - start > 10) return false;
  return true;
}

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static inline uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

#endif
