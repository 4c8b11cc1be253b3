-- Every function, method, field and metamethod, found at run time, with right arguments and memory
-- that fails at the n-th request; spec/faults/faults_spec.c runs it and lends it 'faults'.
local ffi = require "ffi"
local nd = require "ndbuf"
local core = require "ndbuf.core"
local rows = require "spec.bind.badinput_rows"
local calls = require "spec.faults.calls"
local faults = faults -- luacheck: globals faults

local dir, cases = ...
local mode = jit.status() and "JIT on" or "JIT off"

local function pack(...) return {n = select("#", ...), ...} end

-- ---- what a call gives, as text ----

local describe

local function describe_array(a)
  local fine, text = pcall(function()
    local bytes = a.is_allocated and ("%q"):format(a:copyout()) or "lazy"
    return ("%s (%s) %s"):format(a.dtype, table.concat(a.shape, ", "), bytes)
  end)
  return fine and text or "freed"
end

local function describe_table(t, seen)
  if seen[t] then return "again" end
  seen[t] = true
  if getmetatable(t) == "ndbuf.error" then return t.code .. ": " .. t.message end
  local lines = {}
  for key, value in pairs(t) do
    lines[#lines + 1] = describe(key, seen) .. " = " .. describe(value, seen)
  end
  table.sort(lines)
  return "{" .. table.concat(lines, "; ") .. "}"
end

function describe(value, seen)
  local kind = type(value)
  if kind == "table" then return describe_table(value, seen or {}) end
  if kind == "userdata" then
    local mt = debug.getmetatable(value)
    if mt and core.metatables[tostring(mt.__metatable):match "%.(%w+)$"] == mt then
      return describe_array(value)
    end
    return tostring(value):gsub("0x%x+", "ADDRESS")
  end
  if kind == "cdata" or kind == "function" then
    return (tostring(value):gsub("0x%x+", "ADDRESS"))
  end
  if kind == "number" then return ("%.17g"):format(value) end
  return tostring(value)
end

local function describe_all(list, first)
  local texts = {}
  for i = first or 1, list.n do texts[#texts + 1] = describe(list[i]) end
  return table.concat(texts, " | ")
end

-- ---- one call ----

-- What is alive once everything was collected and released.
local function settle()
  jit.flush() -- compiled code keeps values alive
  collectgarbage()
  core.stats() -- the next call: it releases owners and lets go of what an error left behind
  collectgarbage()
  local stats = core.stats()
  return {bytes = stats.live + stats.pending, count = stats.count, blocks = (faults.state())}
end

local function is_clean(place, e)
  if type(e) == "string" then return place == "Lua" and e:find("not enough memory", 1, true) end
  return getmetatable(e) == "ndbuf.error" and e.message ~= "" and (e.code == "out_of_memory"
    or place == "Lua" and e.message:find("not enough memory", 1, true))
end

local function check_settled(before, what)
  local now = settle()
  faults.check(now.bytes == before.bytes and now.count == before.count,
    what .. (": %d B in %d arrays are left"):format(now.bytes - before.bytes,
      now.count - before.count))
  faults.check(now.blocks == before.blocks, what .. (": %d blocks are left"):format(now.blocks
    - before.blocks))
end

-- call.make() gives the arguments for call.fn; call.is_vague: each result is another;
-- call.take(result, arguments) takes what it made for others, call.leave(arguments) what it did
-- not take.
local function text_of(call, list, first)
  return call.is_vague and list[1] and "true" or describe_all(list, first)
end

local function clear(call, is_made, result, arguments)
  if is_made and call.take then call.take(result, arguments) end
  if not is_made and call.leave then call.leave(arguments) end
end

local function expected(call)
  local list = pack(call.make())
  local got = pack(pcall(call.fn, unpack(list, 1, list.n)))
  local text = text_of(call, got)
  clear(call, got[1], got[2], list)
  return text
end

-- Was what a call gave right, or a clean refusal? Printing never raises: the text says why not.
local function is_fine(place, got, text, right)
  if text == right then return place == "Lua" or got.once or got.refused == 0 end
  if got.refused == 0 then return false end
  if got[1] then return text:find "%(out_of_memory: .+%)$" or text:find "%(not enough memory%)$" end
  return is_clean(place, got[4])
end

-- Refuse request n. Returns whether it was reached, how many were seen, whether all was well.
local function refuse(call, place, n, once, right)
  local what = ("%s, %s %d%s"):format(call.name, place, n, once and ", once" or "")
  local arguments = pack(call.make())
  local before = describe_all(arguments)
  local got = pack(faults.call(place, n, once, call.fn, unpack(arguments, 1, arguments.n)))
  local _, are_exact, are_hooked = faults.state()
  got.once, got.refused = once, got[2]
  faults.check(are_exact, what .. ": the counters are wrong")
  faults.check(not are_hooked, what .. ": its call record is left")
  local text = text_of(call, pack(got[1], unpack(got, 4, got.n)))
  local is_well = is_fine(place, got, text, right)
  faults.check(is_well, what .. (": got %s, not %s"):format(text:sub(1, 300), right:sub(1, 300)))
  if not got[1] and not call.may_change then
    local after = describe_all(arguments)
    is_well = is_well and after == before
    faults.check(after == before, what .. ": the arguments have changed: " .. before .. " -> "
      .. after)
  end
  clear(call, got[1], got[4], arguments)
  return got[2] > 0, got[3], is_well
end

-- Without the collector, so that one call asks for memory as often as the next; but LuaJIT resizes
-- its table of strings and its stacks now and then: of its requests those that were reached count.
local function sweep(call, place, once)
  collectgarbage "stop"
  local right = expected(call)
  local before = settle()
  expected(call)
  local failed, seen = 0, nil
  for n = 1, 1e5 do
    if place == "Lua" then collectgarbage() end -- strings that are there already need no memory
    local is_reached, is_well
    is_reached, seen, is_well = refuse(call, place, n, once, right)
    if not is_reached then
      if place == "Lua" then seen = n - 1 end
      break
    end
    if is_well then failed = failed + 1 end
    local again = expected(call)
    faults.check(again == right, ("%s after %s %d: got %s, not %s"):format(call.name, place, n,
      again:sub(1, 300), right:sub(1, 300)))
  end
  check_settled(before, ("%s, %s%s"):format(call.name, place, once and ", once" or ""))
  collectgarbage "restart"
  return seen, failed
end

local function try_all(list, place, once)
  faults.group(("%s: request n of %s is refused%s"):format(mode, place, once and " once" or ""))
  local found, failed = 0, 0
  for _, call in ipairs(list) do
    local sites, refused
    for _ = 1, 3 do -- caches may have grown meanwhile
      sites, refused = sweep(call, place, once)
      if sites == refused then break end
    end
    faults.check(sites == refused, ("%s, %s: %d sites found, %d failed"):format(call.name, place,
      sites, refused))
    found, failed = found + sites, failed + refused
  end
  print(("# %s, %s%s: %d calls, %d sites found, %d failed"):format(mode, place,
    once and " once" or "", #list, found, failed))
  faults.check(found == failed, "sites found and failed differ")
end

-- ---- calls in the middle of others ----

-- nd.ones is refused its block and collects. A finalizer makes an array meanwhile, whose request n
-- for Lua's memory is refused; as that call ends, so do refusals, and nd.ones gets its block.
-- Returns what came of the finalizer's call.
local function refuse_in_finalizer(make, n)
  local got
  local function leave_finalizer()
    getmetatable(newproxy(true)).__gc = function()
      got = pack(faults.call("Lua", n, true, make))
    end
  end
  leave_finalizer()
  local outer = pack(faults.call("resource", 1, false, nd.ones, 1000))
  faults.check(outer[1] and outer[4]:sum() == 1000, "around a finalizer: " .. describe_all(outer))
  return got
end

local function try_in_finalizers()
  faults.group(mode .. ": in a finalizer, in the middle of a call, request n of Lua is refused")
  local other = nd.ones(3)
  local makers = {["nd.zeros"] = function() return nd.zeros(2).size end,
                  nd_push_array = function() return faults.push(other).size end}
  for name, make in pairs(makers) do
    refuse_in_finalizer(make, 0)
    local before, n, refused = settle(), 0, 0
    repeat
      n = n + 1
      local got = refuse_in_finalizer(make, n)
      refused = refused + got[2]
      faults.check(got[1] or is_clean("Lua", got[4]), name .. ": " .. describe_all(got))
    until got[2] == 0
    faults.check(refused > 0, name .. ": nothing was refused")
    check_settled(before, name)
  end
end

-- ---- the calls ----

local function list_calls()
  local list = {}
  local vague = {address = true, empty = true, empty_like = true, id = true, storage_id = true,
    stats = true, interface = true, share = true, to_dlpack = true}
  local function add(prefix, functions, of, make_context)
    local names = {}
    for name, fn in pairs(functions) do
      if type(fn) == "function" then names[#names + 1] = name end
    end
    table.sort(names)
    for _, name in ipairs(names) do
      local row = of[name]
      faults.check(row, "no row for " .. prefix .. name)
      list[#list + 1] = {name = prefix .. name, fn = functions[name], is_vague = vague[name],
        take = rows.takers[name], leave = rows.leavers[name],
        make = row and function() return row(make_context and make_context()) end}
    end
  end
  local function in_dir() return dir end
  nd.save(dir .. "/x.npy", nd.ones(20))
  add("nd.", nd, rows.functions, in_dir)
  local rest = {}
  for name, fn in pairs(core) do
    if nd[name] ~= fn then rest[name] = fn end
  end
  add("core.", rest, rows.functions, in_dir)
  add("nd.fft.", nd.fft, rows.fft, in_dir)
  add("dtype ", core.dtype_metatable, rows.dtype_object)
  add("column ", core.column_metatable, rows.column_object)
  add("device ", core.device_metatable, rows.device_object)
  add("error ", debug.getmetatable(select(2, pcall(nd.zeros, -1))), rows.error_object)
  for _, dtype in ipairs {"f64", "i64", "c64", "bool", "f16"} do
    local mt = core.metatables[dtype]
    local function fresh() return nd.full({2, 3}, 1, dtype) end
    add(dtype .. " ", mt, rows.metamethods, fresh)
    add(dtype .. " a:", mt.methods, rows.methods, fresh)
    add(dtype .. " a.", mt.properties, rows.properties, fresh)
  end
  calls(nd, ffi, dir, function(call) list[#list + 1] = call end)
  return list
end

-- Of all calls as many as NDBUF_CASES says.
local list, some = list_calls(), {}
local first, count = faults.random(#list), math.min(#list, math.ceil(cases * #list))
local step = #list / count
for i = 1, count do some[i] = list[math.floor(first + i * step) % #list + 1] end

try_in_finalizers()

-- LuaJIT itself dies or hangs where memory for Lua fails in compiled code: then the fast path is
-- interpreted.
for place in ("resource C Lua"):gmatch "%S+" do
  if jit.status() and place ~= "Lua" then jit.on() else jit.off() jit.flush() end
  for i = 1, 2 do try_all(some, place, i == 2) end
end
