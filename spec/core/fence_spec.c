/* Uses of a storage: what reads and writes wait for, and which of them are kept. */
#include "check.h"
#include "mem/host.h"
#include "uses.h"

enum { LINES = ND_USES_MOST + 1 };

/* Queues that are done up to a number, and count who waits. */
typedef struct {
  uint32_t queue;
  uint64_t reached;
  int waits;
} line;

static line lines[LINES];

static bool is_done(void *context, nd_point point) {
  return point.seq <= ((line *)context)->reached;
}

static nd_status wait_for(void *context, nd_point point, nd_error *err) {
  line *l = context;
  (void)err;
  l->waits++;
  if (l->reached < point.seq) l->reached = point.seq;
  return ND_OK;
}

static void open_lines(void) {
  static const nd_fence_ops ops = {.is_done = is_done, .wait = wait_for};
  for (int i = 0; i < LINES; i++) {
    if (lines[i].queue) nd_queue_close(lines[i].queue);
    lines[i] = (line){.reached = 0};
    if (nd_queue_open(&ops, &lines[i], &lines[i].queue, NULL) != ND_OK) abort();
  }
}

static nd_point at(int l, uint64_t seq) { return (nd_point){lines[l].queue, seq}; }

static bool add(nd_uses *uses, nd_point point, bool is_write) {
  const nd_use use = use_of_all(point, is_write);
  return ndi_uses_add(uses, &use);
}

/* May a new read, or write, begin? */
static bool is_free(nd_uses *uses, bool is_write) {
  const nd_use access = use_of_all((nd_point){0}, is_write);
  bool is_free = true;
  ndi_uses_settle(uses);
  for (int i = 0; i < uses->count; i++) is_free &= !ndi_use_conflicts(&uses->use[i], &access);
  return is_free;
}

static nd_status wait_to(const nd_uses *uses, bool is_write) {
  const nd_use access = use_of_all((nd_point){0}, is_write);
  return ndi_uses_wait(uses, &access, NULL);
}

static void spec_kinds(void) {
  group("reads wait for writes, writes for both");
  open_lines();
  nd_uses uses = {.count = 0};
  CHECK(add(&uses, at(0, 1), false), "a read");
  CHECK(is_free(&uses, false) && !is_free(&uses, true), "of a read");
  CHECK(add(&uses, at(0, 2), true), "a write behind it");
  CHECK(!is_free(&uses, false) && !is_free(&uses, true), "of a write");
  CHECK(add(&uses, at(0, 3), false), "a read behind that");
  CHECK(!is_free(&uses, false), "the write is still there");
  lines[0].reached = 2;
  CHECK(is_free(&uses, false) && !is_free(&uses, true), "the write is done");
  CHECK(wait_to(&uses, false) == ND_OK && lines[0].waits == 0, "no read waits");
  CHECK(wait_to(&uses, true) == ND_OK && lines[0].reached == 3, "a write waits");
  CHECK(is_free(&uses, true) && uses.count == 0, "dropped");
}

static void spec_latest(void) {
  group("of a queue's uses the latest counts, in whichever order they are noted");
  open_lines();
  nd_uses uses = {.count = 0};
  CHECK(add(&uses, at(0, 7), true) && add(&uses, at(0, 5), true), "noted");
  lines[0].reached = 6;
  CHECK(uses.count == 1 && !is_free(&uses, true), "7 is not done");
  lines[0].reached = 7;
  CHECK(is_free(&uses, true), "7 is");
}

static bool add_part(nd_uses *uses, nd_point point, size_t lo, size_t hi, bool is_write) {
  const nd_use use = {.at = point, .lo = lo, .hi = hi, .is_write = is_write};
  return ndi_uses_add(uses, &use);
}

static void spec_parts(void) {
  group("uses of parts conflict where they overlap; what a write covers is dropped");
  open_lines();
  nd_uses uses = {.count = 0};
  CHECK(add_part(&uses, at(0, 1), 0, 8, true) && add_part(&uses, at(1, 1), 8, 16, true) &&
            add_part(&uses, at(2, 1), 4, 12, false),
        "added");
  CHECK(uses.count == 3, "%d uses", uses.count);
  static const struct {
    size_t lo, hi;
    bool is_write, conflicts[3];
  } cases[] = {{0, 4, false, {true, false, false}},   {8, 16, false, {false, true, false}},
               {0, 4, true, {true, false, false}},    {0, 16, true, {true, true, true}},
               {7, 9, false, {true, true, false}},    {11, 12, true, {false, true, true}},
               {16, 20, true, {false, false, false}}, {8, 8, true, {false, false, false}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int k = 0; k < 3; k++) {
      const nd_use access = {.lo = cases[i].lo, .hi = cases[i].hi, .is_write = cases[i].is_write};
      CHECK(ndi_use_conflicts(&uses.use[k], &access) == cases[i].conflicts[k], "%zu, %d", i, k);
    }
  CHECK(add_part(&uses, at(2, 2), 0, 12, false) && uses.count == 3, "a read covers its own");
  CHECK(add_part(&uses, at(3, 1), 0, 12, false) && uses.count == 4, "not another queue's");
  CHECK(add_part(&uses, at(3, 2), 0, 12, true) && uses.count == 2, "a write covers all");
  CHECK(uses.use[0].at.queue == lines[1].queue && uses.use[1].at.seq == 2, "what is left");
}

static void spec_forgotten(void) {
  group("what is done up to a point is forgotten, of its queue and no later");
  open_lines();
  nd_uses uses = {.count = 0};
  CHECK(add_part(&uses, at(0, 4), 0, 8, false) && add_part(&uses, at(0, 5), 8, 16, true) &&
            add_part(&uses, at(1, 4), 16, 24, true),
        "noted");
  ndi_uses_drop(&uses, at(0, 3));
  CHECK(uses.count == 3, "%d uses", uses.count);
  ndi_uses_drop(&uses, at(0, 4));
  CHECK(uses.count == 2 && uses.use[0].at.seq == 5, "%d uses", uses.count);
  ndi_uses_drop(&uses, at(0, 9));
  CHECK(uses.count == 1 && uses.use[0].at.queue == lines[1].queue, "%d uses", uses.count);
}

static void spec_room(void) {
  group("a full record refuses without asking a queue, until whoever looks drops what is done");
  open_lines();
  nd_uses uses = {.count = 0};
  for (int i = 0; i < ND_USES_MOST; i++) CHECK(add(&uses, at(i, 1), false), "use %d", i);
  CHECK(!add(&uses, at(ND_USES_MOST, 1), false), "full");
  lines[1].reached = 1;
  CHECK(!add(&uses, at(ND_USES_MOST, 1), false), "nobody looked");
  CHECK(!is_free(&uses, true) && uses.count == ND_USES_MOST - 1, "%d", uses.count);
  CHECK(add(&uses, at(ND_USES_MOST, 1), false), "one was done");
  CHECK(uses.count == ND_USES_MOST, "%d uses", uses.count);
  for (int i = 0; i < LINES; i++) lines[i].reached = 1;
  CHECK(is_free(&uses, true), "all");
}

/* Is that use in the record, just so? */
static bool has_use(const nd_uses *uses, uint64_t seq, size_t lo, size_t hi, bool is_write) {
  for (int i = 0; i < uses->count; i++)
    if (uses->use[i].at.seq == seq)
      return uses->use[i].lo == lo && uses->use[i].hi == hi && uses->use[i].is_write == is_write;
  return false;
}

static void spec_merged(void) {
  group("a full record merges the two oldest uses of a queue, of one kind if there are such");
  open_lines();
  nd_uses uses = {.count = 0};
  for (size_t i = 0; i < ND_USES_MOST; i++)
    CHECK(add_part(&uses, at(i % 2, i + 1), 4 * i, 4 * i + 2, i % 4 < 2), "use %zu", i);
  CHECK(add_part(&uses, at(0, 90), 100, 102, false) && uses.count == ND_USES_MOST, "merged");
  CHECK(has_use(&uses, 5, 0, 18, true) && !has_use(&uses, 1, 0, 2, true), "the two oldest");
  CHECK(has_use(&uses, 90, 100, 102, false), "the newest is as it is");
  CHECK(has_use(&uses, 2, 4, 6, true), "of another queue");
  for (uint64_t own = 2; own >= 1; own--) { /* so many of the queue, a write and a read */
    uses.count = 0;
    for (uint64_t i = 0; i < ND_USES_MOST; i++)
      CHECK(add_part(&uses, at(i < own ? 0 : (int)i, 1 + i), 4 * i, 4 * i + 2, i == 0), "a use");
    CHECK(add_part(&uses, at(0, 90), 100, 102, false) && uses.count == ND_USES_MOST, "merged");
    if (own == 1) CHECK(has_use(&uses, 90, 0, 102, true), "with the only one");
    else CHECK(has_use(&uses, 2, 0, 6, true) && has_use(&uses, 90, 100, 102, false), "those two");
  }
}

static void spec_full(void) {
  group(
      "in a full record a use stands for another, too, and drops only what it comes after itself");
  open_lines();
  nd_uses uses = {.count = 0};
  nd_use first = {.lo = 0}, use = {.at = at(ND_USES_MOST, 1), .lo = 100, .hi = 102};
  for (size_t i = 0; i < ND_USES_MOST; i++) {
    CHECK(!ndi_uses_are_full(&uses, use.at.queue, &first), "%zu uses", i);
    CHECK(add_part(&uses, at((int)i, 1), 4 * i, 4 * i + 2, true), "use %zu", i);
  }
  CHECK(!ndi_uses_are_full(&uses, lines[3].queue, &first), "those of one queue can be merged");
  CHECK(ndi_uses_are_full(&uses, use.at.queue, &first), "full");
  CHECK(first.at.queue == lines[0].queue && first.lo == 0, "the first");
  CHECK(ndi_uses_replace(&uses, &first, &use) && uses.count == ND_USES_MOST, "%d", uses.count);
  for (int i = 0; i < uses.count - 1; i++)
    CHECK(uses.use[i].at.queue == lines[i + 1].queue, "use %d is gone", i);
  const nd_use *both = &uses.use[uses.count - 1];
  CHECK(both->at.queue == use.at.queue && both->lo == 0 && both->hi == 102 && both->is_write,
        "%zu to %zu", both->lo, both->hi);
  use = (nd_use){
      .at = at(1, 2), .lo = 4, .hi = 6, .is_write = true}; /* again, and covers its own */
  CHECK(ndi_uses_replace(&uses, &first, &use) && uses.count == ND_USES_MOST, "it was not there");
}

static void spec_storage(void) {
  group("a storage whose record is full waits for the work at once, and forgets nothing");
  open_lines();
  nd_storage *s = NULL;
  char *host;
  CHECK(nd_storage_make(nd_host_resource(), 64, (nd_storage_options){0}, &s, NULL) == ND_OK, "s");
  for (int i = 0; i < LINES; i++) CHECK(note_use(s, at(i, 1), false) == ND_OK, "use %d", i);
  CHECK(lines[ND_USES_MOST].waits == 1, "%d waits", lines[ND_USES_MOST].waits);
  CHECK(!nd_storage_is_idle(s), "the others are on their way");
  CHECK(nd_storage_host(s, 0, SIZE_MAX, false, &host, NULL) == ND_OK && lines[0].waits == 0,
        "to read");
  CHECK(nd_storage_host(s, 0, SIZE_MAX, true, &host, NULL) == ND_OK, "to write");
  for (int i = 0; i < LINES; i++) CHECK(lines[i].waits == 1, "%d: %d waits", i, lines[i].waits);
  CHECK(nd_storage_is_idle(s), "settled");
  nd_storage_drop(s);
}

/* Memory that a queue still clears when it is handed out. */
static nd_point clearing;
static char memory[64];

static nd_status take_unready(nd_resource *self, const nd_request *request, nd_block *out,
                              nd_error *err) {
  (void)self, (void)err;
  out->ptr = out->host = memory;
  out->granted = request->bytes;
  out->ready = clearing;
  return ND_OK;
}

static nd_status give_nothing(nd_resource *self, const nd_block *block, const nd_uses *after,
                              nd_error *err) {
  (void)self, (void)block, (void)after, (void)err;
  return ND_OK;
}

static void spec_ready(void) {
  group("memory is looked at when it is ready");
  static const nd_resource_ops ops = {
      .name = "unready", .take = take_unready, .give = give_nothing};
  nd_resource unready = {.ops = &ops, .holds = 1, .kind = ND_MEM_MANAGED};
  nd_storage *s = NULL;
  char *host;
  open_lines();
  clearing = at(0, 3);
  CHECK(nd_storage_make(&unready, 64, (nd_storage_options){0}, &s, NULL) == ND_OK, "make");
  CHECK(!nd_storage_is_idle(s), "not yet");
  CHECK(nd_storage_host(s, 0, SIZE_MAX, false, &host, NULL) == ND_OK && lines[0].reached == 3,
        "waited for");
  nd_storage_drop(s);
}

int main(void) {
  spec_kinds();
  spec_latest();
  spec_parts();
  spec_forgotten();
  spec_room();
  spec_merged();
  spec_full();
  spec_storage();
  spec_ready();
  return finish();
}
