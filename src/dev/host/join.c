/* Joining the indices of several axes to indices of one, on the host. */
#include "dev/host/host.h"
#include "dev/threads.h"
#include "kern/gather.h"
#include "view/iter.h"

/* The views are {out, index}. */
typedef struct {
  const nd_task *task;
  nd_iter walk;
  ndi_poll poll;
} joining;

/* 'n' elements, 'done' of a run before them. */
static void join_some(const nd_task *task, const nd_iter *it, size_t done, size_t n) {
  ndi_index_join(n, it->at[0] + (ptrdiff_t)done * it->step[0], it->step[0],
                 it->at[1] + (ptrdiff_t)done * it->step[1], it->step[1], task->join.extent,
                 task->join.factor, task->join.first, task->join.adds);
}

static bool join_part(void *context, size_t part, size_t parts, size_t thread) {
  joining *j = context;
  nd_iter it;
  for (ndi_iter_part(&j->walk, part, parts, &it); !it.is_done; ndi_iter_next(&it))
    for (size_t done = 0, n; done < it.run; done += n) {
      n = it.run - done < NDI_BETWEEN_POLLS ? it.run - done : NDI_BETWEEN_POLLS;
      join_some(j->task, &it, done, n);
      if (ndi_poll_stops(&j->poll, thread, n)) return false;
    }
  return true;
}

nd_status ndi_host_join(const nd_task *task, char *const *bases, nd_error *err) {
  joining j = {.task = task, .poll = {.err = err}};
  if (task->views[0]->size == 0) return ND_OK;
  ndi_iter_init(&j.walk, 2, task->views, bases, false);
  ndi_run_parts(ndi_split_of(2 * (uint64_t)nd_view_nbytes(task->views[0]), 0), join_part, &j);
  return j.poll.status;
}
