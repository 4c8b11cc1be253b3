/* The cache of host blocks: what it keeps, for whom, and how much. */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../contract/resource.h"
#include "mem/host.h"

enum { MIB = 1 << 20, MOST_BLOCKS = 64 };

static nd_resource *host(void) { return nd_host_resource(); }

static char *take_bytes(size_t bytes, nd_ticket *ticket) {
  nd_block block = {.host = NULL};
  CHECK(take(host(), bytes, ticket, &block) == ND_OK, "%zu B", bytes);
  return block.host;
}

static void give_back(nd_ticket ticket) {
  CHECK(nd_ticket_give(ticket, NULL, NULL) == ND_OK, "give");
}

static void trim(void) {
  size_t freed;
  CHECK(nd_resource_trim(host(), 0, &freed, NULL) == ND_OK, "trim");
}

/* None where a checker of memory wants to see each block end. */
static bool has_cache(void) {
  nd_ticket ticket;
  take_bytes(MIB, &ticket);
  give_back(ticket);
  const bool is_kept = stats_of(host()).cached.now > 0;
  trim();
  return is_kept;
}

static bool is_mapped(const char *at) {
  unsigned char resident;
  return mincore((void *)(uintptr_t)at, 1, &resident) == 0 || errno != ENOMEM;
}

static void spec_each_once(void) {
  group("each block that was kept serves one taker");
  static const size_t sizes[] = {1 * MIB, 5 * MIB, 20 * MIB, 50 * MIB};
  enum { COUNT = ND_COUNTOF(sizes) };
  nd_ticket ticket[COUNT];
  char *at[COUNT] = {0};
  for (size_t i = 0; i < COUNT; i++) at[i] = take_bytes(sizes[i], &ticket[i]);
  for (size_t i = 0; i < COUNT; i++) give_back(ticket[i]);
  for (size_t i = 0; i < COUNT; i++)
    CHECK(take_bytes(sizes[i], &ticket[i]) == at[i], "%zu B: another one", sizes[i]);
  CHECK(stats_of(host()).cached_count.now == 0, "none is left");
  for (size_t i = 0; i < COUNT; i++) give_back(ticket[i]);
  trim();
}

static void spec_rest(void) {
  group("what a kept block has too much goes back to the system");
  nd_ticket ticket;
  char *first = take_bytes(4 * MIB, &ticket);
  give_back(ticket);
  CHECK(take_bytes(3 * MIB, &ticket) == first, "the same block");
  CHECK(is_mapped(first + 3 * MIB - 1) && !is_mapped(first + 3 * MIB), "its rest");
  CHECK(stats_of(host()).cached.now == 0, "nothing is cached");
  give_back(ticket);
  trim();
  CHECK(!is_mapped(first), "trimmed");
}

static void check_zeroed(const char *what, char *kept) {
  nd_ticket ticket;
  nd_block block;
  const nd_request request = {.bytes = 2 * MIB - 100, .zeroed = true};
  CHECK(nd_ticket_take(host(), &request, &ticket, &block, NULL) == ND_OK, "%s: take", what);
  CHECK(block.zeroed && (!kept || block.host == kept), "%s: not the block that was kept", what);
  size_t wrong = 0;
  for (size_t i = 0; i < block.granted; i++) wrong += ((char *)block.host)[i] != 0;
  CHECK(wrong == 0, "%s: %zu bytes are not 0", what, wrong);
  give_back(ticket);
  trim();
}

static void spec_zeroed(void) {
  group("zeroed memory that was kept has fresh pages");
  nd_ticket ticket;
  char *at = take_bytes(2 * MIB, &ticket);
  memset(at, 1, 2 * MIB);
  give_back(ticket);
  check_zeroed("plain pages", at);
  at = take_bytes(2 * MIB, &ticket);
  memset(at, 1, 2 * MIB);
  const bool is_locked = mlock(at, 1) == 0; /* the system refuses to exchange these */
  give_back(ticket);
  check_zeroed("a locked page", is_locked ? NULL : at);
}

static void spec_zeroed_fork(void) {
  group("zeroed memory that a forked child kept has fresh pages, and the parent's stays");
  nd_ticket ticket;
  char *at = take_bytes(2 * MIB, &ticket);
  memset(at, 1, 2 * MIB);
  const pid_t child = fork();
  if (child == 0) {
    give_back(ticket);
    check_zeroed("in the child", at);
    _exit(checks.failed != 0);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0, "status %d", status);
  CHECK(at[0] == 1 && at[2 * MIB - 1] == 1, "the parent's");
  give_back(ticket);
  trim();
}

static void spec_limits(void) {
  group("no more than 64 blocks are kept, and no more than the limit of bytes");
  nd_ticket ticket[MOST_BLOCKS + 4];
  for (size_t i = 0; i < ND_COUNTOF(ticket); i++) take_bytes(MIB, &ticket[i]);
  for (size_t i = 0; i < ND_COUNTOF(ticket); i++) give_back(ticket[i]);
  CHECK(stats_of(host()).cached_count.now == MOST_BLOCKS, "%" PRIu64 " blocks",
        stats_of(host()).cached_count.now);
  trim();
  const size_t own = (size_t)sysconf(_SC_PHYS_PAGES) / 16 * (size_t)sysconf(_SC_PAGESIZE);
  const size_t limit = own < (size_t)1 << 30 ? own : (size_t)1 << 30;
  for (size_t i = 0; i < 3; i++) take_bytes(limit / 5 * 2, &ticket[i]); /* never touched */
  for (size_t i = 0; i < 3; i++) give_back(ticket[i]);
  CHECK(stats_of(host()).cached.now <= limit && stats_of(host()).cached_count.now == 2,
        "%" PRIu64 " B of %zu", stats_of(host()).cached.now, limit);
  trim();
}

/* {=== blocks below 1 MiB ===} */

enum { KIB = 1 << 10, MOST_KEPT = 64 * MIB };

static void spec_medium(void) {
  group("blocks of 1 KiB to 1 MiB are kept, and serve the next of about the size, the last first");
  for (size_t bytes = KIB + 64; bytes < MIB; bytes += bytes / 7 / 64 * 64 + 64) {
    nd_ticket ticket[3];
    char *at[3];
    for (size_t i = 0; i < 3; i++) at[i] = take_bytes(bytes - i, &ticket[i]);
    for (size_t i = 0; i < 3; i++) {
      CHECK((uintptr_t)at[i] % 64 == 0, "%zu B are not aligned", bytes);
      memset(at[i], 1 + (int)i, bytes);
    }
    for (size_t i = 0; i < 3; i++)
      CHECK(at[i][0] == 1 + (int)i && at[i][bytes - 1] == 1 + (int)i, "%zu B overlap", bytes);
    for (size_t i = 0; i < 3; i++) give_back(ticket[i]);
    for (size_t i = 3; i-- > 0;)
      CHECK(take_bytes(bytes, &ticket[i]) == at[i], "%zu B: another one", bytes);
    for (size_t i = 0; i < 3; i++) give_back(ticket[i]);
  }
  trim();
}

static void spec_medium_zeroed(void) {
  group("zeroed memory from there is zeroed");
  nd_ticket ticket;
  nd_block block;
  const nd_request request = {.bytes = 100 * KIB, .zeroed = true};
  char *at = take_bytes(100 * KIB, &ticket);
  memset(at, 1, 100 * KIB);
  give_back(ticket);
  CHECK(nd_ticket_take(host(), &request, &ticket, &block, NULL) == ND_OK, "take");
  size_t wrong = block.host != at;
  for (size_t i = 0; i < block.granted; i++) wrong += ((char *)block.host)[i] != 0;
  CHECK(wrong == 0, "%zu bytes are not 0", wrong);
  give_back(ticket);
  trim();
}

/* Bytes that malloc has handed out, mapped ones too: those of the lists among them. */
#ifdef __GLIBC__
static size_t in_use(void) {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/* Not where a checker of memory has put its own malloc in place of the C library's. */
static bool is_counted(void) {
  const size_t before = in_use();
  char *volatile at = malloc(KIB);
  const bool is_more = in_use() > before;
  free(at);
  return is_more;
}

/* A block takes at most an eighth more than was asked for, and what aligns it. */
static void spec_medium_size(void) {
  group("a block wastes at most an eighth, and is freed by a trim");
  for (size_t bytes = KIB + 64; bytes < MIB; bytes += bytes / 11 / 64 * 64 + 64) {
    nd_ticket ticket[8];
    const size_t before = in_use();
    for (size_t i = 0; i < 8; i++) take_bytes(bytes, &ticket[i]);
    const size_t used = in_use() - before, most = 8 * (bytes + bytes / 8 + 128 + 4096);
    CHECK(used >= 8 * bytes && used <= most, "8 blocks of %zu B: %zu", bytes, used);
    for (size_t i = 0; i < 8; i++) give_back(ticket[i]);
    CHECK(in_use() + 4096 >= before + used, "%zu B: they are kept", bytes);
    trim();
    CHECK(in_use() <= before + 4096, "%zu B: they are left", bytes);
  }
}

/* Many that are freed at once, as by a collection. */
static void spec_medium_limit(void) {
  group("64 MiB of them are kept, of the sizes that were given back last");
  enum { COUNT = 80 * 8, SLACK = MIB };
  static nd_ticket ticket[COUNT];
  static char *at[COUNT];
  const size_t before = in_use();
  for (size_t i = 0; i < COUNT; i++) take_bytes(128 * KIB, &ticket[i]);
  for (size_t i = 0; i < COUNT; i++) give_back(ticket[i]);
  CHECK(in_use() - before <= MOST_KEPT + SLACK && in_use() - before >= MOST_KEPT - SLACK,
        "%zu B are kept", in_use() - before);
  for (size_t i = 0; i < COUNT / 4; i++) at[i] = take_bytes(256 * KIB, &ticket[i]);
  for (size_t i = 0; i < COUNT / 4; i++) give_back(ticket[i]);
  CHECK(in_use() - before <= MOST_KEPT + SLACK && in_use() - before >= MOST_KEPT - SLACK,
        "%zu B are kept of two sizes", in_use() - before);
  for (size_t i = COUNT / 4; i-- > 0;)
    CHECK(take_bytes(256 * KIB, &ticket[i]) == at[i], "block %zu made way", i);
  for (size_t i = 0; i < COUNT / 4; i++) give_back(ticket[i]);
  trim();
}
#endif

/* {=== malloc_trim ===} In place of the C library's. */

#ifdef __GLIBC__
static atomic_int inside, most_inside, trims;
static atomic_bool is_held; /* nobody leaves, however late who waits for it looks */

int malloc_trim(size_t pad) {
  (void)pad;
  const int now = ++inside;
  if (now > most_inside) most_inside = now;
  trims++;
  do usleep(20000);
  while (is_held);
  inside--;
  return 0;
}

static void *trim_host(void *unused) {
  size_t freed;
  nd_resource_trim(host(), 0, &freed, NULL);
  return unused;
}

/* What the system has in its place may be another malloc: then the first call sets it up. */
static void spec_trim(void) {
  group("one thread at a time trims malloc, also in a forked child");
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  is_held = true;
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, trim_host, NULL);
  while (inside == 0) sched_yield();
  const int before = trims;
  const pid_t child = fork();
  if (child == 0) {
    is_held = false;
    trim_host(NULL);
    _exit(trims == before);
  }
  is_held = false;
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0, "status %d", status);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK(most_inside == 1, "%d at a time", most_inside);
  trim();
  CHECK(inside == 0 && trims > 1, "%d", trims);
}
#endif

static void spec_fork(void) {
  group("a forked child takes and gives blocks");
  nd_ticket ticket, other;
  take_bytes(MIB, &ticket);
  take_bytes(MIB / 2, &other);
  const pid_t child = fork();
  if (child == 0) {
    alarm(10); /* the lock may be held by nobody */
    give_back(ticket);
    give_back(other);
    take_bytes(MIB, &ticket);
    take_bytes(MIB / 2, &other);
    _exit(checks.failed != 0);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0, "status %d", status);
  give_back(ticket);
  give_back(other);
  trim();
}

int main(void) {
  group("blocks of 1 MiB are kept");
  const bool is_kept = has_cache();
  CHECK(true, "or none are");
  if (is_kept) {
    spec_each_once();
    spec_rest();
    spec_zeroed();
    spec_zeroed_fork();
    spec_limits();
    spec_medium();
    spec_medium_zeroed();
#ifdef __GLIBC__
    if (is_counted()) {
      spec_medium_size();
      spec_medium_limit();
    }
#endif
  }
  spec_fork();
#ifdef __GLIBC__
  spec_trim();
#endif
  return finish();
}
