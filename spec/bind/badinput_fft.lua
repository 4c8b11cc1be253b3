-- Rows of spec/bind/badinput_rows.lua: Fourier transforms, which are in nd.fft, and convolutions.
local nd = require "ndbuf"

return function(rows)
  local function complex(...) return nd.ones({...}, "c128") end
  rows.fft = {
    fft = function() return nd.ones(2, 3), 4, 1, {norm = "ortho", out = complex(4, 3)} end,
    fft2 = function() return nd.ones(2, 3), {4, -1}, {2, 1}, {out = complex(2, 4)} end,
    fftfreq = function() return 5, 0.5, {dtype = "f32", device = "cpu"} end,
    fftn = function() return nd.ones(2, 3), {4}, {1}, {norm = "forward"} end,
    fftshift = function() return nd.ones(2, 3), {1, 2}, {out = nd.zeros(2, 3)} end,
    hfft = function() return complex(2, 3), 3, 1, {out = nd.zeros(3, 3)} end,
    ifft = function() return nd.ones(2, 3), {n = 4, axis = 1, norm = "ortho"} end,
    ifft2 = function() return nd.ones(2, 3), {s = {2, 2}, axes = {1, 2}} end,
    ifftn = function() return complex(2, 3), {out = complex(2, 3)} end,
    ifftshift = function() return nd.ones(2, 3), 1 end,
    ihfft = function() return nd.ones(2, 3), 3, 1 end,
    irfft = function() return complex(2, 3), 5, 2, {norm = "backward"} end,
    irfft2 = function() return complex(2, 3), {2, 4}, {1, 2} end,
    irfftn = function() return complex(2, 3), {3}, {1}, {out = nd.zeros(3, 3)} end,
    rfft = function() return nd.ones({2, 3}, "f32"), 4, -1 end,
    rfft2 = function() return nd.ones(2, 3), {2, 2}, {-2, -1} end,
    rfftfreq = function() return 5, {d = 2} end,
    rfftn = function() return nd.ones({2, 3}, "i16"), {4, 4}, {1, 2} end,
  }
  for name, mode in pairs {convolve = "same", correlate = "full"} do
    rows.functions[name] = function()
      return nd.ones(5), {1, 2, 3}, {mode = mode, out = nd.zeros(mode == "same" and 5 or 7)}
    end
    rows.methods[name] = function(a) return a[1], a[1]:clone(), {mode = mode} end
  end
  rows.functions.fftw = function() return true end
end
