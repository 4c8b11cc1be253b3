/* The settings: CUSIM_ variables when the library is loaded, cusim_set() later. */
#include "sim.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

sim_settings settings = {
    .mode = EAGER, .devices = 1, .driver = 13000, .memory = (size_t)2 << 30, .random = 1};

int sim_random(int below) { /* xorshift64 (Marsaglia, 2003) */
  uint64_t x = settings.random;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  settings.random = x;
  return (int)((x >> 11) % (uint64_t)below);
}

#define RESULT(name, number) {#name, number},
static const struct {
  const char *name;
  int number;
} results[] = {ND_CUDA_RESULTS(RESULT)};

int sim_result_of(const char *name) {
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    if (strcmp(results[i].name, name) == 0) return results[i].number;
  return -1;
}

const char *sim_result_name(CUresult result) {
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    if (results[i].number == (int)result) return results[i].name;
  return NULL;
}

/* ---- one setting ---- */

static bool set_number(const char *text, unsigned long long least, unsigned long long most,
                       unsigned long long *out) {
  char *end;
  errno = 0;
  const unsigned long long value = strtoull(text, &end, 10);
  if (errno || end == text || *end || *text == '-' || value < least || value > most) return false;
  *out = value;
  return true;
}

static int find_word(const char *text, const char *const *words) {
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], text) == 0) return i;
  return -1;
}

static bool set_attributes(const char *text) {
  char name[96];
  int value, length;
  while (*text) {
    if (sscanf(text, "%95[A-Z0-9_]:%d%n", name, &value, &length) != 2) return false;
    if (!sim_set_attribute(name, value)) return false;
    text += length;
    if (*text == ',') text++;
    else if (*text) return false;
  }
  return true;
}

static bool set_mode(const char *value) {
  const int mode = find_word(value, (const char *const[]){"eager", "lazy", "shuffle", NULL});
  if (mode >= 0) settings.mode = (sim_mode)mode;
  return mode >= 0;
}

static bool set_handles(const char *value) {
  const int handles = find_word(value, (const char *const[]){"fresh", "reuse", NULL});
  if (handles >= 0) settings.is_reusing = handles == 1;
  return handles >= 0;
}

static bool set_managed(const char *value) {
  const int kind = find_word(value, (const char *const[]){"exclusive", "concurrent", NULL});
  return kind >= 0 && sim_set_attribute("CONCURRENT_MANAGED_ACCESS", kind);
}

static bool set_register(const char *value) {
  const int kind = find_word(value, (const char *const[]){"all", "no-files", NULL});
  if (kind >= 0) settings.refuses_files = kind == 1;
  return kind >= 0;
}

static bool set_clock(const char *value) {
  const int clock = find_word(value, (const char *const[]){"real", "model", NULL});
  if (clock >= 0) settings.has_engines = clock == 1;
  return clock >= 0;
}

/* Those that may change while the driver is in use. */
static bool set(const char *name, const char *value) {
  unsigned long long n;
  if (strcmp(name, "MODE") == 0) return set_mode(value);
  if (strcmp(name, "HANDLES") == 0) return set_handles(value);
  if (strcmp(name, "MANAGED") == 0) return set_managed(value);
  if (strcmp(name, "REGISTER") == 0) return set_register(value);
  if (strcmp(name, "CLOCK") == 0) return set_clock(value);
  if (strcmp(name, "ATTRIBUTE") == 0) return set_attributes(value);
  if (strcmp(name, "FAIL") == 0) return sim_fail_by_text(value);
  if (strcmp(name, "REPORT") == 0) return (settings.report_path = strdup(value)) != NULL;
  if (strcmp(name, "MEMORY") == 0) {
    if (!set_number(value, 0, SIZE_MAX / 2, &n)) return false;
    settings.memory = n;
    return true;
  }
  if (strcmp(name, "PROTECT") == 0) {
    if (!set_number(value, 0, 1, &n)) return false;
    if (n) sim_protect_begin();
    settings.is_protecting = n;
    return true;
  }
  if (strcmp(name, "FORK") == 0) {
    if (!set_number(value, 0, 1, &n)) return false;
    settings.is_forking = n;
    return true;
  }
  if (strcmp(name, "LAG") == 0) {
    if (!set_number(value, 0, QUEUE_LONGEST, &n)) return false;
    settings.lag = n;
    return true;
  }
  if (strcmp(name, "SEED") == 0) {
    if (!set_number(value, 0, UINT64_MAX, &n)) return false;
    settings.random = n * 0x9e3779b97f4a7c15 + 88172645463325252;
    return true;
  }
  return false;
}

ND_CUDA_EXPORT bool cusim_set(const char *name, const char *value) {
  sim_lock();
  const bool ok = strcmp(name, "REPORT") != 0 && set(name, value);
  sim_unlock();
  return ok;
}

void sim_start_program(void) {
  if (!settings.is_forking) return;
  const pid_t child = fork();
  if (child == 0) {
    execlp("true", "true", (char *)NULL);
    _exit(0);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

/* ---- missing symbols ---- */

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

/* Makes the dynamic linker look past those of our symbols that 'is_hidden' names. */
static void hide_symbols(bool (*is_hidden)(const char *name)) {
  ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  const uint32_t *hash = NULL;
  for (const ElfW(Dyn) *d = _DYNAMIC; d->d_tag != DT_NULL; d++) {
    if (d->d_tag == DT_SYMTAB) symbols = (void *)d->d_un.d_ptr;
    if (d->d_tag == DT_STRTAB) names = (const void *)d->d_un.d_ptr;
    if (d->d_tag == DT_HASH) hash = (const void *)d->d_un.d_ptr;
  }
  if (!symbols || !names || !hash) return;
  const size_t count = hash[1]; /* chains: one for each symbol */
  const uintptr_t page = (uintptr_t)symbols & ~(PAGE_BYTES - 1);
  const size_t bytes = (uintptr_t)(symbols + count) - page;
  if (mprotect((void *)page, bytes, PROT_READ | PROT_WRITE) != 0) return perror("cusim: hide");
  for (size_t i = 0; i < count; i++)
    if (is_hidden(names + symbols[i].st_name))
      symbols[i].st_shndx = SHN_UNDEF, symbols[i].st_value = 0;
}

static const char *hidden_list;

static bool is_listed(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = list; at && length && (at = strstr(at, name)) != NULL; at += length)
    if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return true;
  return false;
}

/* Is each name of the list one of ours? As many are found as there are. */
static bool are_symbols(const char *list) {
  size_t listed = list && *list ? 1 : 0, found = 0;
  for (const char *at = list; at && (at = strchr(at, ',')) != NULL; at++) listed++;
  for (size_t i = 0; cusim_function(i); i++) found += is_listed(list, cusim_function(i));
  return found == listed;
}

static bool is_hidden_symbol(const char *name) {
#define SINCE(function, symbol, since, need, arguments) \
  if (strcmp(name, #symbol) == 0 && settings.driver < (since)) return true;
  SIM_SYMBOLS(SINCE)
  return is_listed(hidden_list, name);
}

/* ---- the environment ---- */

static void refuse(const char *name, const char *value) {
  fprintf(stderr, "cusim: CUSIM_%s=%s is not understood\n", name, value);
  _exit(CUSIM_EXIT_STATUS);
}

static void set_count(const char *name, unsigned long long most, int *out) {
  char variable[32];
  unsigned long long n;
  snprintf(variable, sizeof variable, "CUSIM_%s", name);
  const char *value = getenv(variable);
  if (!value) return;
  if (!set_number(value, 0, most, &n)) refuse(name, value);
  *out = (int)n;
}

__attribute__((constructor)) static void begin_process(void) {
  static const char *const names[] = {"MODE",   "SEED",      "HANDLES", "MEMORY", "FAIL",
                                      "REPORT", "ATTRIBUTE", "MANAGED", "LAG",    "REGISTER",
                                      "FORK",   "CLOCK",     "PROTECT", NULL};
  for (int i = 0; names[i]; i++) {
    char variable[32];
    snprintf(variable, sizeof variable, "CUSIM_%s", names[i]);
    const char *value = getenv(variable);
    if (value && !set(names[i], value)) refuse(names[i], value);
  }
  set_count("DEVICES", DEVICES_MAX, &settings.devices);
  set_count("DRIVER", 99999, &settings.driver);
  hidden_list = getenv("CUSIM_HIDE");
  if (!are_symbols(hidden_list)) refuse("HIDE", hidden_list);
  hide_symbols(is_hidden_symbol);
}

__attribute__((destructor)) static void end_process(void) { sim_end_process(); }
