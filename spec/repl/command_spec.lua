-- bin/ndbuf: scripts, code, pipes, the prompt; and that it finds ndbuf where it is installed.
local H = require "spec.helper"
local terminal = require "spec.repl.terminal"

local function ndbuf(arguments, input)
  local from = input and ("printf '%%s' %s |"):format(H.quote(input)) or ""
  return H.run(("%s bin/ndbuf %s"):format(from, arguments or ""))
end

describe("bin/ndbuf", function()
  it("runs a script with its arguments", function()
    local script = H.write(H.path "s.lua", [[
      print(nd.zeros(2), arg[0] == debug.getinfo(1).source:sub(2), arg[1], arg[2], arg[3], ...)
      os.exit(7, true)]])
    local status, out, err = ndbuf(H.quote(script) .. " 'a b' c")
    assert.equal("f64 2 cpu\n[0, 0]\ttrue\ta b\tc\tnil\ta b\tc\n", out)
    assert.equal("", err)
    assert.equal(7, status)
  end)

  it("gives a script's error and a status", function()
    local status, out, err = ndbuf(H.quote(H.write(H.path "s.lua", "nd.zeros(2)[3] = 1\n")))
    assert.equal(1, status)
    assert.equal("", out)
    assert.truthy(err:find "s.lua:1: ndbuf: index 3 is out of range for axis 1 of size 2")
    status, out, err = ndbuf "/nowhere/s.lua"
    assert.equal(1, status)
    assert.equal("", out)
    assert.truthy(err:find("cannot open /nowhere/s.lua", 1, true), err)
  end)

  it("runs code, and a script from standard input", function()
    local status, out, err = ndbuf "-e 'print(nd.ones(1)[1])'"
    assert.same({0, "1\n", ""}, {status, out, err})
    status, out, err = ndbuf("- x", "print(...)\nnd.zeros(1)\n")
    assert.same({0, "x\n", ""}, {status, out, err})
    assert.equal(1, (ndbuf "-e 'nil + 1'"))
  end)

  it("explains itself and says its version", function()
    for _, flag in ipairs {"-h", "--help"} do
      local status, out, err = ndbuf(flag)
      assert.truthy(out:find "^usage: ndbuf ")
      assert.same({0, ""}, {status, err})
    end
    local wanted = "ndbuf " .. require "ndbuf"._VERSION
    for _, flag in ipairs {"-v", "--version"} do
      local status, out, err = ndbuf(flag)
      assert.same({0, ""}, {status, err})
      assert.equal(wanted, out:sub(1, #wanted))
    end
  end)

  it("says what to install where there is no LuaJIT", function()
    local status, out, err = H.run "LUAJIT=no-such-luajit bin/ndbuf -v"
    assert.same({127, ""}, {status, out})
    assert.truthy(err:find("apt-get install luajit", 1, true), err)
  end)

  it("says what to do before anything is built", function()
    local folder = H.dir()
    assert.equal(0, H.run("LD_PRELOAD= cp -r bin lua " .. H.quote(folder)))
    for _, arguments in ipairs {"-v", "-e 'print(1)'", "script.lua", "</dev/null"} do
      local status, out, err = H.run(("LUA_CPATH= %s/bin/ndbuf %s"):format(folder, arguments))
      assert.same({1, ""}, {status, out})
      assert.equal(("ndbuf: it is not built yet; run 'make' in %s first\n"):format(folder), err)
    end
    assert.equal(0, (H.run("LUA_CPATH= " .. folder .. "/bin/ndbuf --help")))
  end)

  it("reads a pipe without a prompt", function()
    local status, out, err = ndbuf("", "nd.zeros(3)\nfor i = 1, 2 do\nprint(i)\nend\n_[1]")
    assert.same({0, "f64 3 cpu\n[0, 0, 0]\n1\n2\n0\n", ""}, {status, out, err})
    status, out, err = ndbuf("", "")
    assert.same({0, "", ""}, {status, out, err})
  end)

  it("stops at the first error in a pipe, and names its line", function()
    for code, message in pairs {
      ["1\n\nnd.zeros(2)[3]\n2"] = "stdin:3: ndbuf: index 3 is out of range for axis 1 of size 2\n",
      ["1\nx = = 1\n2"] = "stdin:2: unexpected symbol near '='\n",
      ["1\nfor i = 1, 2 do\n"] = "stdin:2: 'end' expected near '<eof>'\n",
    } do
      local status, out, err = ndbuf("", code)
      assert.same({1, "1\n", message}, {status, out, err})
    end
  end)

  it("gives the prompt on a terminal", function()
    local answers, status = terminal.type({"prompt", "type nd.zeros(1)", "keys \\x04", "end"},
                                          {command = {"bin/ndbuf"}})
    assert.truthy(answers[1]:find "^ndbuf %d", answers[1])
    assert.equal("f64 1 cpu\n[0]\n", answers[2])
    assert.equal(0, status)
  end)

  it("finds ndbuf where it was installed, by a link too", function()
    local top = H.dir() -- as 'make install' and LuaRocks have it
    local install = ([[d=%s b=%s
      mkdir -p $d/opt/bin $d/opt/lib/lua/5.1/ndbuf $d/opt/share/lua/5.1 &&
      cp bin/ndbuf $d/opt/bin/ && cp $b/ndbuf/core.so $d/opt/lib/lua/5.1/ndbuf/ &&
      cp -r lua/ndbuf $d/opt/share/lua/5.1/ &&
      ln -s opt/bin/ndbuf $d/link]]):format(H.quote(top), H.quote(H.build))
    assert.equal(0, (H.run(install)))
    for _, name in ipairs {"opt/bin/ndbuf", "link"} do
      local status, out, err = H.run(
        ("cd / && echo 'package.path' | env -u LUA_PATH -u LUA_CPATH %s/%s"):format(top, name))
      assert.equal(('"%s/opt/share/lua/5.1/?.lua;'):format(top), out:match '^"[^;]*;')
      assert.same({0, ""}, {status, err})
    end
  end)
end)
