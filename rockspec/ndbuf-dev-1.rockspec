rockspec_format = "3.0"
package = "ndbuf"
version = "dev-1"
source = {
  url = "git+https://github.com/ndbuf/ndbuf.git",
}
description = {
  summary = "Typed, strided n-d arrays over host, mapped and CUDA memory, for LuaJIT",
  detailed = [[
    ndbuf gives LuaJIT scripts n-dimensional arrays that are views over memory, wherever it is.
    Element access compiles to machine code, slices never copy, and what is mapped or allocated is
    freed with its last view.]],
  homepage = "https://github.com/ndbuf/ndbuf",
  issues_url = "https://github.com/ndbuf/ndbuf/issues",
  license = "MIT",
  labels = {"array", "ndarray", "luajit", "mmap"},
}
supported_platforms = {"linux"}
-- LuaJIT is required, and checked when the module is loaded: LuaRocks counts it as Lua 5.1.
dependencies = {"lua == 5.1"}
build = {
  type = "make",
  -- For both passes, so that 'make install' finds everything built. What is optional stays out of
  -- here: an unset variable would arrive empty, and hide what the Makefile finds by itself.
  variables = {
    CFLAGS = "$(CFLAGS)",
    LIBFLAG = "$(LIBFLAG)",
    LUA_INCDIR = "$(LUA_INCDIR)",
  },
  install_target = "install-module",
  install_variables = {
    INST_BINDIR = "$(BINDIR)",
    INST_DOCDIR = "$(PREFIX)/doc",
    INST_LIBDIR = "$(LIBDIR)",
    INST_LUADIR = "$(LUADIR)",
  },
}
test = {
  type = "command",
  command = "make check",
}
