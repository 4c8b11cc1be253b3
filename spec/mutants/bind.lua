-- Faults in src/bind.
return {
  -- arguments
  {"src/bind/args.c", "if (!(value >= -end && value < end) || value != floor(value))", "if (!(value >= -end && value <= end) || value != floor(value))", "bind/numbers_spec.lua bind/making_spec.lua bind/errors_spec.lua"},
  {"src/bind/args.c", "if (scalar.dtype == ND_U64 && *out < 0)", "if (false)", "bind/numbers_spec.lua bind/errors_spec.lua"},
  {"src/bind/args.c", "if (integer > exact || integer < -exact)", "if (integer > exact)", "bind/numbers_spec.lua bind/making_spec.lua bind/errors_spec.lua"},
  {"src/bind/args.c", "if (length == 0 || strlen(path) != length)", "if (length == 0)", "xchg/paths_spec.lua bind/errors_spec.lua"},
  {"src/bind/args.c", "if (++entries > n)", "if (++entries > n + 1)", "bind/making_spec.lua bind/errors_spec.lua"},
  {"src/bind/args.c", "if (shape[i] < 0 && !(allow_open && shape[i] == -1))", "if (shape[i] < 0 && !(allow_open || shape[i] == -1))", "bind/making_spec.lua bind/errors_spec.lua bind/views_spec.lua"},
  {"src/bind/args.c", "if (!lua_istable(L, arg) || lua_objlen(L, arg) > 0) return false;", "if (!lua_istable(L, arg)) return false;", "bind/making_spec.lua bind/views_spec.lua bind/copies_spec.lua"},
  {"src/bind/args.c", "for (int arg = last + 1; arg <= lua_gettop(L); arg++)", "for (int arg = last + 2; arg <= lua_gettop(L); arg++)", "bind/errors_spec.lua bind/copies_spec.lua ops/reduce_spec.lua"},
  {"src/bind/args.c", "return strlen(text) == lua_objlen(L, arg) ? text : \"\";", "return text;", "bind/errors_spec.lua bind/making_spec.lua bind/badinput_spec.lua"},

  -- elements and tables
  {"src/bind/element.c", "if (dtype == ND_C128 && isnan(wide[i])) wide[i] = (double)NAN;", "", "lua/jit_spec.lua bind/numbers_spec.lua"},
  {"src/bind/element.c", "if (nd_storage_check(s, NULL) != ND_OK || (for_write && v->is_read_only)) return NULL;", "if (for_write && v->is_read_only) return NULL;", "mem/file_spec.lua bind/lifetime_spec.lua"},
  {"src/bind/element.c", "if (nd_storage_check(v->storage, NULL) == ND_OK) { /* the file was still there */", "{", "mem/file_spec.lua"},
  {"src/bind/element.c", "|| !nd_storage_is_settled(s)) return NULL;", ") return NULL;", "dev/cuda_array_spec.lua dev/cuda_memory_spec.lua"},
  {"src/bind/element.c", "  check_no_more(r, depth, n);\n", "  if (depth) check_no_more(r, depth, n);\n", "bind/making_spec.lua bind/errors_spec.lua"},
  {"src/bind/element.c", "if (pointer && (uintptr_t)pointer < NOWHERE)", "if (false)", "bind/wrap_spec.lua bind/copies_spec.lua bind/errors_spec.lua"},
  {"src/bind/element.c", "if (!pointer) *room = 0;", "", "bind/wrap_spec.lua bind/copies_spec.lua bind/errors_spec.lua"},
  {"src/bind/element.c", "r->at += (next - i) * r->item;", "r->at += (next - i - (next > n && n > 8)) * r->item;", "bind/making_spec.lua"},

  -- indices
  {"src/bind/index.c", "if (item.has_first && !item.has_last)", "if (false)", "bind/index_spec.lua bind/slice_spec.lua"},
  {"src/bind/index.c", "if (!range_part(L, S, table, 3, &item.step)) item.step = 1;", "range_part(L, S, table, 3, &item.step);", "bind/slice_spec.lua", equal = "the step was 1 before"},
  {"src/bind/index.c", "if (!(at >= 1 && at <= n))", "if (!(at >= 1))", "bind/index_spec.lua bind/slice_spec.lua bind/errors_spec.lua"},
  {"src/bind/index.c", "if (!v->is_read_only && nd_view_overlaps_itself(v)) /*", "if (false) /*", "bind/index_spec.lua bind/views_spec.lua bind/assign_spec.lua"},
  {"src/bind/index.c", "if (nd_index_is_slice(text, length) && strcmp(text, \"_\") != 0) {", "if (nd_index_is_slice(text, length)) {", "bind/records_spec.lua bind/slice_spec.lua bind/index_spec.lua",
   equal = "no array has a field or method called _"},
  {"src/bind/index.c", "if (nd_astype(given, ND_I64, ND_CHECK, &integers, &err) != ND_OK)", "if (nd_astype(given, ND_I64, ND_SATURATE, &integers, &err) != ND_OK)", "bind/gather_spec.lua bind/errors_spec.lua"},
  {"src/bind/index.c", "if (top == 3 && (lua_istable(L, 2) || ndb_to_array(L, 2))) return", "if (top == 3 && lua_istable(L, 2)) return", "bind/index_spec.lua bind/assign_spec.lua bind/gather_spec.lua"},

  -- makers, views, copies
  {"src/bind/make.c", "if (out->device) ndb_fail(L, S, ND_INVALID_ARGUMENT, \"device\", \"it is given twice\");", "", "bind/making_spec.lua bind/errors_spec.lua"},
  {"src/bind/make.c", "if (!s.device && v->storage->resource->kind != ND_MEM_FILE)", "if (!s.device)", "bind/making_spec.lua mem/file_spec.lua"},
  {"src/bind/make.c", "{.zeroed = zeroed, .lazy = lazy && place->kind != ND_MEM_FILE};", "{.zeroed = zeroed, .lazy = lazy};", "mem/file_spec.lua bind/making_spec.lua", equal = "a storage allocates what can be taken once at once"},
  {"src/bind/make.c", "|| wanted != length)", "|| wanted > length)", "bind/making_spec.lua bind/errors_spec.lua"},
  {"src/bind/views.c", "if (status != ND_INVALID_VIEW || !may_copy) return", "if (status == ND_OK || !may_copy) return", "bind/views_spec.lua"},
  {"src/bind/views.c", "if (count == 0 && at == (int64_t)len + 1) first = len;", "if (at == (int64_t)len + 1) first = len;", "bind/views_spec.lua bind/errors_spec.lua"},
  {"src/bind/views.c", "if (shape[i] == -1 && own < 0)", "if (false)", "bind/views_spec.lua bind/errors_spec.lua"},
  {"src/bind/copies.c", "if (lua_isnoneornil(L, 3) && room != SIZE_MAX) return room;", "if (lua_isnoneornil(L, 3)) return room;", "bind/copies_spec.lua bind/errors_spec.lua"},
  {"src/bind/copies.c", "mode == ND_SATURATE ? (nd_dtype)v->dtype : wide, &source);", "(nd_dtype)v->dtype, &source);\n  (void)wide;", "bind/copies_spec.lua"},
  {"src/bind/copies.c", "ndb_check(L, S, nd_storage_host(v->storage, !v->is_read_only, &host, &err), &err);", "ndb_check(L, S, nd_storage_host(v->storage, false, &host, &err), &err);", "dev/cuda_array_spec.lua dev/cuda_memory_spec.lua"},
  {"src/bind/copies.c", "if (typed && at % nd_dtype_get((nd_dtype)v->dtype)->align != 0)", "if (false)", "bind/looking_spec.lua bind/copies_spec.lua bind/records_spec.lua"},
  {"src/bind/copies.c", "if (lua_objlen(L, 2) != (size_t)ndim)", "if (lua_objlen(L, 2) < (size_t)ndim)", "bind/copies_spec.lua bind/join_spec.lua bind/errors_spec.lua"},

  -- computing
  {"src/bind/compute.c", "if (!lua_isnoneornil(L, count + 1))", "if (false)", "ops/elementwise_spec.lua bind/errors_spec.lua"},
  {"src/bind/compute.c", "if (!lua_istable(L, 3) || !lua_isnoneornil(L, 4)) return;", "return;", "ops/elementwise_spec.lua"},
  {"src/bind/reduce.c", "if (bits >> axis & 1)", "if (false)", "ops/reduce_spec.lua bind/errors_spec.lua"},
  {"src/bind/reduce.c", "if (!has_axis && !how.keeps_dims) return push_scalar", "if (!has_axis) return push_scalar", "ops/reduce_spec.lua"},
  {"src/bind/reduce.c", "ndb_check_axis(L, S, 2, name, src->ndim) : src->ndim - 1;", "ndb_check_axis(L, S, 2, name, src->ndim) : 0;", "ops/sort_spec.lua"},

  -- scopes
  {"src/bind/scope.c", "if (!a || !a->view.storage || a->view.storage->id <= last_id) continue;", "if (!a || !a->view.storage || a->view.storage->id < last_id) continue;", "bind/lifetime_spec.lua"},
  {"src/bind/scope.c", "if (is_kept && S->scope_depth) ndb_note_scope(L, S);", "", "bind/lifetime_spec.lua"},
  {"src/bind/scope.c", "if (nd_storage_get_state(s) == ND_STORAGE_LIVE) ndb_forget_debt(S, s->resource, s->bytes);\n    nd_storage_free", "nd_storage_free", "mem/collector_spec.lua bind/lifetime_spec.lua"},
  {"src/bind/scope.c", "if (is_new) lua_rawseti(L, todo, ++count);", "lua_rawseti(L, todo, ++count);\n    if (is_new) return lua_pop(L, 1), count;", "bind/lifetime_spec.lua"},
  {"src/bind/scope.c", "  S->scope_ref = outer;\n", "  (void)outer;\n", "bind/lifetime_spec.lua"},

  -- the state
  {"src/bind/state.c", "if (!running) lua_gc(L, LUA_GCSTOP, 0);", "", "mem/collector_spec.lua bind/lifetime_spec.lua"},
  {"src/bind/state.c", "!S->is_collecting && is_running(S->L)) {", "!S->is_collecting) {", "mem/collector_spec.lua"},
  {"src/bind/state.c", "    *live = live_bytes(from);\n", "    (void)live_bytes;\n", "mem/collector_spec.lua"},
  {"src/bind/state.c", "*debt = *debt > bytes ? *debt - bytes : 0;", "*debt -= bytes;", "mem/collector_spec.lua"},
  {"src/bind/state.c", "S->L = outer, S->hook_at_entry = hook; /*", "(void)outer, (void)hook; /*", "bind/interrupt_spec.lua mem/collector_spec.lua bind/lifetime_spec.lua bind/states_spec.c"},
  {"src/bind/state.c", "if (wanted >= 0) check_dtype(L, S, wanted);", "if (wanted > 0) check_dtype(L, S, wanted);", "bind/errors_spec.lua bind/looking_spec.lua"},
  {"src/bind/state.c", "if (atomic_fetch_sub(&list->holds, 1) != 1) return;", "if (atomic_fetch_sub(&list->holds, 1) > 2) return;", "bind/states_spec.c bind/wrap_spec.lua"},
  {"src/bind/state.c", "luaL_unref(L, LUA_REGISTRYINDEX, at->reference);", "(void)L;", "bind/wrap_spec.lua bind/lifetime_spec.lua"},
}
