--- The table "Script speed": ndbuf against a raw FFI pointer and NumPy, in one run.
-- luajit spec/bench/run.lua          prints the table (make bench)
-- luajit spec/bench/run.lua smoke    small sizes, checks results only (make bench-smoke)
-- luajit spec/bench/run.lua ROW      one row's nanoseconds, for the processes of 'make bench'
local script = require "spec.bench.script"

local what = ...
if what == "smoke" then
  script.smoke()
elseif what then
  script.one(what)
else
  script.table()
end
