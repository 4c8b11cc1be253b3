std = "luajit"
max_line_length = false -- tools/lint.lua counts characters, not bytes
files["spec"] = {std = "+busted"}
