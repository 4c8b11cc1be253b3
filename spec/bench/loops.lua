--- The table "Loops with calls in them": each form of element access beside something that LuaJIT
-- does not compile, or compiles in another way. No cell may be slower than with the JIT off.
local nd = require "ndbuf"

local loops = {}

-- By name: statements of a loop over i.
local forms = {
  { "a[i]", "s = s + a[i]" },
  { "a[i] = v", "a[i] = i" },
  { "a(i)", "s = s + a(i)" },
  { "m(i, j)", "s = s + m(i, 1) + m(i, 2) + m(i, 3)" },
  { "m:get(i, j)", "s = s + m:get(i, 1) + m:get(i, 2) + m:get(i, 3)" },
  { "m:set(i, j, v)", "m:set(i, 1, s) m:set(i, 2, s) m:set(i, 3, i)" },
  { "c(i, j, k)", "s = s + c(i, 1, 1) + c(i, 2, 3)" },
  { "c:set(i, j, k, v)", "c:set(i, 1, 1, s) c:set(i, 2, 3, i)" },
  { "q(i, j, k, l)", "s = s + q(i, 1, 1, 1) + q(i, 2, 3, 2)" },
  { "q:set(i, j, k, l, v)", "q:set(i, 1, 1, 1, s) q:set(i, 2, 3, 2, i)" },
  { "r = m[i]; r[j]", "local r = m[i] s = s + r[1] + r[2] + r[3]" },
  { "r = m[i]; r(j)", "local r = m[i] s = s + r(1) + r(2) + r(3)" },
  { "r = m[i]; r:set(j, v)", "local r = m[i] r:set(1, s) r:set(2, s) r:set(3, i)" },
}

-- By name: what the loop's body calls besides, or the whole function for the form's statements.
local plain = "local s = 0 return function() s = 0 for i = 1, n do %s end return s end"
local bodies = {
  { "alone", plain },
  { "m.shape", plain:format "%s local shape = m.shape" },
  { "nd.zeros(3)", plain:format "%s local z = nd.zeros(3)" },
  { "file:write", plain:format "%s file:write(i)" },
  { "pcall", [[
    local s = 0
    local function body(i) %s end
    return function()
      s = 0
      for i = 1, n do pcall(body, i) end
      return s
    end]] },
  { "a coroutine", [[
    return coroutine.wrap(function()
      while true do
        local s = 0
        for i = 1, n do %s end
        coroutine.yield(s)
      end
    end)]] },
}

local function compile(form, body, n)
  local code = "local nd, a, m, c, q, n, file = ... " .. body[2]:format(form[2])
  local a, m, c, q = nd.arange(n), nd.ones(n, 3), nd.ones(n, 3, 4), nd.ones(n, 3, 4, 2)
  return assert(loadstring(code))(nd, a, m, c, q, n, assert(io.open("/dev/null", "w")))
end

local function best(fn, rounds, n)
  local least = math.huge
  for _ = 1, rounds do
    local start = os.clock()
    fn()
    least = math.min(least, os.clock() - start)
  end
  return least * 1e9 / n
end

--- Nanoseconds of a step of every loop, in one process: a line for each, form after form.
function loops.one()
  local n = 2000
  for _, form in ipairs(forms) do
    for _, body in ipairs(bodies) do
      jit.flush() -- else LuaJIT runs out of traces, and what comes later is not compiled
      print(best(compile(form, body, n), 40, n))
    end
  end
end

--- Every loop once: that it reads what the others read.
function loops.smoke()
  for _, form in ipairs(forms) do
    local expected = compile(form, bodies[1], 10)()
    for _, body in ipairs(bodies) do
      assert(compile(form, body, 10)() == expected, form[1] .. " with " .. body[1])
    end
    print("ok " .. form[1])
  end
  print(#forms .. " passed, 0 failed")
end

local function figures(flags)
  local pipe, list = assert(io.popen("luajit " .. flags .. " spec/bench/run.lua loops")), {}
  for line in pipe:lines() do list[#list + 1] = assert(tonumber(line)) end
  pipe:close()
  return list
end

--- The whole table, as Markdown: each cell has the time with the JIT and, in brackets, without, the
-- least of three processes.
function loops.table()
  local on, off, slower = {}, {}, 0
  for _ = 1, 3 do
    for flags, least in pairs { [""] = on, ["-joff"] = off } do
      for i, ns in ipairs(figures(flags)) do least[i] = math.min(least[i] or math.huge, ns) end
    end
  end
  local head, rule = {}, {}
  for i, body in ipairs(bodies) do head[i], rule[i] = body[1], "---" end
  print("| ns a step, with the JIT (without) | " .. table.concat(head, " | ") .. " |")
  print("|---|" .. table.concat(rule, "|") .. "|")
  for i, form in ipairs(forms) do
    local cells = { form[1] }
    for k = 1, #bodies do
      local at = (i - 1) * #bodies + k
      cells[k + 1] = ("%.3g (%.0f)"):format(on[at], off[at])
      if on[at] > off[at] then slower = slower + 1 end
    end
    print("| " .. table.concat(cells, " | ") .. " |")
  end
  print(("\n%d of %d are slower with the JIT."):format(slower, #on))
end

return loops
