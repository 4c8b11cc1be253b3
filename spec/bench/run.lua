--- The tables "Script speed", ndbuf against a raw FFI pointer and NumPy in one run, and "Loops with
-- calls in them".
-- luajit spec/bench/run.lua          prints the tables (make bench)
-- luajit spec/bench/run.lua smoke    small sizes, checks results only (make bench-smoke)
-- luajit spec/bench/run.lua ROW      one row's nanoseconds, for the processes of 'make bench'
-- luajit spec/bench/run.lua loops    all loops' nanoseconds, for the same
local script = require "spec.bench.script"
local loops = require "spec.bench.loops"

local what = ...
if what == "smoke" then
  script.smoke()
  loops.smoke()
elseif what == "loops" then
  loops.one()
elseif what then
  script.one(what)
else
  script.table()
  print()
  loops.table()
end
