-- Files whose names are not plain ASCII: every way to a file takes the bytes as they are.
local H = require "spec.helper"
local nd = require "ndbuf"

local names = {
  ["letters of several scripts"] = "prüfung-данные-数据-🙂",
  ["a decomposed letter"] = "u\204\136ber",
  blanks = " two  blanks ",
  ["a line break and a tab"] = "line\nbreak\tand tab",
  ["bytes that are no UTF-8"] = "bad-\255\254\128-\195",
  ["characters of the shell and of patterns"] = "a'b\"c`$HOME;*?[x]%s%d\\n&|",
  ["a leading dash"] = "-rf",
  ["a device's prefix"] = "disk:cpu:0,cuda",
  ["255 bytes"] = ("x"):rep(251), -- with the four of ".npy"
}

-- Path of a file of that name in a folder of the same name, which is made.
local function place(name, extension)
  local folder = H.dir() .. "/" .. name
  assert.equal(0, (H.run("mkdir -- " .. H.quote(folder))))
  return folder .. "/" .. name .. extension
end

local function only_file_in(path)
  local folder = path:match "^(.*)/"
  local _, count = H.run("find " .. H.quote(folder) .. " -mindepth 1 -printf x")
  assert.equal("x", count)
end

for what, name in pairs(names) do
  describe("a path with " .. what, function()
    it("saves, loads and maps each format", function()
      local values = {
        [".npy"] = nd.arange(1, 6, 1, "f32"):reshape(2, 3),
        [".pgm"] = nd.arange(1, 6, 1, "u8"):reshape(2, 3),
        [".pfm"] = nd.arange(1, 6, 1, "f32"):reshape(2, 3),
        [".wav"] = nd.arange(1, 6, 1, "i16"):reshape(3, 2),
      }
      for extension, a in pairs(values) do
        local path = place(name, extension)
        nd.save(path, a)
        nd.save(path, a) -- over itself
        only_file_in(path)
        local loaded, mapped = nd.load(path), nd.load(path, {mmap = true})
        assert.is_true(a:equal(loaded) and a:equal(mapped))
        assert.equal("disk:" .. path, mapped.device)
      end
    end)

    it("maps, makes and changes files", function()
      local path = place(name, ".bin")
      local made = nd.zeros({4}, "u16", "disk:" .. path)
      assert.equal("disk:" .. path, made.device)
      made[2] = 258
      only_file_in(path)
      assert.equal("\0\0\2\1\0\0\0\0", H.read(path))
      nd.mmap(path, "u8", {mode = "r+"})[8] = 7
      assert.equal(7 * 256, made[4])
      local rec = nd.records(nd.mmap(path), {{"a", "u8"}, {"b", "u8"}})
      assert.are.same({0, 1, 0, 7}, rec.b:totable())
      assert.equal("disk:" .. path, nd.device("disk:" .. path).name)
      H.raises_like("io", "File exists", nd.zeros, {4}, "u16", "disk:" .. path)
    end)

    it("is whole in error objects", function()
      local path = place(name, ".npy")
      local e = H.raises("io", nd.load, path)
      assert.is_truthy(e.message:find(path, 1, true), e.message)
      assert.equal(path:sub(1, 255), e.path)
      H.write(path, "no array")
      e = H.raises("format", nd.load, path)
      assert.is_truthy(e.message:find(path:sub(-200), 1, true), e.message)
      e = H.raises("out_of_bounds", nd.mmap, path, "u8", {9})
      assert.is_truthy(e.message:find(path, 1, true), e.message)
      assert.is_truthy(tostring(e):find(path, 1, true))
      e = H.raises("io", nd.save, path .. "/x.npy", nd.zeros(1))
      assert.is_truthy(e.message:find(path .. "/x.npy", 1, true), e.message)
    end)
  end)
end

describe("a path with a NUL byte", function()
  it("is refused before anything is opened", function()
    local path = H.path "short"
    H.raises_like("invalid_argument", "a NUL byte", nd.save, path .. "\0.npy", nd.zeros(1))
    H.raises_like("invalid_argument", "a NUL byte", nd.load, path .. "\0.npy")
    H.raises_like("invalid_argument", "a NUL byte", nd.mmap, path .. "\0")
    H.raises("invalid_argument", nd.zeros, {1}, "u8", "disk:" .. path .. "\0x")
    assert.is_false(H.exists(path))
  end)
end)

describe("a file that another process replaces all the time", function()
  -- By a rename, as nd.save does it: who has opened one of the two has that one to its end.
  it("is loaded and mapped as one of the two, in every format", function()
    local pairs_of = {
      [".npy"] = {nd.arange(1, 6000, 1, "f32"):reshape(60, 100), nd.full({500}, 7, "i64")},
      [".pgm"] = {nd.full({60, 100}, 3, "u8"), nd.full({9, 5}, 4, "u8")},
      [".pfm"] = {nd.arange(1, 6000, 1, "f32"):reshape(60, 100), nd.full({2, 7, 3}, 2, "f32")},
      [".wav"] = {nd.full({3000, 2}, 9, "i16"), nd.full({10, 1}, 5, "i16")},
    }
    for extension, two in pairs(pairs_of) do
      local folder = H.dir()
      local path = folder .. "/x" .. extension
      for i = 1, 2 do nd.save(folder .. "/" .. i .. extension, two[i]) end
      nd.save(path, two[1])
      local loop = "cd %s; while [ -e 1%s ]; do for i in 1 2; do cp $i%s n; mv n x%s; done; done &"
      H.run(loop:format(H.quote(folder), extension, extension, extension))
      local seen, loads = {0, 0}, 0
      while seen[1] < 50 or seen[2] < 50 do
        loads = loads + 1
        local a = nd.load(path, {mmap = loads % 4 == 0})
        local which = a.shape[1] == two[1].shape[1] and 1 or 2
        assert.is_true(a:equal(two[which]), extension)
        seen[which] = seen[which] + 1
        assert.is_true(loads < 1e6, "it is not replaced")
      end
      os.remove(folder .. "/1" .. extension) -- ends the loop
    end
  end)
end)
