-- The rules by which work on streams never races, each left out. Two of them are in dev_cuda.lua:
-- the point from which on a block may be used ("take", also below), and copies between two devices.
local PROGRAMS, STREAMS = "dev/cuda_programs_spec.lua", "dev/cuda_streams_spec.lua"
local WAITS, REAP = "dev/cuda_waits_spec.lua", "dev/cuda_reap_spec.lua"
local EVENTS, ADOPTED = "dev/cuda_events_spec.lua", "dev/cuda_adopted_spec.lua"
local CONFLICT = "if (ndi_use_conflicts(&uses->use[i], access)"
local CHECK = "  ND_TRY(nd_transfer_check(kind, bytes, err));\n"

return {
  -- raw, war, waw: what work has to come after
  {"src/mem/fence.c", CONFLICT .. ") uses",
   CONFLICT .. " && (access->is_write || !uses->use[i].is_write)) uses", PROGRAMS},
  {"src/mem/fence.c", CONFLICT .. ") uses",
   CONFLICT .. " && (!access->is_write || uses->use[i].is_write)) uses", PROGRAMS},
  {"src/mem/fence.c", CONFLICT .. ") uses",
   CONFLICT .. " && !(access->is_write && uses->use[i].is_write)) uses", PROGRAMS},
  -- free: it comes after all uses
  {"src/dev/cuda/submit.c", "  return join_all(*out, after, err);\n", "  return ND_OK;\n",
   PROGRAMS .. " " .. STREAMS},
  {"src/dev/cuda/submit.c", "if (found || q->device != d || q->is_foreign) return false;",
   "if (found || q->device != d) return false;", STREAMS,
   equal = "the free is refused, and comes again when the work is done"},
  -- take: memory of a pool is there from a point of the stream on that it was taken on
  {"src/mem/storage.c", "if (uses) self->uses = uses, PUT(self->is_busy, true);",
   "if (uses) self->uses = uses, PUT(self->is_busy, false);", PROGRAMS},
  {"src/mem/storage.c", "  ndi_uses_add(*out, &ready);\n", "  (void)ready;\n",
   "dev/cuda_reap_spec.c"},
  -- first: the work before the second stream's first
  {"src/dev/cuda/submit.c",
   "if (!ndi_queue_event(other, point.seq, &found)) ND_TRY(record_end(other, err));",
   "if (!ndi_queue_event(other, point.seq, &found)) return (void)record_end, ND_OK;",
   PROGRAMS .. " " .. STREAMS},
  -- staging: a buffer is filled again when no stream reads it any more
  {"src/dev/cuda/stage.c",
   "return nd_storage_host(stage->storage[which], 0, stage->bytes, true, &at, err);",
   "(void)stage, (void)which, (void)err, (void)at;\n  return ND_OK;",
   "dev/cuda_copy_spec.lua"},
  -- host: the CPU waits for what concerns it
  {"src/mem/flight.c", "  ND_TRY(ndi_uses_wait(&uses, access, err));\n",
   "  (void)err;\n", PROGRAMS},
  {"src/mem/flight.c", "  ndi_uses_keep(&uses, access);\n",
   "  if (access->is_write) return ND_OK;\n  ndi_uses_keep(&uses, access);\n", PROGRAMS},
  -- peer: a copy between two devices is noted on both sides
  {"src/dev/cuda/copy.c",
   CHECK .. "  ND_VISIT(q->device, err);\n  ND_TRY(ndi_cuda_begin(q, 2, accesses, err));",
   CHECK .. "  ND_VISIT(q->device, err);\n" ..
   "  if (d != other) accesses[1].use.hi = accesses[1].use.lo;\n" ..
   "  ND_TRY(ndi_cuda_begin(q, 2, accesses, err));", PROGRAMS},
  -- known: no more than the queue was told
  {"src/dev/cuda/submit.c", "ndi_queue_knows(q, (nd_point){point.queue, found});",
   "ndi_queue_knows(q, (nd_point){point.queue, atomic_load(&other->enqueued)});", PROGRAMS},
  {"src/dev/cuda/event.c",
   "e->at = (nd_point){q->number, atomic_load(&q->enqueued)};",
   "e->at = (nd_point){q->number, atomic_load(&q->enqueued) + 1};",
   PROGRAMS .. " " .. EVENTS},
  -- ring: an event tells of its point and those before it, not of later ones
  {"src/dev/cuda/queue.c", "if (at >= seq && (!event || at < *found))",
   "if (at + 1 >= seq && (!event || at < *found))", PROGRAMS},
  {"src/dev/cuda/queue.c", "if (at >= seq && (!event || at < *found))",
   "if (at >= seq && (!event || at > *found))", PROGRAMS .. " " .. STREAMS},
  -- exposed: code that has the address finds calls complete
  {"src/dev/cuda/submit.c", "waits |= nd_storage_note(accesses[i].storage,",
   "nd_storage_note(accesses[i].storage,", "dev/cuda_exposed_spec.lua"},
  -- epoch: compiled code looks at the memory when no device works on it
  {"src/mem/flight.c", "const bool is_recorded = has_room && record_use(self, use, over);\n" ..
   "  atomic_fetch_add(&self->epoch, 1);",
   "const bool is_recorded = has_room && record_use(self, use, over);",
   PROGRAMS .. " " .. STREAMS},
  -- handover: work on foreign memory comes after its owner's
  {"src/dev/cuda/foreign.c", "  return ndi_cuda_mark(q, ready, err);\n",
   "  nd_point mark;\n  (void)ready;\n  return ndi_cuda_mark(q, &mark, err);\n", ADOPTED},

  -- milestones: on a single stream the CPU waits for what concerns it, and no more
  {"src/dev/cuda/submit.c", "  if (is_visible) q->visible = seq;\n", "  (void)is_visible;\n",
   WAITS .. " " .. PROGRAMS},
  {"src/dev/cuda/submit.c", "  if (q->is_shared) ndi_milestone_set(q);", "", ADOPTED},
  {"src/dev/cuda/submit.c", "is_awaited && !ndi_milestone_is_possible(q);", "is_awaited;", WAITS},
  {"src/dev/cuda/submit.c", "i++) is_awaited |= accesses[i].is_awaited;",
   "i++) (void)accesses;", "dev/cuda_copy_spec.lua"},
  {"src/dev/cuda/queue.c", "if (!ndi_milestone_watch(q)) ndi_queue_record(q, NULL);",
   "ndi_queue_record(q, NULL);", REAP},
  {"src/dev/cuda/queue.c", "note_done(q, ndi_milestone_look(q))", "ndi_milestone_look(q)", REAP},
  {"src/dev/cuda/milestone.c", "  q->visible = atomic_load(&q->enqueued);\n", "", REAP},
  {"src/dev/cuda/milestone.c", "    if (q->watch) ndi_cu.cuStreamDestroy(q->watch);\n", "", REAP},
  {"src/dev/cuda/milestone.c",
   "if (status == ND_OK) status = ND_CU(d, cuStreamSynchronize(stream), NULL);", "",
   WAITS .. " " .. PROGRAMS},
  {"src/dev/cuda/milestone.c", "if (is_seen(q, seq)) return ND_OK;", "is_seen(q, seq);", WAITS},
  {"src/dev/cuda/milestone.c", "is_written = atomic_load(word) >= seq;",
   "is_written = atomic_load(word) > 0;", WAITS .. " " .. PROGRAMS},
  {"src/dev/cuda/milestone.c", "if (!stream || q->is_shared || q->stream",
   "if (!stream || q->stream", ADOPTED},
  {"src/dev/cuda/milestone.c", "return atomic_load(&q->milestone) >= seq && wait_for_word",
   "return atomic_load(&q->milestone) && wait_for_word", WAITS .. " " .. PROGRAMS},
  {"src/dev/cuda/milestone.c", "if (is_empty && atomic",
   "(void)is_empty;\n  if (atomic", WAITS},
  {"src/dev/cuda/milestone.c", "    if (q->milestone) wait_for_word(q, q->milestone);\n",
   "    (void)q;\n", ADOPTED},
  {"src/dev/cuda/stream.c", "(!q->milestone && ndi_queue_is_reached(q, last.seq))",
   "ndi_queue_is_reached(q, last.seq)", WAITS},

  -- what else streams rely on
  {"src/dev/cuda/submit.c", "(has_event || are_several || q->is_foreign)",
   "(has_event || are_several)", ADOPTED},
  {"src/dev/cuda/submit.c", "has_none ? ndi_queue_sync(q, own) : ", "", "dev/cuda_pieces_spec.lua"},
  {"src/dev/cuda/submit.c", "  if (q->is_shared) ND_TRY(ndi_cuda_check_stream(q, err));\n", "",
   ADOPTED},
  {"src/dev/cuda/submit.c",
   "  if (q->is_shared) ND_TRY(ndi_cuda_check_capture(q->device, q->stream, err));\n", "", ADOPTED},
  {"src/dev/cuda/queue.c", "  if (q->is_shared) ND_TRY(ndi_cuda_check_stream(q, err));\n", "",
   ADOPTED},
  {"src/dev/cuda/queue.c", "  if (check_own_capture(q, NULL) != ND_OK) return;\n", "", ADOPTED},
  {"src/dev/cuda/queue.c", "q->is_foreign || check_own_capture(q, NULL) != ND_OK;",
   "q->is_foreign;", ADOPTED},
  {"src/dev/cuda/queue.c", "  if (q->stream || !q->is_foreign) return ND_OK;\n",
   "  if (q) return ND_OK;\n", ADOPTED},
  {"src/dev/cuda/queue.c", "return q->is_foreign ? sync_context(q, err) : ND_OK;",
   "return (void)sync_context, ND_OK;", ADOPTED},
  {"src/dev/cuda/submit.c", "  ND_TRY(ndi_queue_check_end(q, err));\n", "", ADOPTED},
  {"src/dev/cuda/queue.c", "q->thread != ndi_cuda_thread()", "q->thread == 0",
   "dev/cuda_states_spec.c"},
  {"src/dev/cuda/submit.c", "  ND_TRY(ndi_cuda_check_lost(other->device, err));\n", "", STREAMS},
  {"src/dev/cuda/event.c", "  ND_TRY(ndi_cuda_check_lost(e->device, err));\n", "", STREAMS},
  {"src/dev/cuda/stream.c",
   "if (!q->stream) memset(q->known, 0, sizeof q->known);", "", ADOPTED},
  {"src/dev/cuda/stream.c", "if (q->is_foreign) return nd_point_is_done(last);",
   "if (q->is_foreign) return ndi_queue_is_reached(q, last.seq);", ADOPTED},
  {"src/dev/cuda/stream.c", "  ndi_queue *q = found.idle;\n",
   "  ndi_queue *q = found.busy ? found.busy : found.idle;\n", STREAMS},
  {"src/dev/cuda/stream.c", "  if (!q && found.all >= most && found.other) {",
   "  if (false) {", STREAMS},
  -- a full record: the queue comes after one more use, which its own stands for
  {"src/mem/fence.c", "    if (uses->use[i].at.queue == use->at.queue) return merge",
   "    if (false) return merge", "core/fence_spec.c " .. STREAMS},
  {"src/mem/fence.c", "uses->count < ND_USES_MOST || merge_oldest(uses, use->at.queue)",
   "uses->count < ND_USES_MOST || (false && merge_oldest(uses, 0))", "core/fence_spec.c " .. WAITS},
  {"src/mem/fence.c", "while (i < ND_USES_MOST - 1 && is_lost(uses->use[i].at.queue)) i++;",
   "", STREAMS},
  {"src/mem/fence.c", "else if (!is_implied(&uses->use[i], use))",
   "else if (!is_implied(&uses->use[i], &both))", "core/fence_spec.c " .. PROGRAMS},
  {"src/dev/cuda/submit.c", "  return ndi_queue_join(q, access->over.at, err);\n",
   "  (void)err;\n  return ND_OK;\n", STREAMS},
  {"src/dev/cuda/submit.c",
   "if (!nd_storage_is_full(access->storage, q->number, &access->over)) return ND_OK;",
   "return ND_OK;", STREAMS},
  {"src/mem/flight.c", "  if (self->is_crowded) settle_uses(self, &left);\n",
   "  (void)self, (void)left;\n", "core/storage_spec.c core/device_spec.c"},
  {"src/bind/state.c", "  S->call.queue = outer->queue;\n", "", EVENTS},
  {"src/bind/state.c", "  S->call.queue = S->stream_queue;\n", "", EVENTS},
  {"src/bind/stream.c", "  S->stream_queue = outer_queue;\n", "  (void)outer_queue;\n",
   EVENTS},
}
