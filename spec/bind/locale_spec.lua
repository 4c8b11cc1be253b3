-- What ndbuf writes and reads where the program's locale has a decimal comma.
local H = require "spec.helper"

describe("texts", function()
  it("keep to the C locale", function()
    local script = [[
local ffi = require "ffi"
ffi.cdef "int setenv(const char *, const char *, int);"
ffi.cdef "char *setlocale(int, const char *); int snprintf(char *, size_t, const char *, ...);"
if arg[2] then ffi.C.setenv("LOCPATH", arg[2], 1) end
local text = ffi.new "char[40]"
local has = ffi.C.setlocale(6, arg[1]) ~= nil
ffi.C.snprintf(text, 40, "%g", ffi.new("double", 1.5))
if not has or ffi.string(text) ~= "1" .. (arg[3] or ",") .. "5" then print "none" os.exit(0) end
local nd = require "ndbuf"
print(nd.array {1.5, -0.25, 1e300})
print(nd.array({ffi.new("complex", 0.5, -1.5)}, "c64"))
print(nd.f16(0.1))
for _, call in ipairs {
  function() return nd.zeros(2)[1.5] end,
  function() return nd.arange(1.5, 2, 0) end,
  function() return nd.arange(0.5, 1e300, 1e-300) end,
  function() return nd.allclose(nd.f64(1), nd.f64(1), -0.5) end,
} do
  local fine, e = pcall(call)
  assert(not fine)
  print((e.message:gsub("to be, or", "")))
end
local path = os.tmpname()
for _, kind in ipairs {".npy", ".wav"} do
  nd.save(path .. kind, nd.array({{0.5, -1.25}, {1e-3, 0}}, "f32"))
  assert(nd.load(path .. kind)(1, 2) == -1.25)
  os.remove(path .. kind)
end
os.remove(path)
assert(nd.arange(1, 3, 0.25)["2:-1:2"][1] == 1.25)
print(nd.array({1, 2}, "f32"):astype("f64")[2] + 0.5)]]
    local tried = {}
    local function check(...)
      local status, out, err = H.luajit(nil, script, ...)
      assert.equal(0, status, err)
      if out:find "^none" then return false end
      tried[#tried + 1] = out
      return true
    end
    local found
    for _, name in ipairs {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "pl_PL.UTF-8"} do
      found = found or check(name)
    end
    if not found then
      if not H.exists "/usr/share/i18n/locales/de_DE" then
        return pending "no locale with a decimal comma, nor the package locales to make one"
      end
      local dir = H.dir()
      H.run("localedef --no-archive -i de_DE -f UTF-8 " .. H.quote(dir .. "/de_DE.UTF-8"))
      assert.is_true(check("de_DE.UTF-8", dir), "localedef made none")
    end
    if H.exists "/usr/share/i18n/locales/ps_AF" then -- its decimal point has two bytes
      local dir = H.dir()
      H.run("localedef --no-archive -i ps_AF -f UTF-8 " .. H.quote(dir .. "/ps_AF.UTF-8"))
      assert.is_true(check("ps_AF.UTF-8", dir, "\217\171"), "localedef made none")
      assert.equal(tried[1], tried[2])
    end
    local out = tried[1]
    assert.is_truthy(out:find("[   1.5,  -0.25, 1e+300]", 1, true), out)
    assert.is_truthy(out:find("[0.5-1.5i]", 1, true), out)
    assert.is_truthy(out:find("1.5 is not an integer", 1, true), out)
    assert.is_nil(out:find("%d,%d"), out)
    assert.is_truthy(out:find "2%.5\n$")
  end)
end)
