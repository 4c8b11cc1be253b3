-- A process to be killed while it saves. luajit files_kill.lua PATH N: at the N-th file operation
-- of one save; without N: saving one array after the other, until somebody else does; says when the
-- first is there.
local kills = require "spec.faults.files_kills"
local ffi = require "ffi"
local nd = require "ndbuf"

local KILL = -2 -- of files_preload.c
local path, n = arg[1], tonumber(arg[2])

if n then
  ffi.cdef [[
    void files_fault_arm(int kind, int nth, bool is_lasting);
    int files_fault_disarm(void);
  ]]
  local a = kills.make(path, 2)
  ffi.C.files_fault_arm(KILL, n, false)
  nd.save(path, a)
  ffi.C.files_fault_disarm()
  os.exit(0, true)
end
local arrays = {}
for i = 1, 8 do arrays[i] = kills.make(path, 25 * i) end
nd.save(path, arrays[8])
print "saving"
io.stdout:flush()
while true do
  for i = 1, 8 do nd.save(path, arrays[i]) end
end
