/* What the caller did wrong, and the end of the process. */
#include "sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 400, KEPT_MAX = 1000 };

typedef struct {
  sim_report_kind kind;
  char text[TEXT_BYTES];
} report;

/* ORDER sim_report_kind */
static const char *const kinds[] = {"race",          "leak",    "double-free", "use-after-free",
                                    "out-of-bounds", "pending", "unrecorded",  "pageable",
                                    "stale",         "managed", "limit",       "context"};

static report *reports;
static size_t report_count, report_room;
static uint64_t beyond; /* not kept */
static pid_t process;

static void write_line(const char *line) {
  if (!settings.report_path) return;
  FILE *file = fopen(settings.report_path, "a");
  if (!file) return perror(settings.report_path);
  fprintf(file, "%s\n", line);
  fclose(file);
}

void sim_report(sim_report_kind kind, const char *format, ...) {
  if (report_count == report_room && report_room < KEPT_MAX) {
    const size_t room = report_room ? 2 * report_room : 16;
    report *more = realloc(reports, room * sizeof *more);
    if (more) reports = more, report_room = room;
  }
  if (report_count == report_room) {
    beyond++;
    return;
  }
  report *new = &reports[report_count++];
  new->kind = kind;
  const int length = snprintf(new->text, TEXT_BYTES, "cusim: %s: ", kinds[kind]);
  va_list list;
  va_start(list, format);
  vsnprintf(new->text + length, (size_t)(TEXT_BYTES - length), format, list);
  va_end(list);
  write_line(new->text);
}

static bool is_of(const report *one, const char *kind) {
  return strcmp(kind, "*") == 0 || strcmp(kind, kinds[one->kind]) == 0;
}

/* ---- leaks ---- */

static const char *const block_kinds[] = {"device", "pool", "managed", "pinned", "registered"};
static const char *const handle_kinds[] = {"stream", "event", "mempool", "context"};

static bool is_of_lost_context(const sim_block *block) {
  return devices[block->device].lost != CUDA_SUCCESS;
}

static void find_leaks(void) {
  size_t at = 0;
  for (sim_block *b = sim_block_next(NULL, &at); b; b = sim_block_next(b, &at))
    if (b->is_live && !b->is_refused && !is_of_lost_context(b))
      sim_report(LEAK, "%s memory of %zu bytes at %#llx, number %llu", block_kinds[b->kind],
                 b->bytes, (unsigned long long)b->address, (unsigned long long)b->id);
  for (int kind = STREAM_HANDLE; kind < CONTEXT_HANDLE; kind++)
    for (uint64_t h = 0; (h = sim_handle_next((sim_handle_kind)kind, h)) != 0;)
      if (!sim_handle_is_excused(h))
        sim_report(LEAK, "%s %#llx", handle_kinds[kind], (unsigned long long)h);
}

/* ---- the end ---- */

static void write_counts(void) {
  char line[96];
  for (size_t i = 0; cusim_function(i); i++) {
    const uint64_t count = cusim_calls(cusim_function(i));
    if (!count) continue;
    snprintf(line, sizeof line, "calls %s %llu", cusim_function(i), (unsigned long long)count);
    write_line(line);
  }
}

void sim_end_process(void) {
  if (process && process != getpid()) return; /* a fork's: nothing here is its own */
  write_counts();
  const uint64_t count = cusim_end();
  char line[64];
  snprintf(line, sizeof line, "reports %llu", (unsigned long long)count);
  write_line(line);
  sim_lock();
  sim_deinitialise();
  sim_arena_end();
  sim_unlock();
  if (!count) return;
  fflush(NULL);
  for (size_t i = 0; i < report_count; i++) fprintf(stderr, "%s\n", reports[i].text);
  if (beyond) fprintf(stderr, "cusim: %llu more\n", (unsigned long long)beyond);
  _exit(CUSIM_EXIT_STATUS);
}

__attribute__((constructor)) static void remember_process(void) { process = getpid(); }

/* ---- for specs ---- */

ND_CUDA_EXPORT uint64_t cusim_end(void) {
  sim_lock();
  find_leaks();
  sim_unlock();
  return cusim_reports("*");
}

ND_CUDA_EXPORT uint64_t cusim_reports(const char *kind) {
  sim_lock();
  uint64_t count = strcmp(kind, "*") == 0 ? beyond : 0;
  for (size_t i = 0; i < report_count; i++) count += is_of(&reports[i], kind);
  sim_unlock();
  return count;
}

ND_CUDA_EXPORT const char *cusim_report(size_t i) {
  return i < report_count ? reports[i].text : NULL;
}

ND_CUDA_EXPORT uint64_t cusim_forgive(const char *kind) {
  sim_lock();
  const uint64_t before = report_count + beyond;
  size_t kept = 0;
  for (size_t i = 0; i < report_count; i++)
    if (!is_of(&reports[i], kind)) reports[kept++] = reports[i];
  report_count = kept;
  if (strcmp(kind, "*") == 0) beyond = 0;
  const uint64_t struck = before - report_count - beyond;
  if (struck) {
    char line[96];
    snprintf(line, sizeof line, "forgiven %s %llu", kind, (unsigned long long)struck);
    write_line(line);
  }
  sim_unlock();
  return struck;
}

static int find_word(const char *word, const char *const *words, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(words[i], word) == 0) return i;
  return -1;
}

static uint64_t count_blocks(const char *kind, bool in_bytes) {
  uint64_t sum = 0;
  size_t at = 0;
  const int wanted = find_word(kind, block_kinds, BLOCK_KINDS);
  if (wanted < 0 && strcmp(kind, "*") != 0) return 0;
  for (sim_block *b = sim_block_next(NULL, &at); b; b = sim_block_next(b, &at))
    if (b->is_live && (wanted < 0 || wanted == (int)b->kind)) sum += in_bytes ? b->bytes : 1;
  return sum;
}

ND_CUDA_EXPORT uint64_t cusim_live_count(const char *kind) {
  sim_lock();
  const int handle = find_word(kind, handle_kinds, HANDLE_KINDS);
  const uint64_t count = handle >= 0 ? sim_handle_count((sim_handle_kind)handle)
                                     : count_blocks(kind, false);
  sim_unlock();
  return count;
}

ND_CUDA_EXPORT uint64_t cusim_live_bytes(const char *kind) {
  sim_lock();
  const uint64_t bytes = count_blocks(kind, true);
  sim_unlock();
  return bytes;
}

ND_CUDA_EXPORT uint64_t cusim_pending(void) {
  sim_lock();
  const uint64_t count = sim_pending_count();
  sim_unlock();
  return count;
}
