-- The module's functions that work on files, as rows for spec/faults/files.lua.
local nd = require "ndbuf"

-- Each row: name; make(path), what has to be there before; call(path), which returns what it read
-- as text, and frees what it made.
local rows = {}

local function add(name, make, call)
  rows[#rows + 1] = {name = name, make = make, call = call, path = name:match "%S+$"}
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

-- Of an array, or of a table of them by name, which may have one mapping.
local function text_of(all)
  if type(all) ~= "table" then all = {all} end
  local texts = {}
  for name, a in pairs(all) do texts[#texts + 1] = name .. a:copyout() end
  for _, a in pairs(all) do a:free() end
  table.sort(texts)
  return table.concat(texts)
end

-- ---- reading ----

local function npy(descr, shape, data)
  local text = ("{'descr': '%s', 'fortran_order': False, 'shape': %s}\n"):format(descr, shape)
  return "\147NUMPY\1\0" .. string.char(#text, 0) .. text .. data
end

local saved = {
  ["a.npy"] = function() return nd.arange(1, 4000) end,
  ["a.pgm"] = function() return nd.arange(1, 24, 1, "u16"):reshape(4, 6) end,
  ["a.ppm"] = function() return nd.arange(1, 24, 1, "u8"):reshape(2, 4, 3) end,
  ["a.pfm"] = function() return nd.arange(1, 24, 1, "f32"):reshape(4, 6) end,
  ["a.wav"] = function() return nd.arange(1, 24, 1, "i16"):reshape(12, 2) end,
  ["a.npz"] = function() return {a = nd.arange(1, 4000), b = nd.ones({2, 3}, "i16").T} end,
  ["a.safetensors"] = function() return {a = nd.arange(1, 4000), b = nd.ones({2, 3}, "i16").T} end,
  ["a.png"] = function() return nd.arange(1, 24, 1, "u16"):reshape(4, 6) end,
  ["a.jpg"] = function() return nd.arange(1, 24, 1, "u8"):reshape(4, 6) end,
}
local converted = {["a.pgm"] = true, ["a.png"] = true, ["a.jpg"] = true}


-- What our savers do not write.
local foreign = {
  ["swapped.npy"] = npy(">i2", "(2, 3)", "abcdefghijkl"),
  ["plain.pgm"] = "P2\n3 2\n15\n0 1 2 3 4 15\n",
  ["24-bit.wav"] = "RIFF\48\0\0\0WAVEfmt \16\0\0\0\1\0\1\0\68\172\0\0\204\4\2\0\3\0\24\0"
    .. "data\12\0\0\0abcdefghijkl",
}

for name, make in pairs(saved) do
  local function save(path) nd.save(path, make()) end
  add("load " .. name, save, function(path) return text_of((nd.load(path))) end)
  if not converted[name] then
    add("load mapped " .. name, save,
      function(path) return text_of((nd.load(path, {mmap = true}))) end)
  end
end
for name, text in pairs(foreign) do
  add("load " .. name, function(path) write(path, text) end,
    function(path) return text_of((nd.load(path))) end)
end

for _, mode in ipairs {"r", "r+", "c"} do
  add("mmap " .. mode .. " m.bin", function(path) write(path, ("12345678"):rep(1000)) end,
    function(path)
      return text_of(nd.mmap(path, "f64", {990}, {mode = mode, offset = 48, advice = "willneed"}))
    end)
end
add("mmap nothing.bin", function(path) write(path, "") end,
  function(path) return text_of(nd.mmap(path)) end)

-- ---- writing ----

local function old(path) write(path, "what was there before") end
local function none() end

local function add_writer(name, call)
  add("new " .. name, none, call)
  add("over " .. name, old, call)
end

for name, make in pairs(saved) do
  add_writer(name, function(path) nd.save(path, make()) end)
end
add_writer("odd.wav", function(path) nd.save(path, nd.arange(1, 3, 1, "u8")) end)
-- gathered through a buffer, in several pieces
add_writer("turned.npy", function(path)
  nd.save(path, nd.zeros({3, 700, 1000}, "u8"):permute(2, 3, 1):narrow(3, 1, 2))
end)

add("new full.bin", none, function(path)
  nd.full({5, 3}, 7, "i16", "disk:" .. path):free()
end)
add("new none.bin", none, function(path)
  nd.zeros({0, 3}, "f64", "disk:" .. path):free()
end)
add("over full.bin", old, function(path)
  nd.full({5, 3}, 7, "i16", {device = "disk:" .. path, overwrite = true}):free()
end)
add("over range.bin", old, function(path)
  nd.arange(1, 600, 1, "f64", {device = "disk:" .. path, overwrite = true}):free()
end)

table.sort(rows, function(a, b) return a.name < b.name end)
return rows
