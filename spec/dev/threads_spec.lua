-- Threads: how many there are, that results do not depend on them, forks, and what serves from the
-- cache of host memory.
local H = require "spec.helper"
local core = require "ndbuf.core"
local nd = require "ndbuf"

local rng = H.rng "threads"

-- Sanitizers do not know the threads' library: builds for them have but one.
local function built(n) return H.is_sanitized and 1 or n end

-- Copies of every path of the planner, long enough for several threads.
local function copies(seed)
  local a = nd.random({3, 400, 500}, "f32", {seed = seed})
  local u = nd.randint(-100, 100, {1000, 999}, "i16", {seed = seed})
  return {
    whole = a:clone(), converted = a:astype "f64", narrowed = u:astype "u8",
    turned = u.T:clone(), turned_and_converted = a:permute(3, 1, 2):astype "f16",
    every_second = u":, ::2":clone(), reversed = u"::-1, ::-1":clone(),
    broadcast = a"1:1":expand(5, 400, 500):clone(), filled = nd.full({1000, 1000}, 7, "i32"),
  }
end

describe("threads", function()
  local before = core.stats().threads
  after_each(function() nd.set_threads(before) end)

  it("are set, and the former count is returned", function()
    assert.equal(before, nd.set_threads(3))
    assert.equal(built(3), nd.set_threads(1))
    assert.equal(1, nd.info().threads)
    for _, n in ipairs {0, -1, 257, 1.5, 2 ^ 40} do
      assert.equal("invalid_argument", select(2, pcall(nd.set_threads, n)).code)
    end
    assert.equal(1, core.stats().threads)
  end)

  it("give the same bytes, however many", function()
    local seed = rng(1e6)
    nd.set_threads(1)
    local alone = copies(seed)
    for _, n in ipairs {2, 3, 7} do
      nd.set_threads(n)
      for name, array in pairs(copies(seed)) do
        assert.is_true(array:bitcast "u8":equal(alone[name]:bitcast "u8"), name .. " on " .. n)
      end
    end
  end)

  -- Rows are cut; equal indices, so that the order within each place shows.
  it("write rows by an index as one does, however many", function()
    local seed = rng(1e6)
    local index = nd.randint(1, 40, {500}, "i64", {seed = seed})
    local values = nd.random({500, 1201}, "f32", {seed = seed})
    local blocks = nd.random({500, 5, 300}, "f32", {seed = seed})
    local function written()
      local cut = nd.zeros({40, 7, 302}, "f32")":, 2:6, 2:301" -- of rows that do not run on
      return {
        put = nd.zeros({40, 1201}, "f32"):put(index, values),
        added = nd.zeros({40, 1201}, "f32"):index_add(1, index, values),
        columns = nd.zeros({1201, 40}, "f32"):index_add(2, index, values.T),
        converted = nd.zeros({40, 1201}, "i16"):put(index, values * 1000),
        one = nd.zeros({40, 1201}, "f32"):put(index, values"1"),
        cut = (cut:put(index, blocks)), cut_added = cut:clone():index_add(1, index, blocks),
      }
    end
    nd.set_threads(1)
    local alone = written()
    local last = {}
    for k = 1, 500 do last[tonumber(index[k])] = k end
    for at, k in pairs(last) do
      assert.is_true(alone.put[at]:equal(values[k]) and alone.cut[at]:equal(blocks[k]))
    end
    for _, n in ipairs {2, 3, 7} do
      nd.set_threads(n)
      for name, array in pairs(written()) do assert.is_true(array:equal(alone[name]), name) end
    end
  end)

  it("are one in a forked child, which does not wait for the others", function()
    local status, out, err = H.luajit(nil, [[
      local ffi, nd = require "ffi", require "ndbuf"
      ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int);"
      nd.set_threads(4)
      local a = nd.ones({4096, 1024}, "f32")
      local b = a.T:clone()
      local pid = ffi.C.fork()
      if pid == 0 then
        local c = a.T:clone()
        ffi.C._exit(c:equal(b) and nd.info().threads == 1 and 7 or 1)
      end
      local status = ffi.new "int[1]"
      ffi.C.waitpid(pid, status, 0)
      print(status[0], nd.info().threads)]])
    assert.equal("", err)
    assert.equal(0, status)
    assert.equal(("%d\t%d\n"):format(7 * 256, built(4)), out)
  end)

  it("are not needed: without room for their stacks one does the work", function()
    if H.is_sanitized then return pending "there is but one" end
    local program = [[
      local ffi, nd = require "ffi", require "ndbuf"
      ffi.cdef "int setrlimit(int, const uint64_t *);"
      nd.set_threads(1) -- none is made before the limit
      local a, pages = nd.ones({2 ^ 20}, "f64"), io.open "/proc/self/statm":read "*n"
      local most = pages * 4096 + nd.MiB -- of address space
      if ... == "limited" then
        assert(ffi.C.setrlimit(9, ffi.new("uint64_t[2]", most, most)) == 0)
      end
      nd.set_threads(4)
      local sum, max, text = a:sum(), a:max(), io.open "/proc/self/status":read "*a"
      print(sum, max, nd.info().threads, text:match "Threads:%s*(%d+)")]]
    for how, made in pairs {limited = 1, free = 4} do
      local status, out, err = H.luajit(nil, program, how)
      assert.equal("", err)
      assert.equal(0, status)
      assert.equal(("1048576\t1\t4\t%d\n"):format(made), out)
    end
  end)

  it("take their number from the environment", function()
    local program = [[
      local ffi = require "ffi"
      ffi.cdef "int setenv(const char *, const char *, int);"
      ffi.C.setenv("NDBUF_THREADS", ..., 1)
      print(require "ndbuf".info().threads)]]
    local _, out = H.luajit(nil, program, "3")
    assert.equal(built(3) .. "\n", out)
    for _, value in ipairs {"0", "x", "2x", "257"} do
      local status, _, err = H.luajit(nil, program, value)
      assert.equal(1, status)
      assert.truthy(err:find('NDBUF_THREADS is "' .. value .. '"; it takes 1 to 256', 1, true), err)
    end
  end)
end)

describe("the cache of host memory", function()
  local function fresh(bytes) return nd.empty({bytes}, "u8"):allocate() end

  it("serves the next block of about the size, and is counted", function()
    local a = fresh(8 * nd.MiB)
    local address, live = a:address(), core.stats().live
    a:free()
    local stats = core.stats()
    assert.equal(live - 8 * nd.MiB, stats.live)
    if stats.cached == 0 then return pending "checkers of memory see blocks come and go" end
    assert.is_true(stats.cached >= 8 * nd.MiB)
    local b = fresh(7 * nd.MiB)
    assert.equal(address, b:address())
    assert.equal(live - nd.MiB, core.stats().live)
    b:free()
  end)

  it("never serves zeroed memory", function()
    for _ = 1, 5 do
      local a = fresh(4 * nd.MiB)
      a:fill(255)
      a:free()
      local b = nd.zeros({4 * nd.MiB}, "u8")
      assert.is_true(b:equal(nd.zeros({1}, "u8"):expand(4 * nd.MiB)))
      b:free()
    end
  end)

  it("is of 16 blocks at most", function()
    local many = {}
    for i = 1, 40 do many[i] = fresh((i % 3 + 1) * nd.MiB) end
    for i = 1, 40 do many[i]:free() end
    assert.is_true(core.stats().cached <= 16 * 3 * nd.MiB)
  end)

  it("is of 1 GiB, or a sixteenth of the memory, at most", function()
    local most = math.min(nd.GiB, nd.device("cpu").total_memory / 16)
    local many = {}
    for i = 1, 9 do many[i] = fresh(math.floor(most / 5)) end -- never touched
    for i = 1, 9 do many[i]:free() end
    assert.is_true(core.stats().cached <= most)
    fresh(most + nd.MiB):free()
    assert.is_true(core.stats().cached <= most)
  end)
end)
