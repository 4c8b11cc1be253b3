--- The iterator of a:rows(), which moves one array along an axis. docs/internals.md (Fast heads,
-- Moving rows) has the reasons for the order of the steps below.
local ffi = require "ffi"
local head = require "ndbuf.head"

local rows = {}

--- The FFI type of ndb_rows (src/bind/bind.h): a handle, and what moves it. The address is stored
-- as a pointer, as the accessors load it: LuaJIT takes an integer for another place in memory. The
-- epoch is read as a double, for which no cdata is made.
rows.ctype = ffi.typeof([[struct {
  $;
  double count;
  ptrdiff_t stride, first_offset;
  uint8_t *first_p1;
  double first_epoch;
}]], head.ctype "u8")

-- The iterator that compiled code moves by. All that makes cdata comes first, then the tests, and
-- last the comparison of the epochs, twice, as in accessors.lua: a finalizer that runs before it
-- and changes the epoch is noticed, and after it there is none until both fields are set.
local function compiled(core)
  local next_row, is_array = core.next_row, {}
  for _, mt in pairs(core.metatables) do is_array[mt] = true end
  local cast, pointer, floor, type = ffi.cast, ffi.typeof("$ *", rows.ctype), math.floor, type
  local metatable = require "debug".getmetatable -- the table itself, as in accessors.lua
  local magic = ffi.cast("const void *", core.rows_magic)
  return function(row, i)
    if type(i) == "number" and is_array[metatable(row)] then
      local r = cast(pointer, row)
      if r.magic == magic then
        local epoch, storage, view, by = r.first_epoch, r.storage, r.view, r.stride * i
        local p1, offset = r.first_p1 + by, r.first_offset + by
        if i >= 0 and i < r.count then
          if floor(i) == i and epoch == r.first_epoch and epoch == storage.epoch
              and epoch == r.first_epoch and epoch == storage.epoch then
            r.p1, view.offset = p1, offset
            return i + 1, row
          end
        elseif i == r.count then
          return nil
        end
      end
    end
    return next_row(row, i)
  end
end

--- Replace the methods 'rows', which return the array that moves, by those that scripts call.
function rows.install(core)
  local step = jit.status() and compiled(core) or core.next_row
  for _, mt in pairs(core.metatables) do
    local make = mt.methods.rows
    function mt.methods.rows(...) return step, make(...), 0 end
  end
end

return rows
