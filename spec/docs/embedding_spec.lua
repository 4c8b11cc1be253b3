-- The C programs of docs/embedding.md: compiled as it says, they print what it shows.
local H = require "spec.helper"

local cc = os.getenv "CC" or "cc"
local flags = "-std=gnu11 -Wall -Wextra -Werror -Isrc"
if H.is_sanitized then flags = flags .. " -fsanitize=address,undefined" end

-- {program, output} for each block marked c and the block marked text after it.
local function programs()
  local list, kind, lines = {}, nil, nil
  for line in io.lines "docs/embedding.md" do
    local fence = line:match "^```(.*)$"
    if fence and kind then
      local text = table.concat(lines, "\n") .. "\n"
      if kind == "c" then list[#list + 1] = {text} end
      if kind == "text" then list[#list][2] = text end
      kind = nil
    elseif fence then
      kind, lines = fence, {}
    elseif kind then
      lines[#lines + 1] = line
    end
  end
  return list
end

local luajit_flags -- of the compiler; false: there are none
local function find_luajit()
  if luajit_flags == nil then
    local status, out = H.run "pkg-config --cflags --libs luajit"
    luajit_flags = status == 0 and out:gsub("%s+", " ")
  end
  return luajit_flags
end

local function compile(text)
  local libraries = H.quote(H.build .. "/libndbuf.a")
  if text:find "lua_State" then
    if not find_luajit() then pending "pkg-config does not know luajit" end
    libraries = libraries .. " " .. find_luajit()
  end
  local source, program = H.write(H.path "prog.c", text), H.path "prog"
  local status, _, err = H.run(("env -u LD_PRELOAD %s %s %s %s -lm -lpthread -o %s")
    :format(cc, flags, source, libraries, program))
  assert.equal(0, status, err)
  return program
end

-- Run it in a folder of its own; what it prints, both streams in order.
local function run(program)
  local folder = H.dir()
  local status, out = H.run(([[
module=$(readlink -f %s)
export LUA_PATH="$PWD/lua/?.lua;$PWD/lua/?/init.lua" LUA_CPATH="$module/?.so"
export NDBUF_CUDA=1 NDBUF_CUDA_DRIVER="$module/cudasim/libcuda.so.1" CUSIM_MODE=lazy
cd %s && env -u LD_PRELOAD %s 2>&1]]):format(H.quote(H.build), folder, program))
  return status, out, folder
end

describe("docs/embedding.md", function()
  local list = programs()

  it("has six programs with their output", function()
    assert.equal(6, #list)
    for _, entry in ipairs(list) do assert.truthy(entry[2] and entry[2] ~= "") end
  end)

  for i, entry in ipairs(list) do
    local headline = entry[1]:match "\n(static [^\n]+)" or "main"
    it(("program %d (%s) prints what is shown"):format(i, headline), function()
      local status, out, folder = run(compile(entry[1]))
      assert.equal(entry[2], out)
      assert.equal(0, status)
      if i == 1 then
        assert.equal("float32 (3, 4) 198.5\n", H.python([[
import sys, numpy as np
a = np.load(sys.argv[1])
print(a.dtype, a.shape, a[2, 0])
]], folder .. "/a.npy"))
      end
    end)
  end

  it("says so where a program's own module was not opened", function()
    local text, changed = list[5][1]:gsub('"ndbuf.core"', '"elsewhere"')
    assert.equal(1, changed)
    local status, out = run(compile(text)) -- require finds core.so, another copy of the core
    assert.equal(1, status)
    assert.truthy(out:find("ndbuf: this program's luaopen_ndbuf_core was not called", 1, true), out)
  end)

  it("gives a script's error back, and an ABI that is not its own", function()
    local text, changed = list[5][1]:gsub("2:3, 2:3", "2:3, 2:9")
    assert.equal(1, changed)
    local status, out = run(compile(text))
    assert.equal(1, status)
    assert.truthy(out:find("ndbuf: index 9 is out of range for axis 2 of size 4", 1, true), out)
    assert.truthy(out:find "12 elements\n$", out)
    text, changed = list[5][1]:gsub("image, ND_ABI", "image, ND_ABI + 1")
    assert.equal(1, changed)
    status, out = run(compile(text))
    assert.equal(1, status)
    assert.truthy(out:find "ndbuf: built for ABI %d+, this module has %d+", out)
  end)

  it("gives a host that takes strings only the text, where tostring is the handler", function()
    local function swap(text, from, to)
      local first, last = text:find(from, 1, true)
      return text:sub(1, first - 1) .. to .. text:sub(last + 1)
    end
    local shown = "lua_tostring(L, -1)"
    local text = swap(list[5][1], "2:3, 2:3", "2:3, 2:9")
    text = swap(text, [[lua_getglobal(L, "tostring");]], "")
    text = swap(text, "lua_insert(L, -2);\n    lua_call(L, 1, 1);", "")
    text = swap(text, shown, shown .. " ? " .. shown .. [[ : "nothing"]])
    local status, out = run(compile(text))
    assert.equal(1, status)
    assert.truthy(out:find "^nothing\n", out)
    text = swap(text, "image['2:3, 2:9'] = 300",
      "assert(xpcall(function() image['2:3, 2:9'] = 300 end, tostring))")
    status, out = run(compile(text))
    assert.equal(1, status)
    assert.truthy(out:find("ndbuf: index 9 is out of range for axis 2 of size 4", 1, true), out)
  end)

  it("links no Lua into a program that has none", function()
    local _, symbols = H.run("nm " .. compile(list[1][1]))
    assert.truthy(symbols:find "nd_save")
    assert.is_nil(symbols:find "lua")
  end)
end)
