-- Which CUDA driver and which cards 'make gpu-check' and 'make bench-gpu' run on.
local ffi = require "ffi"

local card = {}

local function is_simulated(path)
  ffi.cdef "uint64_t cusim_calls(const char *function);"
  local driver = ffi.load(path)
  return (pcall(function() return driver.cusim_calls end))
end

-- The kernel module's own number, such as 550.54.15; the driver's API does not tell it.
local function module_version()
  local file = io.open "/proc/driver/nvidia/version"
  local line = file and file:read "*l" or ""
  if file then file:close() end
  return line:match "Module.-%s(%d+%.[%d.]+)" or "unknown"
end

-- {simulated =, count =, lines = {text, …}}; nil and the reason where there is no GPU.
function card.find(nd, path)
  local fine, why = nd.cuda.available()
  if not fine then return nil, why end
  local devices = nd.devices()
  local found = {simulated = is_simulated(path), count = #devices - 1, lines = {}}
  found.lines[1] = found.simulated and
    ("driver: SIMULATED, %s, as CUDA %s; no card takes part"):format(path, nd.info().cuda) or
    ("driver: %s, CUDA %s, kernel module %s"):format(path, nd.info().cuda, module_version())
  for i = 2, #devices do
    local d = devices[i]
    local line = "%s: %s, compute capability %d.%d, %.1f GiB"
    found.lines[i] = line:format(d.name, d.model, d.capability[1], d.capability[2],
      d.total_memory / 2 ^ 30)
  end
  return found
end

return card
