-- Faults of order statistics and of reductions that leave out NaN.
local core, order, nans = "core/select_spec.c", "ops/order_spec.lua", "ops/nans_spec.lua"

return {
  -- kernels
  {"src/kern/select.c", "ranks[left] - before < less", "ranks[left] < less", core},
  {"src/kern/select.c", "others, before + less, count - left", "others, before, count - left",
   core},
  {"src/kern/select.inc", "2 * at + (at < count && values[at] == key)", "2 * at", core},
  {"src/kern/select.inc", "counts[2] += n - (size_t)less - (size_t)equal;",
   "counts[2] += n - (size_t)less;", core},
  {"src/kern/select.inc", "  places[2] = rest + end - less - equal;\n", "", core},
  {"src/kern/select.inc", "      left -= takes_equal;\n", "", core},
  {"src/kern/select.inc", "taken += (keys[k] < value) | takes_equal;",
   "taken += (keys[k] <= value) | takes_equal;", core},
  {"src/kern/select.inc", "(keys[k] == value) & (left > 0);", "keys[k] == value;", core},
  {"src/kern/select.inc", "sum = (U)(sum + (keys[i] <= value));",
   "sum = (U)(sum + (keys[i] < value));", core},
  {"src/kern/select_complex.inc", "is_re ? 3 : is_im ? 2 : 1", "is_re ? 2 : is_im ? 3 : 1", order},
  {"src/kern/select_complex.inc", "is_im ? part[1] : is_re ? part[0] : 0;", "is_im ? part[1] : 0;",
   order},
  {"src/kern/select_real.inc", "  if (!is_aligned) memcpy(at, x, n * ITEM);\n", "", core},
  {"src/kern/mode.inc", "*at = i - longest;", "*at = i;", order},
  {"src/kern/mode.c", "x == y || (x != x && y != y)", "x == y", "ops/nans_spec.lua"},

  -- selection in a line
  {"src/dev/host/select.c", "if (ranks[k] < below || ranks[k] - below >= within) return false;",
   "if (ranks[k] < below) return false;", core},
  {"src/dev/host/select.c", "before += r->is_same ? 0 : within;", "before += within;", core},
  {"src/dev/host/select.c", "*out += s->parts[i].nans;", "*out = s->parts[i].nans;", core},
  {"src/dev/host/select.c", "kind != ND_KIND_FLOAT) return true;",
   "kind == ND_KIND_COMPLEX) return true;", core .. " " .. order},

  -- partitions
  {"src/dev/host/partition.c", "p->n - (size_t)-place;", "p->n - 1 - (size_t)-place;", order},
  {"src/dev/host/partition.c", "return (x > y) - (x < y);", "return (x > y) - (x > y);", order},
  {"src/dev/host/topk.c", "w->positions[w->order[i] - 1];", "w->order[i];", order},
  {"src/dev/host/topk.c", "if (w->p->task->topk.is_sorted && !sort_taken(w, x))",
   "if (!sort_taken(w, x))", order},

  -- quantiles
  {"src/dev/host/quantile.c", "fmod(low, 2) != 0;", "fmod(low, 2) == 0;", order},
  {"src/dev/host/quantile.c", "is_whole ? 0.5 : 1, n);", "1, n);", order},
  {"src/dev/host/quantile.c", "nearbyint(index)", "floor(index + 0.5)", order},
  {"src/dev/host/quantile.c", "at_position(q, n, 1 / 3.0, 1 / 3.0)",
   "at_position(q, n, 0.375, 0.375)", order},
  {"src/dev/host/quantile.c", "isfinite(sum) ? sum / 2 : a / 2 + b / 2;", "sum / 2;", order},
  {"src/dev/host/quantile.c", "if (!isfinite(apart)) return", "if (apart != apart) return", order},
  {"src/dev/host/quantile.c", "(nans > 0 && !p->task->quantile.skips_nan)",
   "(nans > 1 && !p->task->quantile.skips_nan)", order},
  {"src/dev/host/quantile.c", "find_reading(p, p->n - nans, &w->own);",
   "find_reading(p, p->n, &w->own);", order},
  {"src/dev/host/quantile.c", "(p->asked[which].at * p->lines + line)",
   "(which * p->lines + line)", order},
  {"src/dev/host/quantile.c", "low == high ? 0 : 0.5, n);", "0.5, n);", order},

  -- what is checked, and the shape of results
  {"src/ops/lines.c", "shape[axes >> i & 1] *=", "shape[axes >> i & 0] *=", order},
  {"src/ops/sort.c", "dtype && axis == dst->ndim - 1 &&", "dtype && axis >= 0 &&",
   "ops/sort_spec.lua"},
  {"src/ops/sort.c", "nd_view_is_contiguous(dst) && at %", "at %", "ops/sort_spec.lua"},
  {"src/ops/select.c", "if (!(least >= 0) || !(most <= whole))", "if (least < 0 || most > whole)",
   order},
  {"src/ops/select.c", "if (whole == 1) return", "if (whole > 0) return", order},
  {"src/ops/select.c", "made.size > 0 && src->size == 0) status = fill_nan(&made, err);",
   "made.size > 0 && src->size == 0 && !how->axes) status = fill_nan(&made, err);", order},
  {"src/bind/select.c", "is_value && q->ndim == 0);", "is_value);", order},
  {"src/bind/select.c", "!options->at[NDB_OUT] && !how.keeps_dims;", "!how.keeps_dims;", order},

  -- in Lua
  {"lua/ndbuf/nans.lua", "if not set[i] then shape[#shape + 1] = extent",
   "if set[i] == false then shape[#shape + 1] = extent", nans},
  {"lua/ndbuf/nans.lua", "nd.where(valid:any(kept), found, 0 / 0)", "found", nans},
  {"lua/ndbuf/nans.lua", "nd.where(left:gt(0), squares:sum(kept) / left, 0 / 0)",
   "squares:sum(kept) / left", nans},
  {"lua/ndbuf/nans.lua", "if values:isnan():any() then", "if values:isnan():all() then", nans},
  {"lua/ndbuf/nans.lua", "functions.nanprod = replace(\"sum\", 0), replace(\"prod\", 1)",
   "functions.nanprod = replace(\"sum\", 0), replace(\"prod\", 0)", nans},
}
