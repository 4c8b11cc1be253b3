--- The tables "Script speed", ndbuf against a raw FFI pointer and NumPy in one run, and "Loops with
-- calls in them".
-- luajit spec/bench/run.lua              prints the tables (make bench)
-- luajit spec/bench/run.lua smoke        small sizes, checks results only (make bench-smoke)
-- luajit spec/bench/run.lua ROW          a row's nanoseconds, for the processes of 'make bench'
-- luajit spec/bench/run.lua torch7 ROW   torch7's for the same, or -
-- luajit spec/bench/run.lua loops        all loops' nanoseconds, for the same
local script = require "spec.bench.script"
local loops = require "spec.bench.loops"

local what, row = ...
if what == "smoke" then
  script.smoke()
  loops.smoke()
elseif what == "torch7" then
  script.torch7(row)
elseif what == "loops" then
  loops.one()
elseif what then
  script.one(what)
else
  script.table()
  print()
  loops.table()
end
