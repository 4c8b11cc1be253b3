# Builds ndbuf: the Lua module build/ndbuf/core.so and the C library build/libndbuf.a.
# Settings come first; 'make help' lists the targets.

# Where everything that is made goes. Another folder is another variant:
# make BUILD=build/clang CC=clang
BUILD ?= build
# Yours: optimisation, debugging, tuning. What ndbuf itself needs is added below.
CFLAGS ?= -O2 -g
LDFLAGS ?=
# WERROR=1 makes warnings errors, as .ci/run does.
WERROR ?=
# CCACHE=ccache compiles by way of it; what is made is the same.
CCACHE ?=
# V=1 shows the commands.
V ?=
# -fsanitize=… for compiler and linker alike; 'make asan' sets it.
SANITIZE ?=

# The interpreter, and where its lua.h is (plain Lua 5.1 headers do as well).
LUAJIT ?= luajit
ifeq ($(origin LUA_INCDIR),undefined)
LUA_INCDIR := $(shell d=$$(pkg-config --variable=includedir luajit 2>/dev/null); \
  for i in "$$d" /usr/include/luajit-2.1 /usr/include/lua5.1; do \
    [ -n "$$i" ] && [ -e "$$i/lua.h" ] && { echo "$$i"; break; }; done)
endif

# A Python with NumPy, which the specs use as the oracle.
PYTHON ?= /usr/bin/python3

# 'make install': DESTDIR is put before everything. LuaRocks sets the INST_ folders itself.
PREFIX ?= /usr/local
DESTDIR ?=
INST_LIBDIR ?= $(DESTDIR)$(PREFIX)/lib/lua/5.1
INST_LUADIR ?= $(DESTDIR)$(PREFIX)/share/lua/5.1
INST_BINDIR ?= $(DESTDIR)$(PREFIX)/bin
INST_DOCDIR ?= $(DESTDIR)$(PREFIX)/share/doc/ndbuf

# 'make check': the seed of order and fuzz (default: the time; printed), and more flags for busted.
SEED ?=
BUSTED_FLAGS ?=
# The folders and files of specs that get a process each, what takes long first; one gets all that
# a filter may leave nothing of.
SPEC_PLACES = $(sort $(wildcard spec/dev/*_spec.lua)) spec/bind spec/ops \
  $(wildcard spec/*_spec.lua) \
  $(filter-out %/dev %/bind %/ops,$(patsubst %/,%,$(sort $(dir $(wildcard spec/*/*_spec.lua)))))
BUSTED_PLACES ?= $(if $(findstring --filter,$(BUSTED_FLAGS)),spec,$(SPEC_PLACES))
# How many specs run, and how many files compile, at a time.
JOBS := $(or $(JOBS),$(shell nproc))
# 'make mutate': a share of the faults (0.1), drawn by SEED, or what "file:line" begins with.
MUTANTS ?=
# 'make setup': what for: demo, check or ci.
FOR ?= check

# ---- nothing to change below ----

CLANG ?= clang
CLANG_FORMAT ?= clang-format
CPPCHECK ?= cppcheck
CLANG_TIDY ?= clang-tidy
VALGRIND ?= valgrind
# Registers are kept exact at each access: a load is resumed after our SIGBUS handler.
VALGRIND_FLAGS = -q --error-exitcode=9 --leak-check=full --keep-debuginfo=yes \
  --vex-iropt-register-updates=allregs-at-mem-access --suppressions=spec/valgrind.supp
# C specs whose oracle is long double, which valgrind computes in 64 bits.
LONG_DOUBLE_SPECS = $(addprefix spec/core/,$(addsuffix _spec.c,cast half kern random))
LIBFLAG ?= -shared

WARNINGS = -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
  $(if $(filter-out 0,$(WERROR)),-Werror)
# Paths stay out of the objects, so that two builds of one source are the same bytes.
ND_CFLAGS = $(OPENMP) -std=c11 -D_GNU_SOURCE -Isrc -fPIC -fvisibility=hidden \
  "-ffile-prefix-map=$(CURDIR)=." \
  $(WARNINGS) $(SANITIZE)
COMPILE = $(CC) $(CPPFLAGS) $(CFLAGS) $(ND_CFLAGS)
LIBS = -lm -lpthread -ldl
# Threads, where the compiler has OpenMP; not under sanitizers, which do not know its runtime.
ifeq ($(origin OPENMP),undefined)
OPENMP := $(if $(SANITIZE),,$(shell $(CC) -fopenmp -include omp.h -fsyntax-only -x c /dev/null \
  2>/dev/null && echo -fopenmp))
endif
Q := $(if $(filter-out 0,$(V)),,@)
SAY = $(if $(Q),@printf '  %s %s\n',@:)

SOURCES := $(sort $(wildcard src/*.c src/*/*.c))
BIND_SOURCES := $(filter src/bind/%,$(SOURCES))
CORE_SPECS := $(sort $(wildcard spec/core/*_spec.c))
# Kernels are compiled twice for x86-64: for all of them, and for those with AVX2 (kern/level.h).
LEVELS := $(if $(filter x86_64%,$(shell $(CC) -dumpmachine 2>/dev/null)),v3)
LEVELED := $(if $(LEVELS),$(addprefix src/kern/,reduce.c cast.c order.c \
  transpose.c arith.c bits.c whole.c math.c where.c gather.c))
# What takes longest to compile comes first, so that no processor waits for it in the end.
OBJECTS := $(LEVELED:%.c=$(BUILD)/obj/%.v3.o) $(SOURCES:%.c=$(BUILD)/obj/%.o)
BIND_OBJECTS := $(BIND_SOURCES:%.c=$(BUILD)/obj/%.o)
CORE_OBJECTS := $(filter-out $(BIND_OBJECTS),$(OBJECTS))
# The binding goes along for programs with Lua in them; others link none of it.
LIBRARY_OBJECTS := $(if $(LUA_INCDIR),$(OBJECTS),$(CORE_OBJECTS))
CORE_PROGRAMS := $(CORE_SPECS:%.c=$(BUILD)/%)
# Programs with a Lua state of their own.
LUA_SPECS := $(sort $(wildcard spec/bind/*_spec.c spec/faults/*_spec.c))
LUA_PROGRAMS := $(LUA_SPECS:%.c=$(BUILD)/%)
PRELOADS := $(patsubst %.c,$(BUILD)/%.so,$(wildcard spec/faults/*_preload.c))
FORMATTED = $(wildcard src/*.[ch] src/*/*.[ch] spec/*/*.[ch])
THREADED = $(addprefix %/,$(addsuffix _spec.c,device reap resource sort states storage threads))
CUDASIM := $(BUILD)/cudasim/libcuda.so.1
CUDASIM_SOURCES := $(filter-out %_spec.c %/abi_check.c,$(wildcard spec/cudasim/*.c))
CUDASIM_OBJECTS := $(CUDASIM_SOURCES:%.c=$(BUILD)/obj/%.o)
CUDASIM_SPECS := $(sort $(wildcard spec/cudasim/*_spec.c))
CUDASIM_PROGRAMS := $(CUDASIM_SPECS:%.c=$(BUILD)/%)
# The contracts on CUDA's memory and devices.
CUDA_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard spec/dev/*_spec.c)))
CONTRACT_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard spec/cudasim/contract*_spec.c)))
LUA_SOURCES = $(wildcard lua spec examples tools)

MODULE := $(BUILD)/ndbuf/core.so
LIBRARY := $(BUILD)/libndbuf.a
VERSION := $(shell sed -n 's/^\#define ND_VERSION "\(.*\)"$$/\1/p' src/base/platform.h)
DIST = ndbuf-$(VERSION)

# From the checkout: the Lua files in lua/, the module in build/.
IN_PLACE = LUA_PATH='./lua/?.lua;./lua/?/init.lua;;' LUA_CPATH='$(BUILD)/?.so;;'

# -j may say otherwise.
ifeq ($(MAKELEVEL),0)
  MAKEFLAGS += -j$(JOBS)
endif
export JOBS

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PRECIOUS: $(BUILD)/obj/%.o

all: $(MODULE) $(LIBRARY) ## build the module and the C library (the default)

# What is there is looked for when this file is read, so that it is read again after 'setup'.
demo: setup-demo ## run the main job on the speech in examples/data; installs what is missing
	+@$(MAKE) --no-print-directory all
	@$(IN_PLACE) $(LUAJIT) examples/speech.lua

check: setup-check ## run all specs, C and Lua; installs what is missing
	+@$(MAKE) --no-print-directory test

test: all $(CORE_PROGRAMS) $(LUA_PROGRAMS) $(CUDASIM) $(CUDASIM_PROGRAMS) $(CUDA_PROGRAMS) \
  $(PRELOADS) ## the same without looking at what is installed
	@BUILD='$(BUILD)' LUAJIT='$(LUAJIT)' PYTHON='$(PYTHON)' SEED='$(SEED)' \
	  BUSTED_FLAGS='$(BUSTED_FLAGS)' tools/check.sh $(CORE_PROGRAMS) $(LUA_PROGRAMS) \
	  $(CUDASIM_PROGRAMS) $(CUDA_PROGRAMS) -- $(BUSTED_PLACES)

cudasim: $(CUDASIM) ## build the simulated CUDA driver BUILD/cudasim/libcuda.so.1 (docs/gpu.md)

# Another driver: NDBUF_CUDA_DRIVER=libcuda.so.1, for the contract specs only.
cudasim-check: $(CUDASIM) $(CUDASIM_PROGRAMS) ## check the simulated CUDA driver by its contract
	@BUILD='$(BUILD)' JOBS=1 tools/check.sh $(if $(NDBUF_CUDA_DRIVER),$(CONTRACT_PROGRAMS), \
	  $(CUDASIM_PROGRAMS))

# Its parts run on the driver that NDBUF_CUDA_DRIVER names; spec/gpu/pack.sh takes them elsewhere.
GPU_PARTS := $(MODULE) $(CUDASIM) $(CONTRACT_PROGRAMS) $(CUDA_PROGRAMS)
gpu-check: $(GPU_PARTS) ## run what does not steer the simulated CUDA driver on a card
	@BUILD='$(BUILD)' LUAJIT='$(LUAJIT)' SEED='$(SEED)' spec/gpu/check.sh

CUDA_INCDIR ?= $(firstword $(patsubst %/cuda.h,%,$(wildcard /usr/local/cuda/include/cuda.h \
  /usr/local/cuda-*/include/cuda.h /opt/cuda/include/cuda.h /usr/include/cuda.h)))
abi-check: ## compare our declarations of the CUDA driver with the toolkit's cuda.h
	@$(if $(CUDA_INCDIR),$(CC) -std=c11 -D_GNU_SOURCE -Isrc -I'$(CUDA_INCDIR)' -Wall -Wextra \
	  -fsyntax-only spec/cudasim/abi_check.c && echo 'abi-check: as in $(CUDA_INCDIR)/cuda.h', \
	  echo 'skipped: no CUDA toolkit here, nothing was compared (set CUDA_INCDIR)'; \
	  echo '0 passed, 0 failed')

NVRTC ?= $(firstword $(wildcard $(CUDA_INCDIR:%/include=%)/lib64/libnvrtc.so \
  /usr/lib/*/libnvrtc.so))
nvrtc-check: ## compile the bodies of the operations by the CUDA toolkit's NVRTC
	@$(if $(NVRTC),$(LUAJIT) spec/gpu/nvrtc_check.lua '$(NVRTC)', \
	  echo 'skipped: no CUDA toolkit here, nothing was compiled (set NVRTC)'; \
	  echo '0 passed, 0 failed')

core-check: $(CORE_PROGRAMS) ## run the C specs only, which know no Lua
	@BUILD='$(BUILD)' tools/check.sh $(CORE_PROGRAMS)

faults: $(BUILD)/spec/faults/faults_spec ## make every allocation fail in every function
	@NDBUF_CASES=$${NDBUF_CASES:-10} tools/check.sh $<

# gcc's runtimes have to come first in the process. The JIT is off: they cannot see what it makes.
RUNTIME = $$(readlink -f "$$(gcc -print-file-name=$(1))")
asan: ## run all specs under AddressSanitizer and UBSan, the JIT off
	+@LUA_RUN="env LD_PRELOAD=$(call RUNTIME,libasan.so):$(call RUNTIME,libubsan.so)" \
	  LUAJIT_FLAGS=-joff NDBUF_CASES=$${NDBUF_CASES:-0.1} ASAN_OPTIONS=detect_leaks=1 \
	  UBSAN_OPTIONS=print_stacktrace=1 $(MAKE) --no-print-directory test BUILD=$(BUILD)/asan CC=gcc \
	  CFLAGS='-O1 -g -fno-omit-frame-pointer' \
	  SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined'

THREADED_CUDA = $(BUILD)/spec/dev/cuda_reap_spec
threads-check: $(CORE_PROGRAMS) $(CUDASIM) $(THREADED_CUDA)
	@BUILD='$(BUILD)' tools/check.sh $(CORE_PROGRAMS) $(THREADED_CUDA)

tsan: ## run the C specs that have threads under ThreadSanitizer
	+@$(MAKE) --no-print-directory threads-check BUILD=$(BUILD)/tsan CC=clang CFLAGS='-O1 -g' \
	  SANITIZE=-fsanitize=thread CORE_SPECS='$(filter $(THREADED),$(CORE_SPECS) $(LUA_SPECS))'

# It sees what compiled code does too; specs tagged #slow are left out, fuzz is cut short.
valgrind: ## run the specs under valgrind, the JIT on
	+@RUN='$(VALGRIND) $(VALGRIND_FLAGS)' \
	  NDBUF_CASES=$${NDBUF_CASES:-0.02} $(MAKE) --no-print-directory test \
	  BUSTED_FLAGS='$(BUSTED_FLAGS) --exclude-tags=slow' \
	  BUSTED_PLACES='$(filter-out %/suite_spec.lua,$(BUSTED_PLACES))' \
	  CORE_SPECS='$(filter-out $(LONG_DOUBLE_SPECS),$(CORE_SPECS))'

aarch64: ## run the C specs as an aarch64 program, under qemu
	+@RUN='qemu-aarch64 -L /usr/aarch64-linux-gnu' NDBUF_CASES=$${NDBUF_CASES:-0.1} \
	  $(MAKE) --no-print-directory core-check \
	  BUILD=$(BUILD)/aarch64 CC=aarch64-linux-gnu-gcc LUA_INCDIR=

luajit2: all ## run the Lua specs by OpenResty's LuaJIT, the package luajit2
	@BUILD='$(BUILD)' PYTHON='$(PYTHON)' SEED='$(SEED)' BUSTED_FLAGS='$(BUSTED_FLAGS)' \
	  tools/luajit2.sh $(BUSTED_PLACES)

# libFuzzer is clang's. What it finds and learns stays below the build folder.
FUZZERS := $(patsubst spec/fuzz/%.c,%,$(sort $(wildcard spec/fuzz/*.c)))
FUZZ_SECONDS ?= 10
fuzz: ## run each fuzzer for FUZZ_SECONDS (10), under AddressSanitizer and UBSan
	+@$(MAKE) --no-print-directory fuzz-run BUILD=$(BUILD)/fuzz CC=clang CFLAGS='-O1 -g' \
	  SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined'

fuzz-run: $(FUZZERS:%=$(BUILD)/spec/fuzz/%)
	@BUILD='$(BUILD)' SEED='$(SEED)' SECONDS_EACH='$(FUZZ_SECONDS)' tools/fuzz.sh $(FUZZERS)

# Faults are made in copies of the tree, which need everything built.
mutate: all $(CORE_PROGRAMS) $(LUA_PROGRAMS) $(CUDASIM) $(CUDASIM_PROGRAMS) $(CUDA_PROGRAMS) \
  $(PRELOADS) ## make the faults of spec/mutants/ one at a time: some spec has to notice each
	+@BUILD='$(BUILD)' LUAJIT='$(LUAJIT)' PYTHON='$(PYTHON)' SEED='$(SEED)' MUTANTS='$(MUTANTS)' \
	  $(LUAJIT) tools/mutate.lua

soak: ## run everything at full length, hours, before a release
	@.ci/run soak

# Time for it comes from fewer random cases, and from processes with little to collect. The suite on
# the simulated devices is left out: its processes run unstressed.
gc-stress: ## run all specs with a full collection before each handle and each allocation
	+@NDBUF_GC_STRESS=1 NDBUF_CASES=$${NDBUF_CASES:-0.1} $(MAKE) --no-print-directory test \
	  BUSTED_PLACES='$(filter-out %/suite_spec.lua,$(sort $(wildcard spec/*_spec.lua \
	  spec/*/*_spec.lua)))'

BENCH_HELPER := $(BUILD)/spec/bench/memory.so
BENCH_HOST = $(IN_PLACE) LUAJIT='$(LUAJIT)' $(PYTHON) spec/bench/host.py ./$(BENCH_HELPER)
bench: all $(BENCH_HELPER) ## print the tables of docs/benchmarks.md for this machine
	@$(IN_PLACE) PYTHON='$(PYTHON)' $(LUAJIT) spec/bench/run.lua
	@$(BENCH_HOST)

# It needs a card; without one it says so, and that nothing was measured.
GPU_HELPER := $(BUILD)/spec/bench/gpu.so
BENCH_GPU = $(IN_PLACE) $(LUAJIT) spec/bench/gpu.lua ./$(GPU_HELPER)
bench-gpu: all $(GPU_HELPER) ## print the GPU table of docs/benchmarks.md for this machine's card
	@$(BENCH_GPU)

gpu-parts: $(GPU_PARTS) $(GPU_HELPER)

bench-smoke: all $(BENCH_HELPER) \
  $(GPU_HELPER) ## run every benchmark once and small, for correctness only
	@{ $(IN_PLACE) PYTHON='$(PYTHON)' $(LUAJIT) spec/bench/run.lua smoke || echo stopped; \
	  $(BENCH_HOST) smoke || echo stopped; \
	  NDBUF_CUDA_DRIVER='$(CUDASIM)' $(BENCH_GPU) smoke || echo stopped; } | \
	  awk '/^[0-9]+ passed, / {p += $$1; f += $$3; next} {print} \
	  /^stopped$$/ {s++} END {if (s > 0 && f == 0) f = s; \
	  print p + 0 " passed, " f + 0 " failed"; exit f > 0}'

lint: lint-source lint-format lint-c lint-lua lint-names lint-exports \
  lint-hosts lint-mutants ## all that is checked without running

lint-source: ## layers, file and function sizes, columns, blanks, the version
	@$(LUAJIT) tools/lint.lua

lint-format: ## clang-format has nothing to change
	@bad=0; for f in $(FORMATTED); do \
	  $(CLANG_FORMAT) "$$f" | cmp -s - "$$f" || { bad=1; echo "$$f: not as 'make format' has it"; }; \
	done; exit $$bad

lint-c: ## cppcheck
	@$(CPPCHECK) -q -j$(JOBS) --std=c11 --language=c -D_GNU_SOURCE -D__GNUC__=12 -D__x86_64__ \
	  -D__BYTE_ORDER__=1234 -D__ORDER_LITTLE_ENDIAN__=1234 -DUINTPTR_MAX=1 -DUINT64_MAX=1 -Isrc \
	  --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	  --suppress=missingIncludeSystem $(SOURCES) $(CORE_SPECS) $(CUDASIM_SOURCES) $(CUDASIM_SPECS) \
	  $(CUDA_PROGRAMS:$(BUILD)/%=%.c)

lint-lua: ## luacheck
	@luacheck -q --no-color $(LUA_SOURCES)

lint-names: all ## docs/reference/ has the module's names, and what is made from it is not stale
	@$(IN_PLACE) $(LUAJIT) tools/names.lua check

docs: ## make from docs/reference/ its list of names, and what editors and the prompt's help read
	@$(IN_PLACE) $(LUAJIT) tools/docs.lua

lint-exports: all ## the module exports src/exports.txt; the library keeps to our prefixes
	@nm -D --defined-only $(MODULE) | sed 's/.* //' | LC_ALL=C sort | diff -u src/exports.txt - && \
	  ! nm -g --defined-only $(LIBRARY) | awk 'NF == 3 {print $$3}' | \
	    grep -vE '^nd[ib]?_|^luaopen_ndbuf_core$$|^DW\.ref\.__gcc_'

# clang has the targets, and needs no libc of theirs to look at the header.
lint-hosts: ## 32-bit and big-endian machines are refused, with the reason
	@for host in aarch64-linux-gnu: riscv64-linux-gnu: i386-linux-gnu:64-bit \
	  x86_64-linux-gnux32:64-bit arm-linux-gnueabi:64-bit aarch64_be-linux-gnu:little-endian \
	  s390x-linux-gnu:little-endian powerpc64-linux-gnu:little-endian; do \
	  said=$$($(CLANG) --target=$${host%:*} -ffreestanding -fsyntax-only src/base/platform.h 2>&1 | \
	    grep -o 'error: .*'); \
	  want=$${host#*:} && want=$${want:+"error: \"ndbuf needs a $$want host\""}; \
	  [ "$$said" = "$$want" ] || { echo "lint-hosts: $$host: said '$$said'" && exit 1; }; \
	done

lint-mutants: ## the text that each fault of 'make mutate' replaces is there, once
	@$(LUAJIT) tools/mutate.lua stale

tidy: ## clang-tidy, with the checks of .clang-tidy
	@printf '%s\n' $(filter-out src/base/status.c,$(SOURCES)) | \
	  xargs -P$(JOBS) -I{} $(CLANG_TIDY) --quiet --warnings-as-errors='*' {} -- \
	  -std=c11 -D_GNU_SOURCE -Isrc -I$(LUA_INCDIR) -include tools/analyzer.h

format: ## let clang-format rewrite the C files
	@$(CLANG_FORMAT) -i $(FORMATTED)

# The headers are what ndbuf.h includes.
INSTALL = @OPENMP='$(OPENMP)' BUILD='$(BUILD)' VERSION='$(VERSION)' \
  PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' \
  INST_LIBDIR='$(INST_LIBDIR)' INST_LUADIR='$(INST_LUADIR)' INST_BINDIR='$(INST_BINDIR)' \
  INST_DOCDIR='$(INST_DOCDIR)' \
  HEADERS="$$($(CC) -Isrc -MM src/ndbuf.h | grep -o 'src/[a-z/_]*\.h' | LC_ALL=C sort -u)" \
  tools/install.sh

install: all ## copy module, Lua files, commands, C library, headers and docs below PREFIX
	$(INSTALL) all

install-module: all ## copy what Lua needs only, to LuaRocks' INST_ folders
	$(INSTALL) module

uninstall: ## take away what 'make install' with the same settings copied
	$(INSTALL) uninstall

install-check: all ## install, build host programs on it, uninstall; nothing is left
	+@BUILD='$(BUILD)' LUAJIT='$(LUAJIT)' CC='$(CC)' tools/install_check.sh

rocks: ## the rockspecs, from lint to the packed rock, without a network
	+@LUAJIT='$(LUAJIT)' tools/rocks.sh

dist: ## pack the files of the last commit into BUILD/ndbuf-VERSION.tar.gz
	@mkdir -p $(BUILD)
	@git archive --prefix=$(DIST)/ -o $(BUILD)/$(DIST).tar HEAD
	@gzip -9nf $(BUILD)/$(DIST).tar
	@cd $(BUILD) && sha256sum $(DIST).tar.gz

dist-check: dist ## the tarball is always the same
	@cp $(BUILD)/$(DIST).tar.gz $(BUILD)/dist-first
	+@umask 077 && TZ=Asia/Tokyo $(MAKE) -s dist && cmp $(BUILD)/dist-first $(BUILD)/$(DIST).tar.gz
	@rm -f $(BUILD)/dist-first

reproducible: all ## what was built is what the tarball's files make in another folder and locale
	+@BUILD='$(BUILD)' tools/reproducible.sh

first-build: all ## what was missing when make began does not show in what it built
	+@BUILD='$(BUILD)' LUAJIT='$(LUAJIT)' tools/first_build.sh

setup: setup-$(FOR) ## install what is missing: make setup FOR=demo|check|ci

setup-demo setup-check setup-ci: setup-%:
	@CC='$(CC)' LUAJIT='$(LUAJIT)' PYTHON='$(PYTHON)' LUA_INCDIR='$(LUA_INCDIR)' tools/setup.sh $*

clean: ## remove everything that was built
	rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z0-9 -]*\):[^#]*## /\1\t/p' Makefile | while IFS='	' read -r t d; do \
	  printf '  %-14s %s\n' "$${t%%:*}" "$$d"; done

# Everything is made again when the command that makes it, or the list of files, changes.
COMPILES := $(CC) -include stdio.h -fsyntax-only -x c /dev/null
NO_COMPILER = $(error ndbuf needs a C compiler: '$(CC)' compiles nothing here; \
  on Debian and Ubuntu, apt-get install gcc libc6-dev)
$(BUILD)/command: force
	$(if $(shell $(COMPILES) 2>/dev/null && echo yes),,$(NO_COMPILER))
	@mkdir -p $(@D)
	@command='$(COMPILE) $(KERN_FLAGS) $(V3_FLAGS) $(LIBFLAG) $(LDFLAGS) $(LUA_INCDIR) $(LUA_LIBS) \
	  $(SOURCES) $(LEVELED)'; \
	  printf '%s\n' "$$command" | cmp -s - $@ || printf '%s\n' "$$command" >$@

NO_LUA_H = $(error ndbuf needs LuaJIT's headers: there is no lua.h here; \
  on Debian and Ubuntu, apt-get install libluajit-5.1-dev, or set LUA_INCDIR)
WITH_LUA = -I$(or $(LUA_INCDIR),$(NO_LUA_H))
# Lua's errors unwind the C frames that they leave.
$(BUILD)/obj/src/bind/%.o: EXTRA = -fexceptions $(WITH_LUA)
$(addprefix $(BUILD)/obj/spec/,bind/%.o faults/%.o fuzz/%.o): EXTRA = $(WITH_LUA)
# No option here changes a result: what would trap or set errno does not, products are not fused
# (gcc 12 fuses those of complex numbers in spite of -ffp-contract=off, where it can).
KERN_FLAGS = $(if $(SANITIZE),,-O3) -fno-trapping-math -fno-math-errno -ffp-contract=off \
  -fopenmp-simd $(MVEC) $(if $(IS_GCC),-fno-var-tracking-assignments)
IS_GCC := $(shell $(CC) --version 2>/dev/null | grep -i 'free software')
# glibc's vector functions, where all that kern/math.c calls are there (from 2.35 on).
MVEC := $(shell printf 'void _ZGVbN2v_tanh(void), _ZGVdN8v_tanhf(void); int main(void) { \
  _ZGVbN2v_tanh(), _ZGVdN8v_tanhf(); }' | $(CC) -x c - -lm -o /dev/null 2>/dev/null && \
  echo -DND_MVEC)
$(BUILD)/obj/src/kern/%.o: EXTRA = $(KERN_FLAGS) $(if $(LEVELS),-DND_LEVELS)
# gcc makes paths of the selects of a saturation before it vectorises them: two thirds of the speed.
$(BUILD)/obj/src/kern/cast%o: KERN_FLAGS += $(if $(IS_GCC),-fno-thread-jumps)
V3_FLAGS = -DND_V3 -march=x86-64-v3 -mno-fma
$(BUILD)/obj/src/kern/%.v3.o: EXTRA = $(KERN_FLAGS) -DND_LEVELS $(V3_FLAGS)

$(BUILD)/obj/%.o: %.c $(BUILD)/command
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CCACHE) $(COMPILE) $(EXTRA) -MMD -MP -c $< -o $@

$(BUILD)/obj/%.v3.o: %.c $(BUILD)/command
	@mkdir -p $(@D)
	$(SAY) CC "$< (x86-64-v3)"
	$(Q)$(CCACHE) $(COMPILE) $(EXTRA) -MMD -MP -c $< -o $@

# Lua's symbols stay open: the interpreter that loads the module has them. It is never unloaded:
# finalizers may still run.
$(MODULE): $(OBJECTS)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) $(OPENMP) $(SANITIZE) $(LIBFLAG) -Wl,-z,nodelete $(LDFLAGS) $^ $(LIBS) -o $@

$(LIBRARY): $(LIBRARY_OBJECTS)
	@rm -f $@
	$(SAY) AR $@
	$(Q)$(AR) rcsD $@ $^

$(CORE_PROGRAMS) $(CUDA_PROGRAMS): $(BUILD)/%: $(BUILD)/obj/%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) $(OPENMP) $(SANITIZE) $(LDFLAGS) $^ $(LIBS) -o $@

# Without sanitizers, which come before it in the process.
$(BUILD)/%_preload.so: %_preload.c $(BUILD)/command
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) -std=c11 -D_GNU_SOURCE -fPIC $(WARNINGS) -shared $< -o $@ -ldl

# memcpy as a peer: with the threads that the module has.
$(BENCH_HELPER): spec/bench/memory.c $(BUILD)/command
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) -O3 $(OPENMP) -std=c11 -fPIC $(WARNINGS) -shared $< -o $@

# It needs libcuda.so.1, whichever is there when it runs.
$(GPU_HELPER): spec/bench/gpu.c $(CUDASIM) $(BUILD)/command
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) -std=c11 -D_GNU_SOURCE -Isrc -fPIC $(WARNINGS) -shared \
	  -Wl,--no-as-needed $< $(CUDASIM) -ldl -o $@

# Programs that hold the module and LuaJIT. What our objects ask of the C library for memory goes
# through spec/faults/memory.h in one, libFuzzer runs the others.
LUA_LIBS ?= $(or $(strip $(shell pkg-config --libs luajit 2>/dev/null)),-lluajit-5.1)
WRAPPED = malloc calloc realloc free posix_memalign strdup realpath mmap munmap nd_host_resource
$(BUILD)/spec/faults/%: LINK = $(WRAPPED:%=-Wl,--wrap=%)
$(BUILD)/spec/fuzz/%: LINK = -fsanitize=fuzzer
$(LUA_PROGRAMS) $(FUZZERS:%=$(BUILD)/spec/fuzz/%): $(BUILD)/%: $(BUILD)/obj/%.o $(OBJECTS)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) $(OPENMP) $(SANITIZE) $(LINK) $(LDFLAGS) $^ $(LUA_LIBS) $(LIBS) -o $@

# It hides symbols of its own, for which it counts them in the older hash table.
$(CUDASIM): $(CUDASIM_OBJECTS)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(LIBFLAG) -Wl,-soname,libcuda.so.1 -Wl,--hash-style=both \
	  -Wl,-z,nodelete $(LDFLAGS) $^ -lpthread -o $@

$(CUDASIM_SPECS:%.c=$(BUILD)/obj/%.o) $(CUDA_PROGRAMS:$(BUILD)/%=$(BUILD)/obj/%.o): \
  EXTRA = -DCUDASIM='"$(CUDASIM)"'
$(CUDASIM_PROGRAMS): $(BUILD)/%: $(BUILD)/obj/%.o
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) $^ -ldl -lpthread -o $@

force:
.PHONY: cudasim cudasim-check threads-check abi-check nvrtc-check gpu-check bench-gpu gpu-parts
.PHONY: all demo check test core-check asan tsan valgrind bench bench-smoke faults gc-stress \
  lint lint-source lint-c lint-format lint-lua lint-names tidy format install setup setup-demo \
  setup-check setup-ci docs aarch64 luajit2 lint-exports lint-hosts install-module uninstall \
  install-check rocks dist dist-check reproducible first-build fuzz fuzz-run soak clean help force
.PHONY: mutate lint-mutants

-include $(CUDASIM_OBJECTS:.o=.d) $(CUDASIM_SPECS:%.c=$(BUILD)/obj/%.d) \
  $(CUDA_PROGRAMS:$(BUILD)/%=$(BUILD)/obj/%.d)
-include $(OBJECTS:.o=.d) $(patsubst %.c,$(BUILD)/obj/%.d,$(CORE_SPECS) $(LUA_SPECS)) \
  $(FUZZERS:%=$(BUILD)/obj/spec/fuzz/%.d)
