--- Values as the prompt prints them: arrays as print does, strings quoted, tables two levels deep.
local show = {}

local MOST_ENTRIES, MOST_BYTES, DEPTH, WIDTH = 100, 1000, 2, 78

local escapes = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"', ["\\"] = "\\\\" }

local function escape(c) return escapes[c] or ("\\%03d"):format(c:byte()) end

local function quote(text)
  local head = text:sub(1, MOST_BYTES)
  local quoted = '"' .. head:gsub('[%c"\\]', escape) .. '"'
  return head == text and quoted or ("%s... (%d bytes)"):format(quoted, #text)
end

local show_table

-- A value as an entry of a table: only its first line.
local function show_entry(value, depth)
  local mt = debug.getmetatable(value)
  if type(value) == "string" then return quote(value) end
  if type(value) == "function" then return "function" end
  if type(value) == "table" and not (mt and mt.__tostring) then return show_table(value, depth) end
  return tostring(value):match "^[^\n]*"
end

local function show_key(key)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" then return key end
  return "[" .. show_entry(key, 0) .. "]"
end

local function by_name(k, l)
  if type(k) == "number" and type(l) == "number" then return k < l end
  return tostring(k) < tostring(l)
end

-- The keys other than 1 to n, sorted.
local function other_keys(t, n)
  local keys = {}
  for key in next, t do
    local is_listed = type(key) == "number" and key >= 1 and key <= n and key == math.floor(key)
    if not is_listed then keys[#keys + 1] = key end
  end
  table.sort(keys, by_name)
  return keys
end

-- The parts joined by commas, wrapped at WIDTH.
local function wrap(parts)
  local lines = { "" }
  for i, part in ipairs(parts) do
    local line = lines[#lines]
    if line ~= "" and #line + #part + 2 > WIDTH then
      lines[#lines + 1] = part
    else
      lines[#lines] = i == 1 and part or line .. ", " .. part
    end
  end
  return table.concat(lines, ",\n ")
end

function show_table(t, depth)
  if next(t) == nil then return "{}" end
  if depth == 0 then return "{...}" end
  local n, parts = #t, {}
  local keys = other_keys(t, n)
  local count = n + #keys
  for i = 1, math.min(count, MOST_ENTRIES) do
    local key = keys[i - n]
    local text = show_entry(rawget(t, key == nil and i or key), depth - 1)
    parts[i] = key == nil and text or show_key(key) .. " = " .. text
  end
  if count > MOST_ENTRIES then parts[#parts + 1] = "..." end
  return "{" .. wrap(parts) .. "}"
end

--- One value.
function show.value(value)
  local kind, mt = type(value), debug.getmetatable(value)
  local is_plain = kind == "string" or kind == "table" and not (mt and mt.__tostring)
  return is_plain and show_entry(value, DEPTH) or tostring(value)
end

--- Several values, separated by tabs, or by line ends if one of them has several lines.
function show.values(...)
  local texts, between = {}, "\t"
  for i = 1, select("#", ...) do
    texts[i] = show.value((select(i, ...)))
    if texts[i]:find "\n" then between = "\n" end
  end
  return table.concat(texts, between)
end

return show
