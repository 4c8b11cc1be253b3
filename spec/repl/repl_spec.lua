-- The prompt, on a terminal: what it prints, and what Ctrl-C and Ctrl-D do.
local H = require "spec.helper"
local terminal = require "spec.repl.terminal"

-- For each line, what it prints.
local function check(options, pairs_of)
  local lines, expected = {}, {}
  for i = 1, #pairs_of, 2 do
    lines[#lines + 1], expected[#expected + 1] = pairs_of[i], pairs_of[i + 1]
  end
  local got, status = terminal.talk(lines, options)
  assert.same(expected, got)
  assert.equal(0, status)
end

-- A line that says when it is running, and the steps that interrupt it.
local function interrupt(list, line)
  for _, step in ipairs {
    ("keys print('ru' .. 'nning') io.stdout:flush() %s\\n"):format(line), "see running",
    "pause 300", "keys \\x03", "prompt",
  } do list[#list + 1] = step end
end

local LONG_CALL = "ones:equal(ones)" -- would take an hour
local LONG_CALLS = "for i = 1, 1e6 do buffer:fill(i % 7) end"
local LOOP = "jit.off() for i = 1, 1e15 do end"

for _, edited in ipairs {true, false} do
  local options = {edited = edited}
  describe("the prompt " .. (edited and "with lua-readline" or "with plain lines"), function()
    if edited and not terminal.has_readline then return pending "lua-readline is not installed" end

    it("prints expressions, several on a line, and nothing for statements", function()
      check(options, {
        "1 + 1", "2",
        "=1 + 1", "2",
        "'a\\n\"b\"', nil, 7LL, true", '"a\\n\\"b\\""\tnil\t7LL\ttrue',
        "nd.zeros(2, 3)", "f64 2x3 cpu\n[[0, 0, 0],\n [0, 0, 0]]",
        "nd.arange(2), 3", "f64 2 cpu\n[1, 2]\n3",
        "{1, 2, {3, {4}}, x = nd.ones(2), [2.5] = 7LL, ['a b'] = 'c'}",
        [[{1, 2, {3, {...}}, [2.5] = 7LL, ["a b"] = "c", x = f64 2 cpu}]],
        "{}", "{}",
        "('x'):rep(1000)", '"' .. ("x"):rep(1000) .. '"',
        "('x'):rep(1001)", '"' .. ("x"):rep(1000) .. '"... (1001 bytes)',
        "", "",
        "-- nothing", "",
        "x = 5", "",
        "x -- it stays", "5",
        "local y = 6", "",
        "y", "nil",
        "(function() end)()", "",
        "x;", "",
        "return x, 1", "5\t1",
        "print('a', 1)", "a\t1",
        "nd.zeros(3).shape", "{3}",
      })
    end)

    it("keeps the first value in _", function()
      check(options, {
        "nd.arange(3), 2", "f64 3 cpu\n[1, 2, 3]\n2",
        "_[3]", "3",
        "_ + 1", "4",
        "x = 1", "",
        "_", "4",
        "10;", "",
        "_", "10",
      })
    end)

    it("takes input over several lines", function()
      check(options, {
        "for i = 1, 2 do", "",
        "print(i)", "",
        "end", "1\n2",
        "nd.array {", "",
        "  {1, 2},", "",
        "}", "f64 1x2 cpu\n[[1, 2]]",
        "s = [[a", "",
        "b]]", "",
        "s", [["a\nb"]],
      })
    end)

    it("prints errors and goes on", function()
      check(options, {
        "x = = 1", "stdin:1: unexpected symbol near '='",
        "nd.zeros(2)[3]", "stdin:1: ndbuf: index 3 is out of range for axis 1 of size 2",
        "nil + 1", "stdin:1: attempt to perform arithmetic on a nil value",
        "error('x', 0)", "x",
        "error {code = 1}", "error: {code = 1}",
        "error()", "error: nil",
        "function f() local y = x.y return y end", "",
        "local a = f()",
        "stdin:1: attempt to index global 'x' (a nil value)\nstack traceback:\n" ..
          "\tstdin:1: in function 'f'\n\tstdin:1: in function 'chunk'",
        "'on'", '"on"',
      })
      local list = terminal.talk({
        "setmetatable({}, {__tostring = function() return nil + 1 end})", "'on'",
      }, options)
      assert.truthy(list[1]:find "^stdin:1: attempt to perform arithmetic", list[1])
      assert.equal('"on"', list[2])
    end)

    it("drops a line at Ctrl-C, and an input of several", function()
      local answers, status = terminal.type({
        "prompt", "keys x = 1 nonsense", "see nonsense", "keys \\x03", "prompt", "type x",
        "keys \\x03", "prompt", "type nd.zeros {", "keys 1, 2", "see 1, 2", "keys \\x03", "prompt",
        "type 'on'", "keys \\x04", "end",
      }, options)
      assert.equal("nil\n", answers[6])
      assert.equal('"on"\n', answers[14])
      assert.equal(0, status)
    end)

    it("interrupts what runs, again and again", function()
      local called, looped = "stdin:1: ndbuf: interrupted\n$", "stdin:1: interrupted!\n$"
      local lines = {LONG_CALL, LONG_CALL, LOOP, LOOP, LONG_CALLS, LONG_CALL, LOOP}
      local patterns = {called, called, looped, looped, "interrupted!?\n$", called, looped}
      local steps = {"prompt", "type ones = nd.ones(1):expand(1e13)",
                     "type buffer = nd.zeros(2e7, 'u8')"}
      for _, line in ipairs(lines) do
        interrupt(steps, line)
        for _, step in ipairs {"keys dropped", "see dropped", "keys \\x03", "prompt"} do
          steps[#steps + 1] = step
        end
      end
      for _, step in ipairs {"type jit.on()", "type 'on'", "keys \\x04", "end"} do
        steps[#steps + 1] = step
      end
      local answers, status = terminal.type(steps, options)
      for i, pattern in ipairs(patterns) do
        local answer = answers[3 + 9 * (i - 1) + 5]
        assert.truthy(answer:find(pattern), ("%d: %s"):format(i, answer))
      end
      assert.equal('"on"\n', answers[#answers - 2])
      assert.equal(0, status)
    end)

    it("ends with the second Ctrl-C in a compiled loop", function()
      local steps = {"prompt"}
      interrupt(steps, "while true do end")
      steps[#steps] = "pause 300" -- instead of a prompt
      steps[#steps + 1] = "keys \\x03"
      steps[#steps + 1] = "end"
      local answers, status = terminal.type(steps, options)
      assert.equal(-2, status, answers[#answers])
    end)

    it("ends at Ctrl-D and by os.exit", function()
      local _, status = terminal.type({"prompt", "keys \\x04", "end"}, options)
      assert.equal(0, status)
      _, status = terminal.type({"prompt", "keys os.exit(3)\\n", "end"}, options)
      assert.equal(3, status)
      _, status = terminal.type({"prompt", "type do", "keys \\x04", "end"}, options)
      assert.equal(0, status)
    end)
  end)
end

describe("the prompt", function()
  it("says what is missing without lua-readline", function()
    local answers = terminal.type({"prompt", "keys \\x04", "end"}, {})
    assert.truthy(answers[1]:find("without lua-readline", 1, true), answers[1])
  end)

  it("explains names", function()
    local list = terminal.talk({"?zeros", "?nd.zeros", "?zeross", "?", "1"}, {})
    assert.truthy(list[1]:find("nd.zeros(shape", 1, true), list[1])
    assert.equal(list[1], list[2])
    assert.truthy(list[3]:find("zeros", 1, true), list[3])
    assert.truthy(list[4]:find("Ctrl-D", 1, true), list[4])
    assert.equal("1", list[5])
  end)
end)

describe("editing", function()
  if not terminal.has_readline then return pending "lua-readline is not installed" end

  local function keys(steps, options)
    steps[#steps + 1] = "keys \\x04"
    steps[#steps + 1] = "end"
    local answers, status = terminal.type(steps, options or {edited = true})
    assert.equal(0, status)
    return answers
  end

  it("completes globals, fields and methods at TAB", function()
    local steps = {"prompt", "type a = nd.arange(6):reshape(2, 3)"}
    for typed, whole in pairs {
      ["a:narro"] = "a:narrow", ["a.sh"] = "a.shape", ["nd.zeros_l"] = "nd.zeros_like",
      ["1 + #a.T.byte_s"] = "1 + #a.T.byte_strides", ["f(math.flo"] = "f(math.floor",
      ["tonum"] = "tonumber", ["io.stdout:setv"] = "io.stdout:setvbuf",
    } do
      local ends = {"keys " .. typed .. "\\t|", "see " .. whole .. "|", "keys \\x03", "prompt"}
      for _, step in ipairs(ends) do
        steps[#steps + 1] = step
      end
    end
    steps[#steps + 1] = "keys a:dia\\t(1)\\n"
    steps[#steps + 1] = "see f64 2 cpu"
    steps[#steps + 1] = "prompt"
    local answers = keys(steps)
    assert.equal("\n[2, 6]\n", answers[#answers - 2])
  end)

  it("lists what there is at the second TAB, and nothing where there is nothing", function()
    local answers = keys {"prompt", "type a = nd.zeros(2)", "keys a:to\\t\\t", "see a:totable",
                          "keys \\x03", "prompt", "keys nonsense.x\\t\\tafter\\n", "prompt"}
    assert.truthy(answers[4]:find("a:to ", 1, true), answers[4])
    local line = answers[8]:gsub("\a", "")
    assert.truthy(line:find("nonsense.xafter", 1, true), line)
  end)

  it("remembers lines, in this session and the next", function()
    local home = H.dir()
    local up = "keys \\x1b[A"
    keys({"prompt", "type 'fir' .. 'st'", "type  ", "type 'second'", up, "see 'second'", up,
          "see 'fir' .. 'st'", "keys \\n", "see \"first\"", "prompt"}, {edited = true, home = home})
    local file = home .. "/state/ndbuf/history"
    assert.equal("'fir' .. 'st'\n'second'\n'fir' .. 'st'\n", H.read(file))
    keys({"prompt", up, "see 'fir' .. 'st'", up, "see 'second'", "keys \\n", "prompt"},
         {edited = true, home = home})
    assert.equal("'fir' .. 'st'\n'second'\n'fir' .. 'st'\n'second'\n", H.read(file))
    keys({"prompt", "type 'second'", "type 'second'", up, "see 'second'", up, "see 'fir' .. 'st'",
          "keys \\n", "prompt"}, {edited = true, home = home}) -- once, however often
    assert.equal("'fir' .. 'st'\n'second'\n'fir' .. 'st'\n'second'\n'fir' .. 'st'\n",
      H.read(file))
  end)

  it("keeps the history short", function()
    local home = H.dir()
    H.run("mkdir -p " .. H.quote(home .. "/state/ndbuf"))
    local list = {}
    for i = 1, 2001 do list[i] = "line " .. i .. "\n" end
    local file = H.write(home .. "/state/ndbuf/history", table.concat(list))
    keys({"prompt"}, {edited = true, home = home})
    assert.equal(table.concat(list, "", 1002), H.read(file))
  end)

  it("does without a place for the history", function()
    local folder = H.dir() -- a relative path is not one of it
    for _, place in ipairs {"XDG_STATE_HOME=/dev/null/state", "XDG_STATE_HOME=relative",
                            "XDG_STATE_HOME= HOME="} do
      local env = {}
      for entry in place:gmatch "%S+" do env[#env + 1] = entry end
      local answers = keys({"prompt", "type 'text'", "keys \\x1b[A", "see 'text'", "keys \\n",
                            "prompt"}, {edited = true, env = env, folder = folder})
      assert.equal('\n"text"\n', answers[6]:gsub("^[^\n]*", ""), place)
      assert.is_false(H.exists(folder .. "/relative"))
    end
  end)
end)
