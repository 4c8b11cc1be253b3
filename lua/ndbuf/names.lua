--- Words of error messages: the names nearest to an unknown one, the kind of a value.
local names = {}

-- The Levenshtein distance, or 'limit' + 1 where the lengths alone exceed the limit. One row of the
-- matrix is kept; 'diagonal' is the element that its last update replaced.
local function distance(a, b, limit)
  if math.abs(#a - #b) > limit then return limit + 1 end
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      diagonal, row[j] = row[j], math.min(row[j] + 1, row[j - 1] + 1, diagonal + cost)
    end
  end
  return row[#b]
end

--- Up to three keys of the given tables that are near 'name', nearest first. The permitted distance
-- grows with the name's length: a third of it, at least 2, but at most half of a short name.
function names.nearest(name, first, second)
  local limit, found = math.max(math.min(2, math.floor(#name / 2)), math.floor(#name / 3)), {}
  for _, list in ipairs { first, second } do
    for key in pairs(list) do
      local d = type(key) == "string" and distance(name:lower(), key:lower(), limit) or limit + 1
      if d <= limit then found[#found + 1] = { key, d } end
    end
  end
  table.sort(found, function(a, b) return a[2] < b[2] or a[2] == b[2] and a[1] < b[1] end)
  local out = {}
  for i = 1, math.min(3, #found) do out[i] = found[i][1] end
  return out
end

-- LuaJIT 2.1 may hang in a compiled pairs loop that runs in a finalizer, and errors may be raised
-- there.
jit.off(names.nearest)

--- The message for a field or method that arrays do not have.
function names.message(name, first, second)
  local near = names.nearest(name, first, second)
  local hint = #near > 0 and "; did you mean " .. table.concat(near, ", ") .. "?" or ""
  return ("an array has no field or method %q%s"):format(name, hint)
end

-- As src/bind/error.c says it; cdata has no article.
local kinds = {
  boolean = "a boolean", number = "a number", string = "a string", table = "a table",
  ["function"] = "a function", thread = "a coroutine",
}

local objects = { stream = "a stream", event = "an event", timeline = "a timeline",
                  device = "a device", dtype = "a dtype", memory = "memory",
                  reservation = "a reservation", error = "an error" }

--- A number, a boolean or a number of LuaJIT's own as text.
function names.value(value)
  if type(value) == "number" then return ("%.17g"):format(value) end
  return (tostring(value):gsub("U?LL$", ""))
end

--- The kind of a value, for "expected a table, got a string".
function names.kind(value)
  local mt = getmetatable(value)
  local object = type(mt) == "string" and type(value) ~= "string" and mt:match "^ndbuf%.(%w+)$"
  return object and (objects[object] or "an array") or kinds[type(value)] or type(value)
end

return names
