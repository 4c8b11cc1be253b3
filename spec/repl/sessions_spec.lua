-- What the pages show of the prompt is typed into it, and has to print the same.
local H = require "spec.helper"
local terminal = require "spec.repl.terminal"

-- The commands in the blocks of a page that begin with "> " or "$ ": {mark, text, answer}.
local function read_commands(path)
  local list, is_open, wanted = {}, false, nil
  for line in io.lines(path) do
    local mark, text = line:match "^([>$]) (.*)$"
    if line:find "^```" then
      is_open, wanted = not is_open, nil
    elseif is_open and mark then
      wanted = {}
      list[#list + 1] = {mark = mark, text = text, answer = wanted}
    elseif is_open and wanted then
      wanted[#wanted + 1] = line
    end
  end
  for _, command in ipairs(list) do command.answer = table.concat(command.answer, "\n") end
  return list
end

-- Where a page is followed: as in the checkout after 'make demo'.
local function folder()
  local path = H.dir()
  assert.equal(0, (H.run(("ln -s \"$PWD/examples\" %s/examples"):format(H.quote(path)))))
  assert.equal(0, (H.run(("mkdir %s/build"):format(H.quote(path)))))
  return path
end

-- Types what is behind "> " at one prompt.
local function follow(path, place)
  local lines, expected = {}, {}
  for _, command in ipairs(read_commands(path)) do
    if command.mark == ">" then
      lines[#lines + 1], expected[#expected + 1] = command.text, command.answer
    end
  end
  assert.is_true(#lines > 3, "no commands were found in " .. path)
  local answers, status = terminal.talk(lines, {folder = place})
  for i, line in ipairs(lines) do
    assert.equal("> " .. line .. "\n" .. expected[i], "> " .. line .. "\n" .. answers[i])
  end
  assert.equal(0, status)
end

describe("the session in README.md", function()
  it("goes as shown", function() follow("README.md", folder()) end)
end)

describe("docs/ten-minutes.md", function()
  local page = "docs/ten-minutes.md"

  it("needs fifteen commands, first and last in the shell", function()
    local list = read_commands(page)
    assert.is_true(#list <= 15, #list .. " commands")
    assert.truthy(list[1].text:find "^git clone [^ ]+ && cd ndbuf && make demo$")
    assert.equal("bin/ndbuf", list[2].text)
    for i = 3, #list - 1 do assert.equal(">", list[i].mark) end
    assert.equal("$", list[#list].mark)
  end)

  it("goes as shown, and NumPy reads what it saved", function()
    local place, list = folder(), read_commands(page)
    follow(page, place)
    local last = list[#list]
    local command = last.text:gsub("^python3 ", H.quote(H.python_path) .. " ")
    local status, out, err = H.run("cd " .. H.quote(place) .. " && env -u LD_PRELOAD " .. command)
    assert.equal("", err)
    assert.equal(last.answer .. "\n", out)
    assert.equal(0, status)
    -- and the whole file is what Python makes of the sound by itself
    assert.equal("True\n", H.python([[
import sys, wave
import numpy as np
with wave.open("examples/data/speech.wav") as f:
    x = np.frombuffer(f.readframes(f.getnframes()), "<i2")
want = np.stack([x[i * 256:i * 256 + 512] for i in range(100, 200)])
print(np.array_equal(np.load(sys.argv[1]), want))
]], place .. "/build/frames.npy"))
  end)
end)
