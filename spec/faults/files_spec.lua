-- Failing file operations, and processes that are killed while they save.
local H = require "spec.helper"
local kills = require "spec.faults.files_kills"
local nd = require "ndbuf"

local PRELOAD = H.build .. "/spec/faults/files_preload.so"

-- A folder for many small files, in memory where there is such a place: fsync costs nothing there.
local function make_folder()
  local status, out = H.run "mktemp -d /dev/shm/ndbuf-XXXXXX"
  return status == 0 and out:gsub("\n", "") or H.dir()
end

-- The same with the library that makes operations fail; sanitizers stay before it.
local function with_faults(script, ...)
  local words = {}
  for i, word in ipairs {...} do words[i] = H.quote(word) end
  local paths = ("LUA_PATH=%s LUA_CPATH=%s"):format(H.quote(package.path), H.quote(package.cpath))
  return H.run(("%s LD_PRELOAD=\"${LD_PRELOAD:+$LD_PRELOAD:}$(pwd)\"/%s %s %s %s %s"):format(paths,
    H.quote(PRELOAD), os.getenv "LUAJIT" or "luajit", jit.status() and "" or "-joff", script,
    table.concat(words, " ")))
end

local function names_in(folder)
  local _, out = H.run("ls -A " .. H.quote(folder))
  local names = {}
  for name in out:gmatch "[^\n]+" do names[#names + 1] = name end
  return names
end

-- How many temporary files are left; they are removed. Nothing else may be there but 'own'.
local function remove_left(folder, own)
  local left = 0
  for _, name in ipairs(names_in(folder)) do
    if name ~= own then
      assert.is_truthy(name:find "^%.nd%x+%-%x+$", name)
      assert(os.remove(folder .. "/" .. name))
      left = left + 1
    end
  end
  return left
end

describe("file operations", function()
  it("that the module calls are those that can be made to fail", function()
    local function names(what, path)
      local _, out = H.run(("nm -D --%s-only %s"):format(what, H.quote(path)))
      local set = {}
      for name in out:gmatch "%s([%w_]+)[@\n]" do set[name] = true end
      return set
    end
    local used = names("undefined", H.build .. "/ndbuf/core.so")
    local known = names("defined", PRELOAD)
    assert.is_true(used.open and known.open)
    for name in ([[open open64 openat creat fopen read pread pread64 readv preadv write pwrite
      pwrite64 writev pwritev fsync fdatasync sync_file_range msync close rename renameat link
      linkat symlink unlink unlinkat remove ftruncate ftruncate64 truncate fallocate
      posix_fallocate stat fstat lstat fstatat stat64 fstat64 mmap mmap64 realpath mkstemp
      readlink copy_file_range sendfile flock lockf]]):gmatch "%S+" do
      if used[name] then assert.is_true(known[name], name) end
    end
  end)

  it("may be interrupted, short or refused, one by one, in every function", function()
    local folder = make_folder()
    local status, out, err = with_faults("spec/faults/files.lua", folder)
    assert.are.equal("", err)
    assert.are.equal(0, remove_left(folder))
    assert(os.remove(folder))
    print("file faults: " .. out:match "([^\n]*)\n$")
    assert.are.equal(0, status, out)
    assert.is_true(tonumber(out:match "(%d+) sites found") > 1000)
  end)
end)

describe("a file that another replaces while it is read", function()
  it("is what was opened, with the header that was read, by every reader", function()
    local status, out, err = with_faults("spec/faults/files_swap.lua", H.dir())
    assert.are.equal("", err)
    assert.are.equal(0, status, out)
    assert.are.equal("11 readers\n", out)
  end)
end)

describe("a save that is killed", function()
  it("at any of its operations leaves the old file or the new one", function()
    local folder, killed, left = make_folder(), 0, 0
    for _, extension in ipairs {"npy", "pgm", "ppm", "wav"} do
      local path, own = folder .. "/a." .. extension, "a." .. extension
      local is_new = false
      for n = 1, 100 do
        nd.save(path, kills.make(path, 1))
        local status, _, err = with_faults("spec/faults/files_kill.lua", path, n)
        local value = kills.value_of(path, H.path("whole." .. extension))
        if status == 0 then
          assert.are.equal(2, value)
          break
        end
        assert.are.equal(137, status, err)
        killed = killed + 1
        assert.is_true(value == (is_new and 2 or 1) or value == 2, own .. " is damaged")
        is_new = value == 2 -- and stays so
        left = left + remove_left(folder, own)
        assert.is_true(n < 100)
      end
      os.remove(path)
    end
    os.remove(folder)
    print(("killed at %d operations, %d times while a temporary file was there"):format(killed,
      left))
    assert.is_true(killed > 20 and left > 10)
  end)

  it("at any time leaves a whole file #slow", function()
    local rng, tries, left, values = H.rng "kills", 0, 0, {}
    local folder, fifo = H.dir(), H.path "fifo"
    assert.are.equal(0, (H.run("mkfifo " .. H.quote(fifo))))
    local paths = ("LUA_PATH=%s LUA_CPATH=%s"):format(H.quote(package.path),
      H.quote(package.cpath))
    local wanted = math.max(5, H.cases(100))
    while left < wanted do -- in the middle: a temporary file was there
      tries = tries + 1
      assert.is_true(tries <= 20 * wanted, "most kills came too early or too late")
      local extension = ({"npy", "pgm", "ppm", "wav"})[tries % 4 + 1]
      local path = folder .. "/a." .. extension
      local command = [[%s %s spec/faults/files_kill.lua %s >%s &
        read line <%s; sleep %.4f; kill -9 $!; wait $!]]
      H.run(command:format(paths, os.getenv "LUAJIT" or "luajit", H.quote(path), H.quote(fifo),
        H.quote(fifo), 0.03 * rng()))
      local value = kills.value_of(path, H.path("whole." .. extension))
      assert.is_truthy(value, path .. " is damaged")
      values[value] = true
      left = left + remove_left(folder, "a." .. extension)
      os.remove(path)
    end
    local different = 0
    for _ in pairs(values) do different = different + 1 end
    print(("killed %d times, %d times while a temporary file was there, %d files seen"):format(
      tries, left, different))
    assert.is_true(different > 1)
  end)
end)
