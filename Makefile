# Builds ndbuf: the Lua module build/ndbuf/core.so and the C library build/libndbuf.a.
# Settings come first; 'make help' lists the targets.

# The folder for everything that is built. Use another folder for another variant:
# make BUILD=build/clang CC=clang
BUILD ?= build
# Yours to set: optimisation, debugging, tuning. The flags that ndbuf requires are in mk/compile.mk.
CFLAGS ?= -O2 -g
LDFLAGS ?=
# WERROR=1 makes warnings errors, as .ci/run does.
WERROR ?=
# CCACHE=ccache compiles through ccache; the results are the same.
CCACHE ?=
# V=1 shows the commands.
V ?=
# -fsanitize=… for both compiler and linker; 'make asan' sets it.
SANITIZE ?=
LIBFLAG ?= -shared

# The interpreter, and the folder of its lua.h (headers of plain Lua 5.1 work as well).
LUAJIT ?= luajit
ifeq ($(origin LUA_INCDIR),undefined)
LUA_INCDIR := $(shell sh tools/lua_headers.sh)
endif

# A Python with NumPy, which the specs use as the oracle.
PYTHON ?= /usr/bin/python3

# 'make install': DESTDIR is prepended to all paths. LuaRocks sets the INST_ folders itself.
PREFIX ?= /usr/local
DESTDIR ?=
INST_LIBDIR ?= $(DESTDIR)$(PREFIX)/lib/lua/5.1
INST_LUADIR ?= $(DESTDIR)$(PREFIX)/share/lua/5.1
INST_BINDIR ?= $(DESTDIR)$(PREFIX)/bin
INST_DOCDIR ?= $(DESTDIR)$(PREFIX)/share/doc/ndbuf

# 'make check': the seed of the order of specs and of random cases (default: from the time; it is
# printed), and additional flags for busted.
SEED ?=
BUSTED_FLAGS ?=
# How many specs run, and how many files are compiled, at the same time.
JOBS := $(or $(JOBS),$(shell nproc))
# 'make mutate': the share of faults to make (0.1), drawn with SEED, or a prefix of "file:line".
MUTANTS ?=
# 'make bench LOADED=1': the table of a machine whose processors are busy, instead of the others.
LOADED ?=
# 'make setup': the purpose of the tools to install: demo, check or ci.
FOR ?= check

# ---- nothing to change below ----

# The scripts in tools/ read these from the environment.
export BUILD LUAJIT PYTHON SEED BUSTED_FLAGS MUTANTS JOBS

MODULE := $(BUILD)/ndbuf/core.so
LIBRARY := $(BUILD)/libndbuf.a
CUDASIM := $(BUILD)/cudasim/libcuda.so.1
VERSION := $(shell sed -n 's/^\#define ND_VERSION "\(.*\)"$$/\1/p' src/base/platform.h)

# Run from the checkout: the Lua files are in lua/, the module is in BUILD.
IN_PLACE = LUA_PATH='./lua/?.lua;./lua/?/init.lua;;' LUA_CPATH='$(BUILD)/?.so;;'
Q := $(if $(filter-out 0,$(V)),,@)
SAY = $(if $(Q),@printf '  %s %s\n',@:)

# An explicit -j overrides this.
ifeq ($(MAKELEVEL),0)
  MAKEFLAGS += -j$(JOBS)
endif

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

all: $(MODULE) $(LIBRARY) ## build the module and the C library (the default)

# Installed programs are looked for when this file is read, so make runs again after 'setup'.
demo: setup-demo ## process the speech in examples/data; installs what is missing
	+@$(MAKE) --no-print-directory all
	@$(IN_PLACE) $(LUAJIT) examples/speech.lua

check: setup-check ## run all specs, C and Lua; installs what is missing
	+@$(MAKE) --no-print-directory test

setup: setup-$(FOR) ## install what is missing: make setup FOR=demo|check|ci

setup-demo setup-check setup-ci: setup-%:
	@CC='$(CC)' LUA_INCDIR='$(LUA_INCDIR)' tools/setup.sh $*

# The headers to install are those that ndbuf.h includes.
INSTALL = @VERSION='$(VERSION)' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' \
  INST_LIBDIR='$(INST_LIBDIR)' INST_LUADIR='$(INST_LUADIR)' INST_BINDIR='$(INST_BINDIR)' \
  INST_DOCDIR='$(INST_DOCDIR)' \
  HEADERS="$$($(CC) -Isrc -MM src/ndbuf.h | grep -o 'src/[a-z/_]*\.h' | LC_ALL=C sort -u)" \
  tools/install.sh

install: all ## copy module, Lua files, commands, C library, headers and docs below PREFIX
	$(INSTALL) all

install-module: all ## copy only what Lua needs, to LuaRocks' INST_ folders
	$(INSTALL) module

uninstall: ## remove what 'make install' with the same settings copied
	$(INSTALL) uninstall

dist: ## pack the files of the last commit into BUILD/ndbuf-VERSION.tar.gz
	@tools/dist.sh $(VERSION)

clean: ## remove everything that was built
	rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## /\1\t/p' Makefile mk/check.mk | \
	  while IFS='	' read -r name text; do printf '  %-14s %s\n' "$$name" "$$text"; done

include mk/compile.mk mk/link.mk mk/check.mk

.PHONY: all demo check setup setup-demo setup-check setup-ci install install-module uninstall dist \
  clean help
