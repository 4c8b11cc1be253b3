-- The tables of docs/from-numpy.md and docs/from-torch7.md. NumPy's rows are run in both, and agree
-- or differ as they say. torch7 is not to be had here: of its page only ndbuf's column runs.
local H = require "spec.helper"

-- Variables that a row may change, or view; i holds indices, which differ by one.
local VARIABLES = {"v", "a", "m", "z", "mask", "raw"}

-- The page: {settings = text by language, sections = {title = {rows of cells}}, titles in order}.
local function read_page(path)
  local page, title, fence = {settings = {}, sections = {}, order = {}}, nil, nil
  for line in io.lines(path) do
    local mark = line:match "^```(.*)$"
    if mark then
      fence = not fence and mark or nil
      if fence then page.settings[fence] = page.settings[fence] or "" end
    elseif fence then
      page.settings[fence] = page.settings[fence] .. line .. "\n"
    elseif line:find "^## " then
      title = line:sub(4)
      page.sections[title] = {}
      page.order[#page.order + 1] = title
    elseif line:find "^|" and not line:find "^|%-" and line:find "`" then
      local cells = {}
      for cell in line:gmatch "|([^|]*)" do
        cells[#cells + 1] = cell:match "^%s*`?(.-)`?%s*$"
      end
      cells[#cells] = nil -- after the last bar
      table.insert(page.sections[title], cells)
    end
  end
  return page
end

-- Rows {mode, code} in one language: a list of {text, kind}.
local function run_rows(language, setting, rows, folder)
  local lines = {}
  for i, row in ipairs(rows) do lines[i] = row[1] .. " " .. row[2] .. "\n" end
  local file = H.write(H.path "rows", setting .. "--\n" .. table.concat(lines))
  local out
  if language == "python" then
    out = H.python("spec/docs/rows.py", file, folder, unpack(VARIABLES))
  else
    local status, err
    status, out, err = H.luajit(nil, "spec/docs/rows.lua", file, folder, unpack(VARIABLES))
    assert.equal("", err)
    assert.equal(0, status)
  end
  local results = {}
  for line in out:gmatch "([^\n]*)\n" do
    results[#results + 1] = {line:match "^([^\t]*)\t?(.*)$"}
  end
  assert.equal(#rows, #results)
  return results
end

local function column(rows, index, mode)
  local list = {}
  for i, row in ipairs(rows) do list[i] = {mode, row[index]} end
  return list
end

local function numpy_and_ndbuf(page, left, right)
  local folder = H.dir()
  return run_rows("python", page.settings.python, left, folder),
         run_rows("lua", page.settings.lua, right, folder)
end

-- A value, or the beginning of an error: its code, class or text.
local function check_outcome(want, got, what)
  local error_text = got:match "^error (.*)$"
  local plain = want:gsub("True", "true"):gsub("False", "false")
  if error_text then
    assert.equal(want, error_text:sub(1, #want), what)
  else
    assert.equal(plain, got, what)
  end
end

describe("docs/from-numpy.md", function()
  local page = read_page "docs/from-numpy.md"
  local total = 0

  for _, title in ipairs(page.order) do
    local rows = page.sections[title]
    if title ~= "Where they differ" then
      total = total + #rows
      it("says the same in both: " .. title, function()
        assert.is_true(#rows > 0)
        local mode = title == "Assigning" and "state" or "value"
        local theirs, ours = numpy_and_ndbuf(page, column(rows, 1, mode), column(rows, 2, mode))
        for i, row in ipairs(rows) do
          local what = row[1] .. "  |  " .. row[2]
          assert.is_nil(theirs[i][1]:match "^error.*", what)
          assert.equal(theirs[i][1], ours[i][1], what)
          if (row[3] or "") ~= "" then
            assert.equal(row[3], theirs[i][2], "NumPy: " .. what)
            assert.equal(row[3], ours[i][2], "ndbuf: " .. what)
          end
        end
      end)
    end
  end

  it("has a hundred rows and more", function() assert.is_true(total > 100, total) end)

  it("says how assigning changes the variables", function()
    local nothing = run_rows("lua", page.settings.lua, {{"state", "v = v"}}, H.dir())[1][1]
    local rows = page.sections["Assigning"]
    local results = run_rows("lua", page.settings.lua, column(rows, 2, "state"), H.dir())
    for i, result in ipairs(results) do
      assert.is_true(result[1] ~= nothing, rows[i][2])
    end
  end)

  it("says where they differ", function()
    local rows = page.sections["Where they differ"]
    assert.is_true(#rows > 10)
    local theirs, ours = numpy_and_ndbuf(page, column(rows, 1, "value"), column(rows, 3, "value"))
    for i, row in ipairs(rows) do
      assert.equal(4, #row, row[1])
      check_outcome(row[2], theirs[i][1], "NumPy: " .. row[1])
      check_outcome(row[4], ours[i][1], "ndbuf: " .. row[3])
      assert.is_true(theirs[i][1] ~= ours[i][1], row[1])
    end
  end)
end)

describe("docs/from-torch7.md, its column of ndbuf", function()
  local page = read_page "docs/from-torch7.md"
  local folder = H.dir()
  local total = 0

  for _, title in ipairs(page.order) do
    local rows = page.sections[title]
    total = total + #rows
    local differs = title == "Where they differ"
    it("gives what it says: " .. title, function()
      assert.is_true(#rows > 0)
      local mode = title == "Assigning" and "state" or "value"
      local code, want = differs and 3 or 2, differs and 4 or 3
      local results = run_rows("lua", page.settings.lua, column(rows, code, mode), folder)
      for i, row in ipairs(rows) do
        assert.equal(want, #row, row[1])
        local got = results[i][1]
        if mode == "state" then -- one variable of those there are
          got = ("; " .. got .. ";"):match("; (" .. row[want]:match "^%l+" .. " = .-);")
        end
        check_outcome(row[want], got, row[code])
      end
    end)
  end

  it("has eighty rows and more", function() assert.is_true(total > 80, total) end)
end)
