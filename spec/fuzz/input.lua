--- The input of a fuzzer as numbers; 0 when it is used up.
local input = {}

--- The next byte.
function input:byte()
  self.at = self.at + 1
  return self.data:byte(self.at) or 0
end

--- From 'lo' to 'hi'.
function input:between(lo, hi) return lo + self:byte() % (hi - lo + 1) end

--- An entry of a list.
function input:pick(list) return list[self:between(1, #list)] end

--- All that is left.
function input:rest()
  local at = self.at
  self.at = #self.data
  return self.data:sub(at + 1)
end

--- A reader of this string.
return function(data)
  return setmetatable({data = data, at = 0}, {__index = input})
end
