-- What other libraries of the process make of our arrays, and we of theirs: NumPy here, by DLPack
-- and files, in Python with a Lua state in it (lupa). 'make peers' has the others.
local H = require "spec.helper"

local function check(script, ...)
  local command = {"env"}
  if H.is_sanitized then command[2] = "ASAN_OPTIONS=detect_leaks=0" end -- Python leaves its own
  for name, value in pairs {LUA_PATH = package.path, LUA_CPATH = package.cpath, NDBUF_SEED = H.seed,
    NDBUF_CASES = H.cases(10000) / 10000 * 0.2} do
    command[#command + 1] = ("%s=%s"):format(name, H.quote(tostring(value)))
  end
  for _, word in ipairs {os.getenv "PYTHON" or "/usr/bin/python3", script, ...} do
    command[#command + 1] = H.quote(word)
  end
  local status, out, err = H.run(table.concat(command, " "))
  assert.equal(0, status, out .. err)
  assert.is_true(tonumber(out:match "(%d+) passed, 0 failed") > 10, out)
end

describe("beside NumPy", function()
  it("arrays go by DLPack both ways", function() check "spec/peers/dlpack.py" end)
  it(".npz files are read both ways", function() check("spec/peers/files.py", "numpy") end)
end)
