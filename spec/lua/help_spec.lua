-- The help at the prompt: require "ndbuf.help", made from docs/reference/.
local H = require "spec.helper"
local parse = require "tools.manual.parse"

local help = require "ndbuf.help"
local pages = parse.read "docs/reference"

-- The public names of the module, as tools/names.lua finds them.
local function public_names()
  local status, out = H.luajit(nil, "tools/names.lua")
  assert.equal(0, status)
  local list = {}
  for name in out:gmatch "[^\n]+" do list[#list + 1] = name end
  assert.is_true(#list > 100)
  return list
end

local function each_entry(visit)
  parse.each(pages, function(entry, item) visit(entry, item.name or item.signature, item) end)
end

local function has(text, part) return text:find(part, 1, true) ~= nil end

describe("help #slow", function() -- text only, where valgrind has nothing to find
  it("has a text for every public name", function()
    for _, name in ipairs(public_names()) do assert.is_string(help(name), name) end
  end)

  it("shows signature, arguments, what is returned and raised, and the example", function()
    local count = 0
    each_entry(function(entry, key, item)
      local text = help(key)
      assert.is_string(text, key)
      assert.is_true(has(text, item.signature), key)
      assert.is_true(has(text, "\n  returns "), key)
      for _, argument in ipairs(entry.described) do
        assert.is_true(has(text, "\n  " .. argument.name .. " "), key .. " " .. argument.name)
      end
      for _, raised in ipairs(entry.all_raises) do
        assert.is_true(has(text, raised.code), key .. " " .. raised.code)
      end
      for line in entry.examples[1].text:gmatch "[^\n]+" do
        assert.is_true(has(text, "\n  " .. line .. "\n"), key .. ": " .. line)
      end
      count = count + 1
    end)
    assert.is_true(count > 100)
  end)

  it("lists the names in lines as long as they may be, below one another", function()
    local previous
    for line in help():gmatch "[^\n]+" do
      assert.is_true(#line <= 88, line)
      local blanks, rest = line:match "^( +)(.*)"
      if blanks then
        assert.equal(14, #blanks, line)
        local key = rest:match "^(.-)  " or rest
        assert.is_true(#previous + 2 + #key > 88, previous)
      end
      previous = line
    end
  end)

  it("looks for names of at most 64 characters, for those of nd behind ndbuf", function()
    assert.is_string((help((" "):rep(59) .. "zeros")))
    assert.is_nil((help((" "):rep(60) .. "zeros")))
    assert.is_string((help "image.shape"))
    assert.is_nil((help "ndbuf.shape"))
  end)

  it("shows the section and the function of one name", function()
    assert.is_true(has(help "devices", help "nd.devices"))
    assert.is_true(#help "devices" > #help "nd.devices")
  end)

  it("finds a name in each of its forms", function()
    for name, forms in pairs {
      ["nd.zeros"] = {"zeros", "nd.zeros", " zeros ", "zeros(", "nd.zeros()", "ndbuf.zeros"},
      ["a:narrow"] = {"narrow", "a.narrow", "a:narrow", "image:narrow", "x.y.narrow"},
      ["a.shape"] = {"shape", "a.shape", "a:shape", "image.shape"},
      ["nd.f32"] = {"f32", "nd.f32", "nd.bool"},
      ["e.code"] = {"code", "e.code"},
      ["#a"] = {"#a"},
      ["a == b"] = {"a == b", "a < b"},
    } do
      for _, form in ipairs(forms) do assert.equal(help(name), (help(form)), form) end
    end
  end)

  it("shows all that one name may mean, each once", function()
    local text = help "name"
    assert.is_true(has(text, "dtype.name") and has(text, "dev.name"))
    local _, count = help("arange"):gsub("\n  returns ", "")
    assert.equal(1, count)
  end)

  it("shows sections, and without a name all of them", function()
    local all = help()
    for _, page in ipairs(pages) do
      assert.is_true(has(all, "\n" .. page.section .. " "), page.section)
      assert.is_true(has(help(page.section), page.title), page.section)
    end
    each_entry(function(_, key) assert.is_true(has(all, "  " .. key), key) end)
    assert.is_true(has(help "errors", "index_out_of_range"))
    assert.is_true(has(help "everywhere", "type_mismatch"))
  end)

  it("names what is near to a name that is not there", function()
    for name, near in pairs {
      zeroes = "nd.zeros", ["nd.zeors"] = "nd.zeros", ["a:narow"] = "a:narrow",
      ["a.zeros"] = "nd.zeros", ["e.cod"] = "e.code", view = "views", itemsze = "a.itemsize",
    } do
      local text, list = help(name)
      assert.is_nil(text, name)
      assert.is_true(has(" " .. table.concat(list, " ") .. " ", " " .. near .. " "), name)
    end
  end)

  it("never raises", function()
    for _, name in ipairs {"", " ", ".", ":", "a.", "nd:", "a..b", "%", "[", "\0", "zeros\0", "#",
                           ("x"):rep(1e6), ("."):rep(64), ("é"):rep(20), "nd.zeros nd.ones)"} do
      local text, near = help(name)
      assert.is_true(type(text) == "string" or type(near) == "table", name)
    end
    for _, name in ipairs {0, 1.5, false, true, {}, print, require "ndbuf".zeros(2), io.stdout} do
      local text, near = help(name)
      assert.is_nil(text)
      assert.same({}, near)
    end
    local random = H.rng "help"
    for _ = 1, H.cases(2000) do
      local bytes = {}
      for i = 1, random(0, 12) do bytes[i] = string.char(random(0, 255)) end
      local text, near = help(table.concat(bytes))
      assert.is_true(text == nil and type(near) == "table" or type(text) == "string")
    end
  end)

  it("fits a terminal and has no marks of Markdown", function()
    local function check(text)
      for line in (text .. "\n"):gmatch "(.-)\n" do
        local _, columns = line:gsub("[^\128-\191]", "")
        assert.is_true(columns <= 100, line)
        assert.is_nil(line:find "`" or line:find "%]%(" or line:find "%s$", line)
      end
    end
    check(help())
    for _, page in ipairs(pages) do check(help(page.section)) end
    each_entry(function(_, key) check(help(key)) end)
  end)
end)

describe("meta.lua #slow", function()
  it("declares every public name", function()
    local text = H.read "lua/ndbuf/meta.lua"
    local prefixes = {nd = "nd", a = "array"}
    for _, name in ipairs(public_names()) do
      local owner, dot, member = name:match "^(%a+)([.:])(.*)$"
      local inner, of_inner = name:match "^nd%.(%a+)%.([%w_]+)$" -- nd.cuda.available
      if inner then owner, dot, member, prefixes[inner] = inner, ".", of_inner, inner end
      local declared = prefixes[owner] and has(text, ("\nfunction %s%s%s("):format(
        prefixes[owner], dot, member))
      local field = dot == "." and (text:find("\n---@field " .. member .. " ")
        or text:find("\n---@field " .. member .. "%? "))
      assert.is_true(declared or field ~= nil, name)
    end
  end)

  it("is Lua that runs, and does nothing", function()
    local chunk = assert(loadfile "lua/ndbuf/meta.lua")
    local globals = setmetatable({}, {__newindex = function(_, key) error("sets " .. key) end})
    assert.is_table(setfenv(chunk, globals)())
  end)

  it("uses no type that it does not declare", function()
    local text = H.read "lua/ndbuf/meta.lua"
    local declared = {}
    for line in text:gmatch "\n%-%-%-@class ([^\n]+)" do declared[line:match "[%w_.]+$"] = true end
    for name in text:gmatch "\n%-%-%-@alias ([%w_.]+)" do declared[name] = true end
    for line in text:gmatch "\n(%-%-%-@[^\n]*)" do
      for name in line:gsub("#.*$", ""):gmatch "ndbuf%.[%a_.]*[%a_]" do
        assert.is_true(declared[name], line)
      end
    end
  end)
end)
