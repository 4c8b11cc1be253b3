-- tools/names.lua notices where docs/reference/, the module, and what is made from it differ.
local H = require "spec.helper"

-- A copy of the checkout as far as the check looks at it.
local function copy()
  local folder = H.quote(H.dir())
  -- cp leaks, which a preloaded sanitizer says at its end.
  local status = H.run(("LD_PRELOAD= cp -r docs lua tools %s && ln -s \"$PWD/src\" %s/src"):format(
    folder, folder))
  assert.equal(0, status)
  return folder:sub(2, -2)
end

local function check(folder)
  local module = H.build:sub(1, 1) == "/" and H.build or "$PWD/" .. H.build
  local lua = os.getenv "LUAJIT" or "luajit"
  local paths = "LUA_PATH='./lua/?.lua;./lua/?/init.lua;./?.lua;;' " ..
    "LUA_CPATH=\"$module/?.so;;\" BUILD=\"$module\""
  return H.run(("module=\"%s\"\ncd %s && %s %s tools/names.lua check"):format(module,
    H.quote(folder), paths, lua))
end

-- Replaces the first 'from' in the file by 'to'.
local function change(folder, path, from, to)
  local text = H.read(folder .. "/" .. path)
  local first, last = text:find(from, 1, true)
  assert.truthy(first, from)
  H.write(folder .. "/" .. path, text:sub(1, first - 1) .. to .. text:sub(last + 1))
end

local VIEWS = "docs/reference/views.md"

describe("the check of the reference", function()
  it("finds nothing", function()
    local status, out, err = check(copy())
    assert.same({0, "", ""}, {status, out, err})
  end)

  for what, case in pairs {
    ["a name that is missing"] = {"lua/ndbuf/init.lua", "\nreturn nd", "\nnd.newest = 1 return nd",
      "nd.newest is not there"},
    ["a name that does not exist"] = {VIEWS, "## `a:flip([axes])`", "## `a:flop([axes])`",
      "the module has no a:flop"},
    ["a name that is there twice"] = {VIEWS, "## `a:flatten()`", "## `a:flatten()` · `a:flip()`",
      "a:flip is at"},
    ["an entry without a signature"] = {VIEWS, "## `a:flatten()`", "## flatten",
      "a heading without a `name`"},
    ["one without a sentence"] = {VIEWS, "Reversed along axes.", "", "no sentence"},
    ["one that does not say what it returns"] = {VIEWS, "- returns *array*: a view, 1-D\n", "",
      "a:flatten(): no line 'returns'"},
    ["one without errors"] = {VIEWS,
      "- raises `invalid_view` where it would be a copy: `a.T:flatten()`\n", "",
      "a:flatten(): no line 'raises'"},
    ["one without an example"] = {VIEWS, ":flatten()    -- =>", ":flatten()    -- is",
      "a:flatten(): no example"},
    ["an argument without a line"] = {VIEWS, "- `count` *integer*: 0 or more\n", "",
      "the argument count has no line"},
    ["a line for no argument"] = {VIEWS, "- `k` *integer*", "- `l` *integer*",
      "l is no argument of a:diagonal([k])"},
    ["a line of another form"] = {VIEWS, "- raises `invalid_view` where it would be a copy:",
      "- raises invalid_view:", "no line of an entry"},
    ["a code that is not explained"] = {"docs/reference/errors.md", "`capacity`", "capacity",
      "the code capacity is not there"},
    ["a made file that is stale"] = {VIEWS, "Reversed along axes.", "Turned along axes.",
      "lua/ndbuf/help_text.lua: stale"},
    ["a made file that was changed"] = {"lua/ndbuf/meta.lua", "function nd.zeros(",
      "function nd.zero(", "lua/ndbuf/meta.lua: stale"},
    ["a list of names that was changed"] = {"docs/reference/README.md", "[`a:flip`]", "[`a:flop`]",
      "docs/reference/README.md: stale"},
  } do
    it("finds " .. what, function()
      local folder = copy()
      change(folder, unpack(case, 1, 3))
      local status, out = check(folder)
      assert.equal(1, status)
      assert.truthy(out:find(case[4], 1, true), out)
    end)
  end
end)
