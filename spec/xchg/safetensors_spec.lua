-- .safetensors: what is refused, and where the bytes lie. The package safetensors reads and writes
-- them in spec/peers.
local nd = require "ndbuf"
local H = require "spec.helper"

local function u32(n)
  return string.char(n % 256, math.floor(n / 2 ^ 8) % 256, math.floor(n / 2 ^ 16) % 256,
    math.floor(n / 2 ^ 24))
end
local function u64(n) return u32(n % 2 ^ 32) .. u32(math.floor(n / 2 ^ 32)) end

local function load_header(text, data, length)
  return nd.load(H.write(H.path "x.safetensors", u64(length or #text) .. text .. (data or "")))
end

local GOOD = [[{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}]]

describe("a .safetensors file", function()
  it("has arrays and metadata by name", function()
    local t, texts = load_header(GOOD, "\0\0\128\63")
    assert.equal(1, t.a[1])
    assert.same({}, texts)
    t, texts = load_header([[{"__metadata__":{"x":"\u00e4\n\"","y":""},]] .. GOOD:sub(2) .. "   ",
      "\0\0\128\63")
    assert.same({1, "\195\164\n\"", ""}, {t.a[1], texts.x, texts.y})
    assert.same({}, (load_header "{}"))
    local two = [[{"z":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},]] .. GOOD:sub(2)
    t = load_header(two, "\0\0\128\63")
    assert.same({1, 0}, {t.a[1], t.z.size})
  end)

  it("has names in every form of JSON", function()
    for text, name in pairs {
      ["\\u00C4\\u00eF"] = "\195\132\195\175", ["\\u20ac"] = "\226\130\172",
      ["\\ud83d\\ude00"] = "\240\159\152\128", ["\\udbff\\udfff"] = "\244\143\191\191",
      ["\\\"\\\\\\/\\b\\f\\n\\r\\t"] = "\"\\/\b\f\n\r\t", ["\127"] = "\127",
      ["\194\128"] = "\194\128", ["\224\160\128"] = "\224\160\128",
      ["\237\159\191"] = "\237\159\191", ["\240\144\128\128"] = "\240\144\128\128",
      ["\244\143\191\191"] = "\244\143\191\191",
    } do
      local t = load_header('{"' .. text .. GOOD:sub(4), "\0\0\128\63")
      assert.equal(1, t[name][1], name)
    end
    for _, text in ipairs {
      "\\ud800\\u0041", "\\ud800\\ud800", "\\udc00", "\\ud800x", "\\u12g4", "\\x", "\\", "\128",
      "\193\191", "\194", "\194\65", "\224\159\191", "\237\160\128", "\240\143\191\191",
      "\244\144\128\128", "\245\128\128\128", "\248\136\128\128\128", "\31",
    } do
      H.raises("format", load_header, '{"' .. text .. GOOD:sub(4), "\0\0\128\63")
    end
  end)

  it("is refused where it is not strict JSON of that form", function()
    for _, case in ipairs {
      {"", ""}, {"[]", ""}, {" {}", ""}, {"{} x", ""}, {GOOD .. "{}", "1234"}, {GOOD, "123"},
      {GOOD, "12345"}, {GOOD:gsub("F32", "F33"), "1234"}, {GOOD:gsub("%[1%]", "[2]"), "1234"},
      {GOOD:gsub("%[1%]", "[-1]"), "1234"}, {GOOD:gsub("%[1%]", "[01]"), "1234"},
      {GOOD:gsub("%[1%]", "[1,]"), "1234"}, {GOOD:gsub("%[1%]", "[1.0]"), "1234"},
      {GOOD:gsub("0,4", "4,0"), "1234"}, {GOOD:gsub("0,4", "0,4,4"), "1234"},
      {GOOD:gsub('"shape"', '"more":1,"shape"'), "1234"},
      {GOOD:gsub('"shape":%[1%],', ""), "1234"}, {GOOD:gsub('"a"', '"a\\u0000"'), "1234"},
      {GOOD:gsub('"a"', '"\\ud800"'), "1234"}, {GOOD:gsub('"a"', '"\255"'), "1234"},
      {GOOD:gsub('"a"', '"\192\128"'), "1234"}, {GOOD:gsub('"a"', '"\n"'), "1234"},
      {GOOD:sub(1, -2) .. "," .. GOOD:sub(2), "1234"}, {GOOD:sub(1, -2) .. ",}", "1234"},
      {GOOD:gsub("%[1%]", "[0]"), "1234"}, {GOOD:gsub("0,4", "1,5"), "12345"},
      {GOOD:gsub("%[1%]", "[0,18446744073709551616]"):gsub("0,4", "0,0"), ""},
      {GOOD:gsub('"shape"', '"shape":[1],"shape"'), "1234"},
      {GOOD:gsub('"dtype":"F32",', ""):gsub("%[1%]", "[4]"), "1234"},
      {GOOD:gsub(',"data_offsets":%[0,4%]', ""):gsub("%[1%]", "[0]"), ""},
      {GOOD:sub(1, -2) .. GOOD:gsub('{"a"', ',"b"'):gsub("0,4", "2,6"), "123456"},
      {GOOD:sub(1, -2) .. GOOD:gsub('{"a"', ',"b"'):gsub("0,4", "5,9"), "123456789"},
      {[[{"__metadata__":{"a":1}}]], ""}, {[[{"__metadata__":{"a":"b","a":"b"}}]], ""},
      {[[{"__metadata__":{},"__metadata__":{}}]], ""},
      {'{"a":' .. ("["):rep(1e5), ""}, {('{"a":'):rep(1e5), ""},
    } do
      local fine, e = pcall(load_header, case[1], case[2])
      assert.is_false(fine, case[1]:sub(1, 80))
      assert.is_truthy(e.code == "format" or e.code == "unsupported", tostring(e))
    end
    H.raises("overflow", load_header,
      [[{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}]])
    local deep = "[" .. ("1,"):rep(16) .. "1]"
    H.raises("unsupported", load_header, (GOOD:gsub("%[1%]", deep)), "1234")
    for _, length in ipairs {#GOOD + 5, 1e8 + 1, 2 ^ 63} do
      H.raises("format", load_header, GOOD, "1234", length)
    end
    H.raises("format", nd.load, H.write(H.path "x.safetensors", "1234567"))
    local sparse = H.write(H.path "x.safetensors", u64(1e8 + 1))
    assert.equal(0, (H.run("truncate -s 100000009 " .. H.quote(sparse))))
    H.raises_like("format", "a header of 100000001 B", nd.load, sparse)
  end)

  it("of ours is aligned, the largest elements first, and takes every name", function()
    local path = H.path "x.safetensors"
    local t = {z = nd.ones(3, "u8"), ['"\\/\n\1\31\127'] = nd.arange(1, 5),
      a = nd.ones({2, 2}, "bf16"), e = nd.zeros({0, 4}, "c64"),
      ["\195\164"] = nd.full({}, 9, "i32"), f = nd.ones(3, "f8e5m2")}
    nd.save(path, t, {metadata = {["k\t"] = "v\"", u = "\240\159\152\128"}})
    for _, options in ipairs {{mmap = false}, {mmap = true}} do
      local back, texts = nd.load(path, options)
      for name, a in pairs(t) do
        assert.is_true(back[name]:equal(a) and back[name].dtype == a.dtype, name)
        assert.is_true(not options.mmap or a.size == 0 or back[name]:address() % a.itemsize == 0)
      end
      assert.same({["k\t"] = "v\"", u = "\240\159\152\128"}, texts)
    end
    local text, header = H.read(path), 0
    for i = 8, 1, -1 do header = header * 256 + text:byte(i) end
    assert.equal(0, (8 + header) % 64)
    nd.save(path, {}, {metadata = {a = "b"}})
    local none, texts = nd.load(path)
    assert.same({{}, {a = "b"}}, {none, texts})
  end)

  it("leaves nothing where it is refused, nor a mapping", function()
    local path = H.path "x.safetensors"
    nd.save(path, {a = nd.ones(1e5), b = nd.ones(1e5)})
    for _, map in ipairs {false, true} do
      H.leaves_nothing(path, function() assert.equal(1, nd.load(path, {mmap = map}).a[1]) end)
      H.leaves_nothing(path, function()
        H.raises("invalid_argument", nd.load, path, {names = {"a", "d"}, mmap = map})
      end)
    end
  end)

  it("has dtypes that we lack beside others", function()
    local header = [[{"a":{"dtype":"F4","shape":[4],"data_offsets":[0,2]},]]
      .. [["b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}]]
    local path = H.write(H.path "x.safetensors", u64(#header) .. header .. "xyz")
    H.raises_like("unsupported", "F4", nd.load, path)
    for _, map in ipairs {false, true} do
      local t = nd.load(path, {names = {"b"}, mmap = map})
      assert.same({("z"):byte(), nil}, {t.b[1], t.a})
    end
    H.raises("format", load_header, (header:gsub("%[4%]", "[3]")), "xyz")
    for _, name in ipairs {"F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"} do
      local other = header:gsub("F4", name):gsub("%[4%]", "[2]")
      H.write(path, u64(#other) .. other .. "xyz")
      H.raises_like("unsupported", name .. "; without it: {names =", nd.load, path)
      assert.equal(("z"):byte(), nd.load(path, {names = {"b"}}).b[1])
      H.raises_like("unsupported", name .. "$", nd.load, path, {names = {"a"}})
    end
  end)

  it("refuses what it cannot have, before it is made", function()
    local path = H.path "none.safetensors"
    local function save(...) return nd.save(path, ...) end
    H.raises("type_mismatch", save, {a = nd.zeros(1, "c128")})
    H.raises("invalid_argument", save, {__metadata__ = nd.zeros(1)})
    H.raises("invalid_argument", save, {["\255"] = nd.zeros(1)})
    H.raises("invalid_argument", save, {["a\0b"] = nd.zeros(1)})
    H.raises("invalid_argument", save, {a = nd.zeros(1)}, {metadata = {x = "\255"}})
    H.raises("invalid_argument", save, {a = nd.zeros(1)}, {metadata = {["\255"] = "x"}})
    H.raises("invalid_argument", save, {a = nd.zeros(1)}, {metadata = {x = "a\0b"}})
    H.raises("invalid_argument", save, {{"a", nd.zeros(1)}, {"a", nd.zeros(1)}})
    H.raises("type_mismatch", save, {a = nd.zeros(1)}, {metadata = {x = 1}})
    H.raises("type_mismatch", save, {a = nd.zeros(1)}, {metadata = "x"})
    H.raises("type_mismatch", save, {a = 1})
    H.raises_like("invalid_argument", "something more", save, {{"a", nd.zeros(1), 1}})
    H.raises_like("invalid_argument", "known are metadata", save, {a = nd.zeros(1)}, {x = 1})
    H.raises("type_mismatch", save, {nd.zeros(1)})
    H.raises("type_mismatch", save, nd.zeros(1))
    H.raises("type_mismatch", save)
    H.raises("invalid_argument", save, {a = nd.zeros(1)}, {rate = 1})
    assert.is_false(H.exists(path))
  end)
end)
