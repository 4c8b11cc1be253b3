/* Pages that the CPU may not touch while a device works: managed memory in exclusive mode, and with
 * PROTECT=1 whatever pinned or managed memory is in use. There a fault is looked at byte by byte,
 * since others on the page may be free: what races is reported, and the page opened. So accesses of
 * compiled code, which makes no call, are checked. */
#include "sim.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/ucontext.h>

/* ---- managed memory that is the device's alone while it works ---- */

static bool managed_is_locked;

static void protect_managed(sim_access access) {
  size_t at = 0;
  for (sim_block *b = sim_block_next(NULL, &at); b; b = sim_block_next(b, &at))
    if (b->is_live && b->kind == MANAGED) sim_protect(b->base, b->span, access);
}

static bool is_working(void) {
  for (int i = 0; i < queue_count; i++)
    if (queues[i].last_work > host_clock.at[i]) return true;
  return false;
}

void sim_managed_lock(void) {
  if (managed_is_locked || sim_attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS)) return;
  managed_is_locked = true;
  protect_managed(CLOSED);
}

void sim_managed_unlock(void) {
  if (!managed_is_locked || is_working()) return;
  managed_is_locked = false;
  protect_managed(OPEN);
}

void sim_managed_made(const sim_block *block) {
  if (managed_is_locked) sim_protect(block->base, block->span, CLOSED);
}

bool sim_managed_is_locked(void) { return managed_is_locked; }

/* ---- memory in use ---- */

static size_t protected_count; /* of blocks */

static bool overlaps(const sim_use *use, uint64_t low, uint64_t high) {
  return use->region.at < high && low < use->region.at + sim_hull(&use->region);
}

/* By what the host has not come after. */
static sim_access access_of_page(const sim_block *block, uint64_t page) {
  sim_access found = OPEN;
  for (size_t i = 0; i < block->use_count; i++) {
    const sim_use *use = &block->uses[i];
    if (use->number <= host_clock.at[use->queue] || !overlaps(use, page, page + PAGE_BYTES))
      continue;
    if (use->is_write) return CLOSED;
    found = READ_ONLY;
  }
  return found;
}

void sim_protect_used(sim_block *block, const sim_region *region) {
  if (!settings.is_protecting || managed_is_locked) return;
  if (block->kind != PINNED && block->kind != MANAGED) return;
  protected_count += !block->is_protected;
  block->is_protected = true;
  const uint64_t low = region->at & ~(PAGE_BYTES - 1), high = region->at + sim_hull(region);
  for (uint64_t page = low; page < high; page += PAGE_BYTES)
    sim_protect(page, PAGE_BYTES, access_of_page(block, page));
}

void sim_protect_end(sim_block *block) {
  protected_count -= block->is_protected;
  block->is_protected = false;
}

/* What nothing in use is left in is opened. */
void sim_unprotect(void) {
  size_t at = 0;
  if (!protected_count) return;
  for (sim_block *b = sim_block_next(NULL, &at); b; b = sim_block_next(b, &at))
    if (b->is_protected && b->is_live && !sim_pending_use(b)) {
      sim_protect(b->base, b->span, OPEN);
      sim_protect_end(b);
    }
}

/* ---- faults ---- */

static struct sigaction former;
static bool is_installed;

/* Where the processor does not say, it counts as a load. */
static bool is_store(const void *context) {
#ifdef __x86_64__
  return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
  return context == NULL;
#endif
}

/* Another thread may have opened it meanwhile. */
static bool open_page(uint64_t address, bool is_write) {
  sim_block *block = sim_block_at(address);
  if (!block || !block->is_live || (block->kind != PINNED && block->kind != MANAGED)) return false;
  if (block->kind == MANAGED && managed_is_locked) return false;
  const sim_region byte = sim_bytes_at(address, 1);
  sim_use_by_host(block, &byte, is_write);
  sim_protect(address & ~(PAGE_BYTES - 1), PAGE_BYTES, OPEN);
  return true;
}

/* The lock is not held: the simulator itself looks at other addresses of the same bytes. */
static void on_fault(int signal, siginfo_t *info, void *context) {
  const uint64_t address = (uintptr_t)info->si_addr;
  bool is_ours = sim_is_arena(address);
  if (is_ours) {
    sim_lock();
    is_ours = open_page(address, is_store(context));
    sim_unlock();
  }
  if (!is_ours) sigaction(signal, &former, NULL); /* and comes again */
}

void sim_protect_begin(void) {
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  if (is_installed) return;
  if (sigaction(SIGSEGV, &action, &former) != 0) abort();
  is_installed = true;
}
