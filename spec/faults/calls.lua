-- Calls that the rows of spec/bind/badinput_rows.lua do not make, for spec/faults/faults.lua: each
-- kind of key and value, files of each format, the first use of lazy memory, scopes, finalizers.

local faults = faults -- luacheck: globals faults

local function add_keys(nd, add)
  local function matrix() return nd.array({{1, 2, 3}, {4, 5, 6}}, "i64") end
  local keys = {
    negative = -1, slice = "2:1:-1", several = "1,2:3", new = "_", all = "...",
    table = {{1, 2}, -1}, ranges = {{}, {3, 1, -1}},
    mask = function() return nd.array({{true, false, true}, {false, true, false}}, "bool") end,
    rows = function() return nd.array({2, 1}, "i16") end,
    pairs = function() return {nd.array({2, 1}, "i16"), nd.array({-1, 1}, "i64")} end,
    ["mask of rows"] = function() return {nd.bool {true, false}, {2, 3}} end,
    name = "shape", method = "fill", ["wrong name"] = "shpae", ["too far"] = 7,
  }
  for name, key in pairs(keys) do
    local function make()
      if type(key) == "function" then return matrix(), key() end
      return matrix(), key
    end
    add("a[" .. name .. "]", make, function(a, k) return a[k] end)
    add("a(" .. name .. ")", make, function(a, k) return a(k) end)
    local function assign(a, k, v) a[k] = v end
    for kind, value in pairs {number = 7, table = {7}, cdata = 7LL, array = nd.ones(1)} do
      add(("a[%s] = %s"):format(name, kind), function()
        local a, k = make()
        return a, k, value
      end, assign)
    end
  end
  add("a[i] = row", function() return matrix(), {7, 8, 9} end, function(a, row) a[2] = row end)
  add("a(i, j)", matrix, function(a) return a(1, 2), a(2, -1), a:get(2, "1:2") end)
  add("a:set", matrix, function(a) return a:set(1, {2, 3}, {7, 8}) end)
  add("a:put array", matrix, function(a) return a:put(nd.array({2}, "u8"), a[1]) end)
  add("a:take into", matrix, function(a) return a:take({2}, {out = nd.zeros(1, 3)}) end)
  add("a:scatter_add", matrix, function(a) return a:scatter_add(2, {{1}, {3}}, a":,1:1") end)
  add("a:take by a mask into", matrix, function(a)
    return a:take(nd.array({true, false, true}, "bool"), 2, {out = nd.zeros(2, 2)})
  end)
  add("tables as operands", matrix, function(a)
    return a + {1, 2, 3}, {1, 2, 3} * a, a:clamp({1, 2, 3}, {4, 5, 6}), nd.where({1, 0, 1}, a, 0),
      nd.exp {1, 2}, nd.sum {1, 2}, nd.sort {2, 1}, nd.bincount {1, 2}, nd.cumsum {1, 2},
      nd.gather({1, 2}, 1, {2}), nd.f64 {2, 1}:searchsorted({1}, {sorter = {2, 1}}),
      nd.outer({1, 2}, 2)
  end)
  add("out", matrix, function(a)
    local out = nd.zeros({2, 3}, "i64")
    return a:scatter(2, {{1}, {3}}, 0, {out = out}), a:tile(1, {out = out}), a:tril(0, {out = out}),
      nd.concat({a[1], {1}}, {out = nd.zeros(4)}), a:isin(2, {out = out}),
      a:histogram {bins = 2, out = nd.zeros(2)}
  end)
  add("out is what is read", matrix, function(a) return a:scatter(2, {{1}, {3}}, 0, {out = a}) end)
  add("a[overlapping]", matrix, function(a) a["1,:"] = a[1]:flip() end)
  add("windows", function() return nd.arange(5) end, function(a)
    a:unfold(1, 2, 1)[1] = 0
  end)
  add("a:reshape a copy", matrix, function(a) return a.T:reshape({6}, {copy = true}) end)
  add("a:split count", matrix, function(a) return a:split(2, 2) end)
  add("a:fill and back", matrix, function(a) return a:fill(3):astype "f32":totable() end,
    true)
  add("a:copy_from table", matrix, function(a) return a:copy_from({1, 2, 3}, {mode = "check"}) end)
end

local function add_linalg(nd, add)
  local function matrix() return nd.array({{1, 2, 3}, {4, 5, 6}}, "i64") end
  add("products", matrix, function(a)
    local wide = a:astype "f64"
    local out = nd.zeros(2, 2)"::-1"
    return a:matmul(a.T), wide:matmul(wide.T, {out = out}), a:astype "f16":dot(a.T:astype "f16"),
      a:kron(a), a:tensordot(a), nd.einsum("ij,kj,k->i", a, a, nd.i64 {1, 2}), wide:norm(2, 1),
      nd.cov(a)
  end, true)
  add("factorisations", matrix, function(a)
    local m = a:matmul(a.T)
    return m:solve(a), m:inv {out = nd.zeros({2, 2}, "f32")}, m:det(), m:slogdet(), a:lu(), a:qr(),
      a:svd(), m:eigh(), m:eig(), m:lstsq(a), a:pinv(), m:cond(1), m:expm(), m:matrix_power(-2)
  end, true)
  add("large products", function() return nd.ones(40, 300), nd.ones({2, 70000}, "f32") end,
    function(a, b) return a:matmul(a.T), a:flip(1, 2):matmul(a.T), b:matmul(b[1]) end, true)
  add("transforms", matrix, function(a)
    return nd.fft.fft(a, 67), nd.fft.rfftn(a.T, {8, 6}), nd.fft.irfft2(a, {4, 5}),
      nd.fft.fft(a, nil, 1, {out = nd.zeros({2, 3}, "c64")}), nd.fft.ifft2(a:astype "f16")
  end, true)
  add("convolutions", function() return nd.ones(9000), nd.ones({300}, "c64"), nd.ones(400) end,
    function(a, b, c)
      return a:convolve(c), b:correlate(a"::2"), a:astype "f16":convolve({1, 2}),
        a:astype "i8":correlate(nd.i8 {1, 2}, {out = nd.zeros(8999)})
    end, true)
end

local function add_operations(nd, add)
  local function matrix() return nd.array({{1, 2, 3}, {4, 5, 6}}, "i64") end
  add("a:sum into", matrix, function(a) return a:sum {axis = 2, out = nd.zeros(2)} end, true)
  add("a:std into", matrix, function(a)
    return a:std {axis = 1, keepdims = true, out = nd.zeros({1, 3}, "f16")}
  end, true)
  add("totals in a dtype", matrix, function(a)
    return a:sum {axis = 1, dtype = "f32"}, a:prod {dtype = "c64"}, a:gt(2):cumsum {dtype = "i8"},
      a:cumprod(1, {dtype = "f32", out = nd.zeros(2, 3)})
  end, true)
  add("a:sum of much", function() return nd.ones({3, 3e5}, "u8") end, function(a)
    return a:sum {axis = 2}, a:mean(), a:argmax {axis = 1}
  end, true)
  add("a + b", matrix, function(a) return (a + 2) * a[1] - -a end, true)
  add("nd.add out", matrix, function(a)
    return nd.add(a, 2, {out = nd.zeros({2, 3}, "bf16")})
  end, true)
  add("a:sqrt", matrix, function(a) return a:astype "f16":sqrt() end, true)
  add("a division by nothing", matrix, function(a) return a:idiv(a - 1) end)
  add("nd.where", matrix, function(a) return nd.where(a:gt(2), a, 0) end, true)
  add("comparisons of what no dtype holds", matrix, function(a)
    local bytes, wide = a:astype "u8", a:astype "i64"
    return bytes:lt(300), bytes:eq(0.5), bytes:clamp(-1, 300), wide:lt(a), nd.allclose(wide, a),
      nd.where(a:astype "c64")
  end, true)
  add("a:sort in order", matrix, function(a) return a:sort(1), a:argsort {descending = true} end,
    true)
  add("order statistics", matrix, function(a)
    local values = a:topk(2, {axis = 1, sorted = false})
    return a:median(1), a:quantile({0, 0.5}, 2), a:partition {1, -1}, a:argpartition(1, 1), values,
      a:mode(1), a:sort {out = nd.zeros({2, 3}, "i8")}, a:to "f32":nanmean(2)
  end, true)
  -- below 1 MiB: larger blocks are mapped with room that is unmapped again
  add("order statistics of much", function() return nd.arange(1e5) end, function(a)
    local values, positions = a:topk(100)
    return values, positions, a:median(), a:mode(), a:partition(9e4):gt(0), a:percentile {5, 95}
  end, true)
  add("scans", matrix, function(a)
    return a:cumsum(1), a.T:cumprod(), a:cummax {out = nd.zeros({a.size}, "i8")}
  end, true)
  add("slopes and differences", matrix, function(a)
    return a:gradient {axis = 2, spacing = nd.array {0, 1, 3}}, a:diff {prepend = 0, append = a}
  end)
  add("a:take much", function() return nd.ones(1e5), nd.zeros({1e5}, "i64") + 7 end, function(a, i)
    return a:take(i):gt(0), a[a:lt(2)]
  end, true)
  add("a:to another dtype", matrix, function(a) return a:to "c64" end)
  add("a:copyout string", matrix, function(a) return a:copyout() end)
  add("nd_push_array", matrix, faults.push)
  add("a:iter", matrix, function(a)
    local list = {}
    for i, row in a:iter() do list[i] = row end
    return list
  end)
  add("a:rows", matrix, function(a)
    local sum = 0
    for _, row in a:rows() do sum = sum + row[1] end
    for _, column in a:rows(2) do sum = sum + column:sum() end
    return sum
  end)
end

local function add_values(nd, ffi, add)
  local function nothing() end
  local function nothing_cached()
    collectgarbage()
    nd.memory.trim()
  end
  local numbers = {}
  for i = 1, 50 do numbers[i] = i end
  add("nd.array of numbers", nothing, function() return nd.array(numbers, "f32") end)
  add("nd.array of 64 bits", nothing, function() return nd.array({{1LL, 2ULL}, {3, 4}}, "i64") end)
  add("nd.array ragged", nothing, function() return nd.array {{1, 2}, {3}} end)
  add("nd.array of cdata", nothing, function() return nd.array(ffi.new("int[2][3]", {{5}})) end)
  add("nd.array of cdata, converted", nothing, function()
    return nd.array(ffi.new("float[?]", 3, 1), "u8")
  end)
  add("nd.array of an array", nothing, function() return nd.array(nd.ones(3), "i8") end)
  add("nd.array of a number", nothing, function() return nd.array(5, "cpu") end)
  add("nd.f16 {…}", nothing, function() return nd.f16 {1, 2, 3} end)
  add("nd.f32.name", nothing, function() return nd.f32.name, nd.f32.kind end)
  add("large", nothing_cached, function() return nd.zeros(3e5)[3e5] end)
  add("large, not zeroed", nothing_cached, function() return nd.full({3e5}, 2)[3e5] end)
  add("print", function() return nd.ones(30, 40) end, tostring)
  add("print cdata", function() return nd.ones({3}, "c128") end, tostring)
  add("nd.arange not whole", nothing, function() return nd.arange(0, 1, 0.25) end)
  add("nd.records fields", function() return nd.zeros(40, "u8") end, function(bytes)
    local r = nd.records(bytes, {{"a", "u16"}, {"b", "f32be"}}, {offset = 1, stride = 8, count = 3})
    return r.a, r.b
  end)
  add("tostring(nd.info())", nothing, function() return tostring(nd.info()) end)
  add("a wrong argument", nothing, function() return nd.zeros(-1) end)
  add("an unknown dtype", nothing, function() return nd.zeros(1, "f31") end)
end

local function add_lazy(nd, add)
  local function lazy() return nd.empty({2, 3}, "i32", {lazy = true}) end
  for name, use in pairs {
    allocate = function(a) return a:allocate().is_allocated end,
    fill = function(a) return a:fill(1) end,
    ["a[i] = v"] = function(a) a["1:2"] = 4 return a end,
    ["a(i, j) = v"] = function(a) a:set(1, 1, 4) end,
    copy_from = function(a) return a:copy_from(nd.ones(3)) end,
    copyin = function(a) return a:copyin(("x"):rep(24)) end,
    ["a view's use"] = function(a) return a[2]:fill(1) end,
    free = function(a) a:free() end,
  } do add("the first use: " .. name, lazy, use) end
  add("the first use as source", lazy, function(a) return #a:clone() end, true)
end

local function add_files(nd, dir, add)
  local function path(name) return dir .. "/" .. name end
  local sources = {
    ["a.npy"] = nd.ones(3, 4), ["swapped.npy"] = nd.ones(4, 3).T, ["a.pgm"] = nd.ones({3, 4}, "u8"),
    ["a.ppm"] = nd.ones({3, 4, 3}, "u8"), ["a.wav"] = nd.ones({5, 2}, "i16"),
    ["f.wav"] = nd.ones({5}, "f32"), ["view.wav"] = nd.ones({2, 5}, "i16").T,
    ["deep.pgm"] = nd.ones({3, 4}, "u16"), ["a.pfm"] = nd.ones({3, 4}, "f32"),
    ["a.npz"] = {a = nd.ones(3, 4), b = nd.ones({2, 3}, "bool").T},
    ["a.safetensors"] = {a = nd.ones(3, 4), b = nd.ones({2, 3}, "bf16").T},
    ["a.png"] = nd.ones({30, 40}, "u8"), ["deep.png"] = nd.ones({4, 3, 3}, "u16"),
    ["view.png"] = nd.ones({4, 3}, "u8").T, ["a.jpg"] = nd.ones({30, 40, 3}, "u8"),
    ["view.jpg"] = nd.ones({4, 3}, "u8").T,
  }
  for name, source in pairs(sources) do
    local function make() return path(name), source end
    nd.save(path(name), source)
    add("save over " .. name, make, nd.save)
    add("save " .. name, function()
      os.remove(path("new-" .. name))
      return path("new-" .. name), source
    end, nd.save)
    add("load " .. name, make, function(file) return nd.load(file) end)
    add("load mapped " .. name, make, function(file) return nd.load(file, {mmap = true}) end)
    add("load a dtype " .. name, make, function(file) return nd.mmap(file, {mode = "r+"})[1] end)
  end
  for from, name in pairs {["npz/01"] = "packed.npz", ["images/04"] = "palette.png",
      ["images/09"] = "progressive.jpg"} do -- such as we do not write
    local source, file = io.open("spec/fuzz/corpus/" .. from, "rb"), io.open(path(name), "wb")
    file:write((source:read "*a"))
    file:close()
    source:close()
    nd.load(path(name))
    add("load " .. name, function() return path(name) end, function(of) return nd.load(of) end)
  end
  -- an archive with a long comment, whose length are its last two bytes without one
  local plain, commented = io.open(path "a.npz", "rb"), io.open(path "commented.npz", "wb")
  commented:write(plain:read("*a"):sub(1, -3), "\208\7", ("c"):rep(2000))
  commented:close()
  plain:close()
  add("load commented.npz", function() return path "commented.npz" end, function(of)
    return nd.load(of)
  end)
  add("load nothing", function() return path "none.npy" end, nd.load)
  add("mmap too much", function() return path "a.npy", "f64", {1e6} end, nd.mmap)
  local function place()
    os.remove(path "disk")
    return "disk:" .. path "disk"
  end
  add("zeros on disk", place, function(device) return nd.zeros(3, 4, device) end)
  add("to disk", function() return nd.ones(3), place() end, function(a, device)
    return a:to(device):to "cpu"
  end)
  add("to disk, overwritten", function() return nd.ones(3), "disk:" .. path "over" end,
    function(a, device) return a:to(device, {overwrite = true}) end)
  add("device on disk", place, function(device) return tostring(nd.device(device)) end)
end

local function add_lifetimes(nd, ffi, add)
  local function nothing() end
  add("wrap without owner", nothing, function() return nd.wrap(ffi.new "int[4]", "i32", 4) end)
  add("wrap many", nothing, function()
    local list = {}
    for i = 1, 6 do
      local memory = ffi.new "int[4]"
      list[i] = nd.wrap(memory, "i32", {4}, {owner = {memory, i}})
    end
    return list
  end)
  add("release owners", nothing, function()
    for _ = 1, 6 do nd.wrap(ffi.new "int[4]", "i32", 4) end
    collectgarbage()
    return nd.wrap(ffi.new "int[4]", "i32", 4)
  end)
  add("collect garbage", nothing, function()
    for _ = 1, 5 do nd.ones(4):T() end
  end)
  add("collect between", nothing, function()
    local kept = nd.ones(3)
    for _ = 1, 3 do
      local _, _ = nd.ones(4)[2], kept[1]
      collectgarbage()
    end
    return kept
  end)
  add("a finalizer that calls", nothing, function()
    for _ = 1, 3 do
      local proxy = newproxy(true)
      getmetatable(proxy).__gc = function() pcall(nd.ones, 3) end
    end
    collectgarbage()
    return nd.ones(2)
  end)
  add("scope", nothing, function()
    return nd.scope(function()
      local a, b = nd.ones(3), nd.zeros(4)
      return {a[1], a, {b}}, nd.ones(2)
    end)
  end)
  add("scopes", nothing, function()
    return nd.scope(function()
      return nd.scope(function(n) return nd.ones(n):clone(), nd.ones(n) end, 3), nd.ones(2)
    end)
  end)
  add("scope that fails", nothing, function()
    return nd.scope(function() return nd.ones(3) + 1 end)
  end)
  add("coroutine", nothing, function()
    return coroutine.wrap(function() return nd.ones(3)[2], nd.arange(3) end)()
  end)
  add("loop", function() return nd.zeros(60) end, function(a)
    local sum = 0
    for i = 1, #a do
      a[i] = i
      sum = sum + a[i]
    end
    return sum
  end, true)
  add("loop over 64 bits", function() return nd.zeros({60}, "i64") end, function(a)
    for i = 2, #a do a[i] = a[i - 1] + i end
    return a[#a]
  end, true)
  add("loop over views", function() return nd.ones(40, 2) end, function(a)
    local sum = 0
    for i = 1, #a do sum = sum + a[i]:clone()[1] end
    return sum
  end, true)
end

return function(nd, ffi, dir, add_call)
  local function add(name, make, fn, may_change)
    add_call {name = name, make = make, fn = fn, may_change = may_change}
  end
  add_keys(nd, add)
  add_operations(nd, add)
  add_linalg(nd, add)
  add_values(nd, ffi, add)
  add_lazy(nd, add)
  add_files(nd, dir, add)
  add_lifetimes(nd, ffi, add)
end
