/* Uses of a storage: what reads and writes wait for, and which of them are kept. */
#include "check.h"
#include "mem/host.h"
#include "mem/storage.h"

enum { LINES = ND_USES_INLINE + 1 };

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

static void spec_kinds(void) {
  group("reads wait for writes, writes for both");
  open_lines();
  nd_uses uses = {.count = 0};
  CHECK(ndi_uses_add(&uses, at(0, 1), false), "a read");
  CHECK(ndi_uses_is_done(&uses, false) && !ndi_uses_is_done(&uses, true), "of a read");
  CHECK(ndi_uses_add(&uses, at(0, 2), true), "a write behind it");
  CHECK(!ndi_uses_is_done(&uses, false) && !ndi_uses_is_done(&uses, true), "of a write");
  CHECK(ndi_uses_add(&uses, at(0, 3), false), "a read behind that");
  CHECK(!ndi_uses_is_done(&uses, false), "the write is still there");
  lines[0].reached = 2;
  CHECK(ndi_uses_is_done(&uses, false) && !ndi_uses_is_done(&uses, true), "the write is done");
  CHECK(ndi_uses_wait(&uses, false, NULL) == ND_OK && lines[0].waits == 0, "no read waits");
  CHECK(ndi_uses_wait(&uses, true, NULL) == ND_OK && lines[0].reached == 3, "a write waits");
  CHECK(ndi_uses_is_done(&uses, true) && uses.count == 0, "dropped");
}

static void spec_latest(void) {
  group("of a queue's uses the latest counts, in whichever order they are noted");
  open_lines();
  nd_uses uses = {.count = 0};
  CHECK(ndi_uses_add(&uses, at(0, 7), true) && ndi_uses_add(&uses, at(0, 5), true), "noted");
  lines[0].reached = 6;
  CHECK(uses.count == 1 && !ndi_uses_is_done(&uses, true), "7 is not done");
  lines[0].reached = 7;
  CHECK(ndi_uses_is_done(&uses, true), "7 is");
}

static void spec_forgotten(void) {
  group("what is done up to a point is forgotten, of its queue and no later");
  open_lines();
  nd_uses uses = {.count = 0};
  CHECK(ndi_uses_add(&uses, at(0, 4), false) && ndi_uses_add(&uses, at(0, 5), true) &&
            ndi_uses_add(&uses, at(1, 4), true),
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
  for (int i = 0; i < ND_USES_INLINE; i++) CHECK(ndi_uses_add(&uses, at(i, 1), true), "use %d", i);
  CHECK(!ndi_uses_add(&uses, at(ND_USES_INLINE, 1), true), "full");
  lines[1].reached = 1;
  CHECK(!ndi_uses_add(&uses, at(ND_USES_INLINE, 1), true), "nobody looked");
  CHECK(!ndi_uses_is_done(&uses, true) && uses.count == ND_USES_INLINE - 1, "%d", uses.count);
  CHECK(ndi_uses_add(&uses, at(ND_USES_INLINE, 1), true), "one was done");
  CHECK(uses.count == ND_USES_INLINE, "%d uses", uses.count);
  for (int i = 0; i < LINES; i++) lines[i].reached = 1;
  CHECK(ndi_uses_is_done(&uses, true), "all");
}

static void spec_storage(void) {
  group("a storage whose record is full waits for the work at once, and forgets nothing");
  open_lines();
  nd_storage *s = NULL;
  char *host;
  CHECK(nd_storage_make(nd_host_resource(), 64, (nd_storage_options){0}, &s, NULL) == ND_OK, "s");
  for (int i = 0; i < LINES; i++)
    CHECK(nd_storage_use(s, at(i, 1), false, NULL) == ND_OK, "use %d", i);
  CHECK(lines[ND_USES_INLINE].waits == 1, "%d waits", lines[ND_USES_INLINE].waits);
  CHECK(!nd_storage_is_idle(s), "the others are on their way");
  CHECK(nd_storage_host(s, false, &host, NULL) == ND_OK && lines[0].waits == 0, "to read");
  CHECK(nd_storage_host(s, true, &host, NULL) == ND_OK, "to write");
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
  CHECK(nd_storage_host(s, false, &host, NULL) == ND_OK && lines[0].reached == 3, "waited for");
  nd_storage_drop(s);
}

int main(void) {
  spec_kinds();
  spec_latest();
  spec_forgotten();
  spec_room();
  spec_storage();
  spec_ready();
  return finish();
}
