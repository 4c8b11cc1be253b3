-- The example as its user runs it, and its functions on inputs whose results can be told by hand;
-- 'make bench-smoke' compares them with NumPy's on random ones.
local nd = require "ndbuf"
local pipelines = require "examples.pipelines"
local H = require "spec.helper"

local function close(expected, got)
  assert.equal(#expected, #got)
  for i, x in ipairs(expected) do
    assert.is_true(math.abs(got[i] - x) < 1e-6, i .. ": " .. got[i])
  end
end

describe("examples/pipelines.lua", function()
  it("shows what each makes of the data", function()
    local status, out, err = H.luajit(nil, "examples/pipelines.lua")
    assert.equal("", err)
    assert.equal(0, status)
    assert.equal([[
record log      mean temperatures of 3 stations, up to 14.3 °C
loudness        362 frames, the loudest at 1.4 s, 523 zero crossings at most
histogram       81030 of 93482 samples are in the two bins around 0
normalise       3 x 3 x 120 x 160 floats, mean 0.855
k-means         19200 colours as 4, the first pixel as (181, 207, 241)
moving average  of 10 frames: 0.170 at most, of one: 0.219
sort and join   19200 pixels with the shade of their colour, 88.0 to 209.7
]], out)
  end)

  it("has means of a log's records below the limit", function()
    local function record(station, temperature, wind)
      return "time" .. string.char(station, temperature, 0) .. "hPa?" .. string.char(0, wind)
    end
    local path = H.write(H.path "log", ("h"):rep(12) .. record(0, 10, 5) .. record(255, 7, 9)
      .. record(0, 21, 9) .. record(3, 50, 10) .. record(0, 200, 11))
    local means = pipelines.record_log(path, 10)
    assert.equal(256, #means)
    assert.equal(15.5, means[1])
    assert.equal(0, means[4])
    assert.equal(7, means[256])
    assert.equal(22.5, means:sum())
  end)

  it("has loudness and zero crossings of frames", function()
    local loud, crossings = pipelines.loudness(nd.f32 {3, -3, 3, -3, 1, 1, 1}, 4, 3)
    close({3, math.sqrt(3)}, loud)
    assert.same({3, 1}, crossings:totable())
  end)

  it("normalises images", function()
    local images = nd.array({{{{0, 255}, {51, 102}}}}, "u8") -- 1 x 1 x 2 x 2 channels
    local batch = pipelines.normalise(images, {0.5, 0}, {0.5, 2})
    assert.same({1, 2, 1, 2}, batch.shape)
    close({-1, -0.6, 0.5, 0.2}, batch:flatten())
  end)

  it("counts a histogram's borders", function()
    local counts = pipelines.histogram(nd.array {-0.1, 0, 0.99, 1, 3.99, 4, 4.1, 0 / 0}, 4, 0, 4)
    assert.equal("i64", counts.dtype)
    assert.same({2, 1, 0, 2}, counts:totable())
  end)

  it("finds clusters, and leaves the given centres alone", function()
    local points = nd.array {{0, 0, 0}, {10, 10, 10}, {0, 0, 2}, {10, 12, 10}}
    local first = points"1:2":clone()
    local centres, nearest = pipelines.k_means(points, first, 3)
    assert.same({{0, 0, 1}, {10, 11, 10}}, centres:totable())
    assert.same({1, 2, 1, 2}, nearest:totable())
    assert.is_true(first:equal(points"1:2"))
  end)

  it("averages windows", function()
    close({1.5, 2.5, 6}, pipelines.moving_average(nd.array {1, 2, 3, 9}, 2))
    close({1, 2}, pipelines.moving_average(nd.array {1, 2}, 1))
    close({3}, pipelines.moving_average(nd.array {1, 5}, 2))
  end)

  it("joins equal keys in order, and leaves out those without a partner", function()
    local left = {key = nd.i32 {5, 1, 7, 5, 9}, value = nd.array {50, 10, 70, 51, 90}}
    local right = {key = nd.i32 {7, 5, 2}, value = nd.array {0.7, 0.5, 0.2}}
    local key, a, b = pipelines.join(left, right)
    assert.same({5, 5, 7}, key:totable())
    assert.same({50, 51, 70}, a:totable())
    assert.same({0.5, 0.5, 0.7}, b:totable())
    for _, other in ipairs {{7, 8}, {0, 1}, {}} do -- all are beyond, before, there are none
      local n = #pipelines.join({key = nd.array({5, 6}, "i32"), value = nd.ones(2)},
        {key = nd.array(other, "i32"), value = nd.ones(#other)})
      assert.equal(0, n)
    end
  end)
end)
