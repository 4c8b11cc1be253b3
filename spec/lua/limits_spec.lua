-- Where Lua code begins to do something else: one step before and one step past each limit.
local ffi = require "ffi"
local nd = require "ndbuf"
local H = require "spec.helper"
local complete = require "ndbuf.complete"
local show = require "ndbuf.show"

describe("unpack", function()
  it("gives up to 7000 values", function()
    assert.equal(7000, select("#", nd.zeros(7000):unpack()))
    local e = H.raises("capacity", function() nd.zeros(7001):unpack() end)
    assert.truthy(e.message:find("7001", 1, true))
  end)
end)

describe("cdata", function()
  it("is a number only where it is one", function()
    for _, x in ipairs {ffi.new "float[2]", ffi.new "double[2]", ffi.typeof "int64_t",
                        ffi.typeof "uint64_t", ffi.typeof "complex float", ffi.new "int64_t[1]"} do
      H.raises("type_mismatch", function() nd.full({1}, x, "c64") end)
      H.raises("type_mismatch", function() nd.zeros({1}, "c128"):fill(x) end)
    end
    assert.equal(3, nd.full({1}, ffi.new("complex float", 3), "c64")[1].re)
  end)

  it("is a pointer to rows, whose size nobody knows", function()
    local m = ffi.new("int[2][3]", {{1, 2, 3}, {4, 5, 6}})
    local rows = nd.wrap(ffi.cast("int (*)[3]", m), "i32", {2, 3}, {owner = m})
    assert.same({{1, 2, 3}, {4, 5, 6}}, rows:totable())
    H.raises("out_of_bounds", function() nd.wrap(m, "i32", {7}) end)
  end)

  it("is an array of a length that was given when it was made", function()
    local x = ffi.new("double[?]", 3, {1, 2, 3})
    assert.same({1, 2, 3}, nd.array(x):totable())
    assert.same({3}, nd.array(x).shape)
  end)
end)

describe("print", function()
  local former
  before_each(function() former = nd.printoptions() end)
  after_each(function() nd.printoptions(former) end)

  it("leaves out what is between the edges, if anything is", function()
    nd.printoptions {threshold = 2, edge = 3}
    assert.equal("f64 6 cpu\n[1, 2, 3, 4, 5, 6]", tostring(nd.arange(6)))
    assert.equal("f64 7 cpu\n[1, 2, 3, ..., 5, 6, 7]", tostring(nd.arange(7)))
    nd.printoptions {threshold = 7}
    assert.equal("f64 7 cpu\n[1, 2, 3, 4, 5, 6, 7]", tostring(nd.arange(7)))
  end)
end)

describe("completion", function()
  it("offers methods behind a colon, and what begins with _ when that is typed", function()
    _G.limits_table = {run = print, count = 1, _hidden = print}
    assert.same({"limits_table:run"}, complete "limits_table:")
    assert.same({"limits_table.count", "limits_table.run"}, complete "limits_table.")
    assert.same({"limits_table._hidden"}, complete "limits_table._")
    _G.limits_table = nil
  end)

  it("offers each name once, and what can be typed behind a point", function()
    local index = {run = print, go = print, flag = {deep = 1}}
    _G.limits_table = setmetatable({run = print, ["two words"] = 1, flag = false},
                                   {__index = index})
    assert.same({"limits_table.flag", "limits_table.go", "limits_table.run"},
                complete "limits_table.")
    assert.same({}, complete "limits_table.tw")
    assert.same({}, complete "limits_table.flag.")
    _G.limits_table = nil
  end)
end)

describe("near names", function()
  it("are in the order of the alphabet where they are as near", function()
    local nearest = require "ndbuf.names".nearest
    assert.same({"aab", "aad", "aae"}, nearest("aac", {aaf = 1, aae = 1, aad = 1, aab = 1}))
    assert.same({"aac", "aab"}, nearest("aac", {aab = 1, aac = 1}))
  end)

  it("differ in two letters, or a third of them, whatever their case", function()
    local nearest = require "ndbuf.names".nearest
    assert.same({"abcdyz"}, nearest("abcdef", {abcdyz = 1, abcxyz = 1}))
    assert.same({"abcdefxyz"}, nearest("abcdefghi", {abcdefxyz = 1, abcdewxyz = 1}))
    assert.same({"abs"}, nearest("ABS", {abs = 1}))
    assert.same({"abcdefghi", "abcdefghz", "abcdefgyz"},
                nearest("abcdefghi", {abcdefgyz = 1, abcdefghi = 1, abcdefxyz = 1, abcdefghz = 1}))
  end)
end)

describe("values at the prompt", function()
  it("are listed by whole keys, and have names else", function()
    assert.equal("{10, 20, [0] = 5, [1.5] = 30, [3.5] = 6}",
                 show.value {10, 20, [1.5] = 30, [0] = 5, [3.5] = 6})
  end)

  it("take lines of at most 78 characters", function()
    for length = 1, 40 do
      local t = {}
      for i = 1, 60 do t[i] = ("x"):rep(length) end
      local text, longest = show.value(t), 0
      for line in text:gmatch "[^\n]+" do longest = math.max(longest, #line) end
      assert.truthy(longest <= 80, length .. ": " .. longest)
      local _, shown = text:gsub("x+", "")
      assert.equal(60, shown)
    end
  end)

  local function prompt(typed)
    local lua = os.getenv "LUAJIT" or "luajit"
    local paths = ("LUA_PATH=%s LUA_CPATH=%s "):format(H.quote(package.path),
                                                       H.quote(package.cpath))
    return H.run(paths .. lua .. " -lndbuf.repl <" .. H.quote(H.write(H.path "input", typed)))
  end

  it("are not shown behind a semicolon and blanks", function()
    local _, out = prompt "1;\n2 ; \n3;\t\n4\n"
    assert.equal("4\n", out)
  end)

  it("may follow blanks and a sign of equality", function()
    local _, out = prompt "= 1 + 1\n = 3\n"
    assert.equal("2\n3\n", out)
  end)

  it("are not there where the input ends in the middle", function()
    local status, out, err = prompt "5\nfor i = 1, 2 do\n"
    assert.equal("5\n", out)
    assert.equal(1, status)
    assert.truthy(err:find("'<eof>'", 1, true), err)
  end)
end)
