/* The memory that a device's name stands for where nothing else is set: a pool on a GPU and on
 * page-locked memory; by the environment a budget below it, a log and a guard on top. One stack for
 * each kind of memory and device, made when it is first asked for, which then stays: what it keeps
 * is trimmed as the last Lua state closes. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bind/memory.h"
#include "mem/host.h"

static _Atomic(nd_resource *) stacks[NDB_LEDGERS];

/* Where nothing is set, NULL. A text that is understood by no limit is the caller's error. */
static const char *setting(const char *name) {
  const char *text = getenv(name);
  return text && *text ? text : NULL;
}

static nd_status parse(const char *name, nd_resource *up, uint64_t *out, nd_error *err) {
  nd_error why;
  if (nd_budget_parse(setting(name), up, out, &why) == ND_OK) return ND_OK;
  return nd_fail(err, ND_INVALID_ARGUMENT, "%s: %s", name, why.message);
}

/* Put an adaptor on '*stack', whose reference it takes over. */
static void replace(nd_resource **stack, nd_resource *top) {
  nd_resource_drop(*stack);
  *stack = top;
}

/* NDBUF_BUDGET */
static nd_status add_budget(nd_resource **stack, nd_error *err) {
  char text[64];
  uint64_t limit;
  nd_resource *top;
  const nd_place place = nd_resource_place(*stack);
  if (!setting("NDBUF_BUDGET")) return ND_OK;
  ND_TRY(parse("NDBUF_BUDGET", *stack, &limit, err));
  ND_TRY(nd_budget_make(*stack, limit, nd_place_text(&place, text, sizeof text), &top, err));
  return replace(stack, top), ND_OK;
}

/* How much a pool keeps where nothing is set; 0: there is none. Page-locked memory is memory of the
 * host, which is short for all programs at once. */
static uint64_t usual_cap(const nd_resource *r) {
  if (r->kind == ND_MEM_PINNED) return ndi_cache_limit();
  return r->kind == ND_MEM_DEVICE ? UINT64_MAX : 0;
}

/* NDBUF_KEEP: how much a pool keeps; 0: there is none. */
static nd_status add_pool(nd_resource **stack, nd_error *err) {
  uint64_t cap = usual_cap(*stack);
  nd_resource *top;
  if (cap == 0) return ND_OK;
  if (setting("NDBUF_KEEP")) ND_TRY(parse("NDBUF_KEEP", *stack, &cap, err));
  if (cap == 0) return ND_OK;
  ND_TRY(nd_pool_make(*stack, cap, &top, err));
  return replace(stack, top), ND_OK;
}

/* A file for each: x.csv for the host, x.cuda:0.csv for GPU 0; with 'number' x.123.csv. */
static void name_log(const char *name, const nd_resource *of, const char *number, char *out) {
  char text[64];
  const nd_place place = nd_resource_place(of);
  const char *slash = strrchr(name, '/'), *point = strrchr(slash ? slash : name, '.');
  const int stem = point ? (int)(point - name) : (int)strlen(name);
  const bool is_host = place.kind == ND_MEM_HOST;
  snprintf(out, PATH_MAX, "%.*s%s%s%s%s", stem, name, number, is_host ? "" : ".",
           is_host ? "" : nd_place_text(&place, text, sizeof text), name + stem);
}

bool ndb_has_errno(const nd_error *err, int number) {
  for (int i = 0; i < err->count; i++)
    if (strcmp(err->numbers[i].name, "errno") == 0) return err->numbers[i].value == number;
  return false;
}

/* NDBUF_LOG. Another process may have inherited it, or left it to this one, and write to that file:
 * then all of this one have its number. The host's is the first that a process opens. */
static nd_status add_log(nd_resource **stack, nd_error *err) {
  static atomic_bool is_numbered;
  char path[PATH_MAX], number[32];
  nd_resource *top;
  nd_error why;
  const char *name = setting("NDBUF_LOG");
  const bool had_number = is_numbered; /* another thread may find another file taken meanwhile */
  if (!name) return ND_OK;
  snprintf(number, sizeof number, ".%lld", (long long)getpid());
  name_log(name, *stack, had_number ? number : "", path);
  nd_status status = nd_log_make_file(*stack, path, UINT64_MAX, &top, &why);
  if (status != ND_OK && !had_number && ndb_has_errno(&why, EWOULDBLOCK)) {
    is_numbered = true;
    name_log(name, *stack, number, path);
    status = nd_log_make_file(*stack, path, UINT64_MAX, &top, &why);
  }
  if (status == ND_OK) replace(stack, top);
  else if (err) *err = why;
  return status;
}

nd_status ndb_guard_make(nd_resource *up, nd_resource **out, nd_error *err) {
  nd_resource *pinned;
  const nd_place place = {.kind = ND_MEM_PINNED};
  if (up->kind == ND_MEM_DEVICE || up->kind == ND_MEM_MANAGED) {
    ND_TRY(nd_place_resource(&place, (nd_place_options){0}, &pinned, err));
    nd_resource_drop(pinned);
  }
  return nd_guard_make(up, ndb_tell_finding, out, err);
}

bool ndb_wants_guard(void) {
  const char *value = setting("NDBUF_GUARD");
  return value && strcmp(value, "0") != 0;
}

/* NDBUF_GUARD: on the log, which then has rows of what it finds. */
static nd_status add_guard(nd_resource **stack, nd_error *err) {
  nd_resource *top;
  if (!ndb_wants_guard()) return ND_OK;
  ND_TRY(ndb_guard_make(*stack, &top, err));
  return replace(stack, top), ND_OK;
}

static nd_status make(nd_resource *leaf, nd_resource **out, nd_error *err) {
  nd_resource *stack = nd_resource_hold(leaf);
  nd_status status = add_budget(&stack, err);
  if (status == ND_OK) status = add_pool(&stack, err);
  if (status == ND_OK) status = add_log(&stack, err);
  if (status == ND_OK) status = add_guard(&stack, err);
  if (status == ND_OK) *out = stack;
  else nd_resource_drop(stack);
  return status;
}

/* One thread makes it, as that opens files. Others wait, but not for ever: not for a thread that a
 * fork left behind, nor for one that waits for us in a finalizer. Then the first counts. */
static nd_status make_once(nd_resource *leaf, size_t ledger, nd_error *err) {
  enum { PATIENCE = 100000 };
  static atomic_bool is_making[NDB_LEDGERS];
  nd_resource *made = NULL, *none = NULL;
  for (int i = 0; atomic_exchange(&is_making[ledger], true) && i < PATIENCE; i++) sched_yield();
  const nd_status status = stacks[ledger] ? ND_OK : make(leaf, &made, err);
  if (made && !atomic_compare_exchange_strong(&stacks[ledger], &none, made)) nd_resource_drop(made);
  if (stacks[ledger]) nd_resource_keep(stacks[ledger]);
  is_making[ledger] = false;
  return status;
}

nd_status ndb_default_stack(nd_resource *leaf, nd_resource **out, nd_error *err) {
  const size_t ledger = ndb_ledger_of(leaf);
  if (!stacks[ledger]) ND_TRY(make_once(leaf, ledger, err));
  *out = nd_resource_hold(stacks[ledger]);
  return ND_OK;
}

void ndb_settle_defaults(bool waits) {
  for (size_t i = 0; i < NDB_LEDGERS; i++) {
    if (!stacks[i]) continue;
    if (waits) nd_guard_settle(stacks[i], true);
    else nd_guard_go_on(stacks[i]);
  }
}

bool ndb_has_default_layers(void) {
  return setting("NDBUF_BUDGET") || setting("NDBUF_LOG") || ndb_wants_guard();
}
