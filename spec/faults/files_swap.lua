-- Lets another file take the name of each file that a reader has just opened: what comes is all of
-- the first one. Runs with the library of files_preload.c before all others:
-- luajit files_swap.lua FOLDER
local ffi = require "ffi"
local nd = require "ndbuf"

ffi.cdef [[
  void files_swap_arm(const char *from, const char *to);
  bool files_swap_is_done(void);
]]

local folder = assert(arg[1]) .. "/"

-- Two arrays by extension; the header of one says something false of the other.
local arrays = {
  npy = {nd.arange(1, 12, 1, "i16"):reshape(3, 4), nd.linspace(0, 1, 6, "f32"):reshape(2, 3)},
  pgm = {nd.arange(1, 12, 1, "u8"):reshape(3, 4), nd.arange(1, 6, 1, "u16"):reshape(2, 3)},
  ppm = {nd.arange(1, 12, 1, "u8"):reshape(2, 2, 3), nd.arange(1, 6, 1, "u16"):reshape(1, 2, 3)},
  wav = {nd.arange(1, 12, 1, "i16"):reshape(6, 2), nd.linspace(0, 1, 6, "f32"):reshape(6, 1)},
}

local readers = 0

-- What 'read' makes of a file that is replaced once it was opened must be 'wanted'.
local function check(what, path, other, wanted, read)
  ffi.C.files_swap_arm(other, path)
  local got = read(path)
  assert(ffi.C.files_swap_is_done(), what .. ": the file was not replaced")
  assert(got.dtype == wanted.dtype and table.concat(got.shape, " ") ==
    table.concat(wanted.shape, " "), what .. ": " .. tostring(got))
  assert(got:equal(wanted), what .. ": " .. tostring(got))
  readers = readers + 1
end

for extension, pair in pairs(arrays) do
  for _, opts in ipairs {{mmap = true}, {}} do
    local path, other = folder .. "a." .. extension, folder .. "b." .. extension
    nd.save(path, pair[1])
    nd.save(other, pair[2])
    check(extension .. (opts.mmap and " mapped" or ""), path, other, pair[1], function()
      return (nd.load(path, opts))
    end)
  end
end

-- Raw files: their size is what is read of them.
local function write(name, text)
  local file = assert(io.open(folder .. name, "wb"))
  file:write(text)
  file:close()
  return folder .. name
end

for _, mode in ipairs {"r", "r+", "c"} do
  local path, other = write("a.bin", "abcdef"), write("b.bin", "xyz")
  check("nd.mmap " .. mode, path, other, nd.frombytes "abcdef", function()
    return nd.mmap(path, "u8", {mode = mode})
  end)
end

print(readers .. " readers")
