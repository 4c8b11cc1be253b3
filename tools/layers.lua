-- Which layer of src/ may see which, for tools/lint.lua (includes) and tools/circles.lua (calls); a
-- name with a slash is one header. CONTRIBUTING.md has the table too.
return {
  base = {"base"},
  mem = {"base", "mem"},
  view = {"base", "mem", "view"},
  kern = {"base", "kern"},
  dev = {"base", "mem", "view", "kern", "dev"},
  ops = {"base", "mem", "view", "ops", "dev/device.h", "dev/small.h"},
  xchg = {"base", "mem", "view", "ops", "xchg", "dev/device.h", "dev/place.h", "dev/stream.h"},
  bind = {"base", "mem", "view", "kern", "dev", "ops", "xchg", "bind", "ndbuf.h"},
  ["ndbuf.h"] = {"base", "mem", "view", "ops", "xchg", "dev/backend.h", "dev/stream.h"},
  ["ndbuf.c"] = {"base", "mem", "view", "kern", "dev", "ops", "xchg", "ndbuf.h"},
}
