-- Parts of mapped files: where a mapping begins and ends, and two that overlap.
local H = require "spec.helper"
local nd = require "ndbuf"

describe("a mapping of a part of a file", function()
  it("that overlaps another by any window of the file is copied as if it had been read first",
    function()
      local rng = H.rng "windows"
      local path = H.path "windows"
      local text = H.write(path, nd.arange(0, 199, 1, "u8"):copyout()) and H.read(path)
      local seen = {}
      for _ = 1, math.max(200, H.cases(400)) do -- so that each kind of overlap comes
        H.write(path, text)
        local n, to, from = rng(1, 60), rng(0, 140), rng(0, 140)
        -- where each mapping begins, before its window or with it, decides nothing
        local first_to, first_from = rng(0, to), rng(0, from)
        local a = nd.mmap(path, "u8", {200 - first_to}, {offset = first_to, mode = "r+"})
        local b = nd.mmap(path, "u8", {200 - first_from},
          {offset = first_from, mode = rng(2) == 1 and "r" or "r+"})
        local into = a:narrow(1, to - first_to + 1, n)
        local source = b:narrow(1, from - first_from + 1, n)
        local moved = text:sub(from + 1, from + n)
        if rng(2) == 1 then source, moved = source:flip(), moved:reverse() end
        into:copy_from(source)
        local what = ("%d B from %d (map at %d) to %d (map at %d)"):format(n, from, first_from, to,
          first_to)
        local wanted = text:sub(1, to) .. moved .. text:sub(to + n + 1)
        assert.is_true(H.read(path) == wanted, what)
        if math.abs(to - from) < n then
          seen[("%s %s"):format(to > from, first_to > first_from)] = true
        end
      end
      for _, case in ipairs {"true true", "true false", "false true", "false false"} do
        assert.is_true(seen[case], case)
      end
    end)

  it("needs its last page, wherever it begins", function()
    local rng, bytes = H.rng "pages", {}
    for i = 1, 300000 do bytes[i] = string.char((i * i + i / 256) % 256) end
    local text = table.concat(bytes)
    local path = H.write(H.path "pages.bin", text)
    local page = 4096
    local function check(offset, size)
      local what = ("%d B from %d"):format(size, offset)
      local wanted = text:sub(offset + 1, offset + size)
      for _, mode in ipairs {"r", "r+", "c"} do
        local a = nd.mmap(path, "u8", {size}, {offset = offset, mode = mode})
        assert.is_true(a:copyout() == wanted, what)
        assert.are.equal(wanted:byte(-1), a[size], what)
        if mode ~= "r" then
          a[size] = wanted:byte(-1)
          a:narrow(1, size, 1):fill(wanted:byte(-1))
        end
      end
    end
    for _, offset in ipairs {1, page - 1, page, page + 1, 3 * page - 1} do
      for _, size in ipairs {1, 2, page - 1, page, page + 1, 2 * page, 2 * page + 1} do
        check(offset, size)
      end
    end
    for _ = 1, H.cases(100) do
      local offset = rng(0, #text - 1)
      check(offset, rng(1, #text - offset))
    end
    check(12345, #text - 12345)
  end)
end)
