# All checks: specs, specs under tools, lint, packages. The Makefile includes this file.

# The folders and files of specs that run in a process each, slow ones first. With a filter, all
# specs run in one process, since the filter may leave no spec in some of the folders.
SPEC_PLACES = $(sort $(wildcard spec/dev/*_spec.lua)) spec/bind spec/ops \
  $(wildcard spec/*_spec.lua) \
  $(filter-out %/dev %/bind %/ops,$(patsubst %/,%,$(sort $(dir $(wildcard spec/*/*_spec.lua)))))
BUSTED_PLACES ?= $(if $(findstring --filter,$(BUSTED_FLAGS)),spec,$(SPEC_PLACES))

# ---- specs ----

CHECKED = $(CORE_PROGRAMS) $(LUA_PROGRAMS) $(CUDASIM_PROGRAMS) $(CUDA_PROGRAMS)
BUILT = all $(CHECKED) $(CUDASIM) $(PRELOADS)
test: $(BUILT) ## run all specs like 'check', without looking for missing programs
	@tools/check.sh $(CHECKED) -- $(BUSTED_PLACES)

core-check: $(CORE_PROGRAMS) ## run only the C specs, which need no Lua
	@tools/check.sh $(CORE_PROGRAMS)

faults: $(BUILD)/spec/faults/faults_spec ## make every allocation fail in every function
	@NDBUF_CASES=$${NDBUF_CASES:-10} tools/check.sh $<

accuracy: $(ACCURACY) ## measure mathematical functions against MPFR; ALL=1: f32 by every float
	@$< $(or $(SEED),1) $(if $(filter-out 0,$(ALL)),all)

luajit2: $(BUILT) ## run the Lua specs on OpenResty's LuaJIT, the package luajit2
	@tools/luajit2.sh $(BUSTED_PLACES)

peers: $(BUILT) ## exchange arrays with NumPy 2, PyTorch, pyarrow, safetensors, Pillow (700 MB)
	@tools/peers.sh

bench-exchange: $(BUILT) ## time exchange beside the same libraries
	@tools/peers.sh bench

array-api: $(BUILT) ## run the test suite of the Array API standard, a clone of it: SUITE=path
	@tools/array_api.sh "$(SUITE)"

# Faults are made in copies of the tree.
mutate: $(BUILT) ## make the faults of spec/mutants/ one at a time; a spec must notice each
	+@$(LUAJIT) tools/mutate.lua

soak: ## run everything at full length, before a release (takes hours)
	@.ci/run soak

# ---- specs under tools: the same targets in build folders of their own ----

AGAIN = $(MAKE) --no-print-directory
# gcc's runtimes must be loaded first. The JIT is off: they cannot instrument the code it generates.
RUNTIME = $$(readlink -f "$$(gcc -print-file-name=$(1))")
asan: ## run all specs under AddressSanitizer and UBSan, with the JIT off
	+@LUA_RUN="env LD_PRELOAD=$(call RUNTIME,libasan.so):$(call RUNTIME,libubsan.so)" \
	  LUAJIT_FLAGS=-joff NDBUF_CASES=$${NDBUF_CASES:-0.1} ASAN_OPTIONS=detect_leaks=1 \
	  UBSAN_OPTIONS=print_stacktrace=1 $(AGAIN) test BUILD=$(BUILD)/asan CC=gcc \
	  CFLAGS='-Og -g1 -fno-omit-frame-pointer' \
	  SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined'

THREADED = $(addprefix %/,$(addsuffix _spec.c,arrow budget copy device due dlpack elementwise fft \
  exports gather guard log parts pool reap reduce resource select small sort states storage \
  threads))
THREADED_CUDA = $(addprefix $(BUILD)/spec/dev/,cuda_open_spec cuda_reap_spec cuda_states_spec)
threads-check: $(CORE_PROGRAMS) $(CUDASIM) $(THREADED_CUDA)
	@tools/check.sh $(CORE_PROGRAMS) $(THREADED_CUDA)

# Here and under valgrind the first finding ends a process: forked children of some specs become
# another program when they are done, with which later exit codes are lost.
tsan: ## run the C specs that use threads under ThreadSanitizer
	+@TSAN_OPTIONS=halt_on_error=1 $(AGAIN) threads-check BUILD=$(BUILD)/tsan CC=clang LEVELS= \
	  CFLAGS='-O1 -g1' SANITIZE=-fsanitize=thread \
	  CORE_SPECS='$(filter $(THREADED),$(CORE_SPECS) $(LUA_SPECS))'

# valgrind also sees code that the JIT compiled. Random cases are reduced. Left out are specs tagged
# #slow, and C specs whose oracle is long double, which valgrind computes in 64 bits. Registers are
# kept exact at each access, since a load is resumed after our SIGBUS handler. Most code runs few
# times, so that its translation is not optimized much. Left out as well are the places whose specs
# only start other programs, which valgrind does not follow.
VALGRIND ?= valgrind
VALGRIND_FLAGS = -q --error-exitcode=9 --exit-on-first-error=yes --leak-check=full \
  --keep-debuginfo=yes --vex-iropt-register-updates=allregs-at-mem-access --vex-iropt-level=1 \
  --vex-guest-chase=no --vex-iropt-unroll-thresh=0 --suppressions=spec/valgrind.supp
START_PROGRAMS = %/docs_spec.lua $(addprefix spec/,docs faults kern)
LONG_DOUBLE_SPECS = $(addprefix spec/core/,$(addsuffix _spec.c,cast fft half kern random))
valgrind: ## run the specs under valgrind, with the JIT on
	+@RUN='$(VALGRIND) $(VALGRIND_FLAGS)' NDBUF_CASES=$${NDBUF_CASES:-0.02} $(AGAIN) test \
	  BUSTED_FLAGS='$(BUSTED_FLAGS) --exclude-tags=slow --exclude-pattern=suite_spec' \
	  BUSTED_PLACES='$(filter-out $(START_PROGRAMS),$(sort $(patsubst spec/dev/%,spec/dev, \
	  $(BUSTED_PLACES:%/repl=%/repl/show_spec.lua))))' \
	  CORE_SPECS='$(filter-out $(LONG_DOUBLE_SPECS),$(CORE_SPECS))'

# To save time, there are fewer random cases, and each spec file has its own process, with little
# to collect. Left out is the suite on the simulated devices, whose processes do not run stressed.
gc-stress: ## run all specs with a full collection before each handle and each allocation
	+@NDBUF_GC_STRESS=1 NDBUF_CASES=$${NDBUF_CASES:-0.1} $(AGAIN) test \
	  BUSTED_PLACES='$(filter-out %/suite_spec.lua,$(sort \
	  $(wildcard spec/*_spec.lua spec/*/*_spec.lua)))'

aarch64: ## run the C specs as an aarch64 program, under qemu
	+@RUN='qemu-aarch64 -L /usr/aarch64-linux-gnu' NDBUF_EMULATED=1 \
	  NDBUF_CASES=$${NDBUF_CASES:-0.1} \
	  $(AGAIN) core-check BUILD=$(BUILD)/aarch64 CC=aarch64-linux-gnu-gcc LUA_INCDIR= CFLAGS=-O2

# libFuzzer is part of clang. Its findings and corpora stay below the build folder. One level of
# kernels (LEVELS) is enough here and for ThreadSanitizer: both have the same source.
FUZZ_SECONDS ?= 10
fuzz: ## run each fuzzer for FUZZ_SECONDS (10), under AddressSanitizer and UBSan
	+@$(AGAIN) fuzz-run BUILD=$(BUILD)/fuzz CC=clang LEVELS= CFLAGS='-O1 -g1' \
	  SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined'

fuzz-run: $(FUZZ_PROGRAMS)
	@SECONDS_EACH='$(FUZZ_SECONDS)' tools/fuzz.sh $(FUZZERS)

# ---- CUDA ----

cudasim: $(CUDASIM) ## build the simulated driver BUILD/cudasim/libcuda.so.1 (docs/internals.md)

# NDBUF_CUDA_DRIVER=libcuda.so.1 selects another driver, on which only the contract specs run.
cudasim-check: $(CUDASIM) $(CUDASIM_PROGRAMS) ## run the specs of the simulated CUDA driver
	@JOBS=1 tools/check.sh $(if $(NDBUF_CUDA_DRIVER),$(CONTRACT_PROGRAMS),$(CUDASIM_PROGRAMS))

# These run on the driver that NDBUF_CUDA_DRIVER names; spec/gpu/pack.sh packs them for elsewhere.
GPU_PARTS := $(MODULE) $(CUDASIM) $(CONTRACT_PROGRAMS) $(CUDA_PROGRAMS)
gpu-check: $(GPU_PARTS) ## run on a GPU the specs that do not need the simulated driver
	@spec/gpu/check.sh

gpu-parts: $(GPU_PARTS) $(GPU_HELPER)

CUDA_INCDIR ?= $(firstword $(patsubst %/cuda.h,%,$(wildcard /usr/local/cuda/include/cuda.h \
  /usr/local/cuda-*/include/cuda.h /opt/cuda/include/cuda.h /usr/include/cuda.h)))
NVRTC ?= $(firstword $(wildcard $(CUDA_INCDIR:%/include=%)/lib64/libnvrtc.so \
  /usr/lib/*/libnvrtc.so))
NOTHING_DONE = echo 'skipped: no CUDA toolkit here, nothing was $(1)'; echo '0 passed, 0 failed'
abi-check: ## compare our declarations of the CUDA driver with the toolkit's cuda.h
	@$(if $(CUDA_INCDIR),$(CC) -std=c11 -D_GNU_SOURCE -Isrc -I'$(CUDA_INCDIR)' -Wall -Wextra \
	  -fsyntax-only spec/cudasim/abi_check.c && echo 'abi-check: as in $(CUDA_INCDIR)/cuda.h', \
	  $(call NOTHING_DONE,compared (set CUDA_INCDIR)))

nvrtc-check: ## compile the bodies of the operations with the CUDA toolkit's NVRTC
	@$(if $(NVRTC),$(LUAJIT) spec/gpu/nvrtc_check.lua '$(NVRTC)', \
	  $(call NOTHING_DONE,compiled (set NVRTC)))

# ---- benchmarks ----

BENCH = $(IN_PLACE) $(LUAJIT) spec/bench/run.lua
BENCH_SMALL = $(IN_PLACE) $(PYTHON) -B spec/bench/small.py ./$(FLOORS)
BENCH_LOADED = $(IN_PLACE) $(PYTHON) -B spec/bench/loaded.py
BENCH_PIPELINES = $(IN_PLACE) $(PYTHON) -B spec/bench/pipelines.py
BENCH_HOST = $(IN_PLACE) $(PYTHON) -B spec/bench/host.py ./$(BENCH_HELPER)
BENCH_PRODUCTS = $(IN_PLACE) $(PYTHON) -B spec/bench/products.py
BENCH_FACTORS = $(IN_PLACE) $(PYTHON) -B spec/bench/factors.py
BENCH_FFT = $(IN_PLACE) $(PYTHON) -B spec/bench/fft.py
BENCH_FUNCTIONS = $(IN_PLACE) $(PYTHON) -B spec/bench/functions.py
BENCH_GPU = $(IN_PLACE) $(LUAJIT) spec/bench/gpu.lua ./$(GPU_HELPER)
# glibc reserves room for thread-local variables of jemalloc, which is opened at run time.
BENCH_ALLOCATIONS = $(IN_PLACE) GLIBC_TUNABLES=glibc.rtld.optional_static_tls=65536 \
  NDBUF_CUDA_DRIVER='$(CUDASIM)' $(LUAJIT) spec/bench/allocations.lua
BENCH_EXCHANGE = $(IN_PLACE) $(or $(wildcard $(BUILD)/peers/bin/python),$(PYTHON)) -B \
  spec/bench/exchange.py
BENCH_PARTS = $(BENCH_HELPER) $(FLOORS) $(CUDASIM)
bench: all $(BENCH_PARTS) ## print the tables of docs/benchmarks.md, or that of LOADED=1
ifneq ($(filter-out 0,$(LOADED)),)
	@$(BENCH_LOADED)
else
	@$(BENCH)
	@$(BENCH_SMALL)
	@$(BENCH_PIPELINES)
	@$(BENCH_HOST)
	@$(BENCH_PRODUCTS)
	@$(BENCH_FACTORS)
	@$(BENCH_FFT)
	@$(BENCH_FUNCTIONS)
	@$(BENCH_ALLOCATIONS)
	@$(BENCH_EXCHANGE)
endif

# Needs a GPU; without one it says that nothing was measured.
bench-gpu: all $(GPU_HELPER) ## print the GPU table of docs/benchmarks.md for this machine's GPU
	@$(BENCH_GPU)

bench-smoke: all $(BENCH_PARTS) $(GPU_HELPER) ## run each benchmark once, small, only to check it
	@tools/sum.sh "$(BENCH) smoke" "$(BENCH_SMALL) smoke" "$(BENCH_LOADED) smoke" \
	  "$(BENCH_PIPELINES) smoke" "$(BENCH_HOST) smoke" "$(BENCH_ALLOCATIONS) smoke" \
	  "$(BENCH_PRODUCTS) smoke" "$(BENCH_FACTORS) smoke" \
	  "$(BENCH_FFT) smoke" "$(BENCH_FUNCTIONS) smoke" \
	  "NDBUF_CUDA_DRIVER='$(CUDASIM)' $(BENCH_GPU) smoke"

# ---- static checks ----

CLANG ?= clang
CLANG_FORMAT ?= clang-format
CPPCHECK ?= cppcheck
CLANG_TIDY ?= clang-tidy
FORMATTED = $(wildcard src/*.[ch] src/*/*.[ch] src/*/*/*.[ch] spec/*/*.[ch])
LINTS = lint-source lint-circles lint-map lint-made lint-format lint-c lint-lua lint-names \
  lint-exports lint-hosts lint-mutants
lint: $(LINTS) ## run all static checks below

lint-source: ## check layers, file and function sizes, columns, blanks, the version
	@$(LUAJIT) tools/lint.lua

lint-circles: all ## check calls between files, from the objects' symbols: layers, no circles
	@$(LUAJIT) tools/circles.lua

lint-map: ## check that docs/map.md, and layers and paths in the documentation, match the tree
	@$(LUAJIT) tools/map.lua check

lint-format: ## check that clang-format would change nothing
	@CLANG_FORMAT='$(CLANG_FORMAT)' tools/lint.sh format $(FORMATTED)

lint-c: ## run cppcheck
	@$(CPPCHECK) -q -j$(JOBS) --std=c11 --language=c -D_GNU_SOURCE -D__GNUC__=12 -D__x86_64__ \
	  -D__BYTE_ORDER__=1234 -D__ORDER_LITTLE_ENDIAN__=1234 -DUINTPTR_MAX=1 -DUINT64_MAX=1 -Isrc \
	  --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	  --suppress=missingIncludeSystem $(SOURCES) $(CORE_SPECS) $(CUDASIM_SOURCES) $(CUDASIM_SPECS) \
	  $(CUDA_SPECS)

lint-lua: ## run luacheck
	@luacheck -q --no-color $(wildcard lua spec examples tools)

lint-names: all cudasim ## check that docs/reference/ has all names, and what is made from it
	@$(IN_PLACE) $(LUAJIT) tools/names.lua check

lint-made: ## check that src/kern/made/ is what 'make kern' writes
	@$(LUAJIT) tools/kern.lua check

lint-exports: all ## check that the module exports src/exports.txt, the library only our prefixes
	@tools/lint.sh exports $(MODULE) $(LIBRARY)

lint-hosts: ## check that 32-bit and big-endian machines are refused, with the reason
	@CLANG='$(CLANG)' tools/lint.sh hosts

lint-mutants: ## check that the text that each fault of 'make mutate' replaces occurs once
	@$(LUAJIT) tools/mutate.lua stale

tidy: ## run clang-tidy with the checks of .clang-tidy
	@printf '%s\n' $(filter-out src/base/status.c,$(SOURCES)) | \
	  xargs -P$(JOBS) -I{} $(CLANG_TIDY) --quiet --warnings-as-errors='*' {} -- \
	  -std=c11 -D_GNU_SOURCE -Isrc -I$(LUA_INCDIR) -include tools/analyzer.h

# ---- generated files that are committed ----

docs: ## generate from docs/reference/ its list of names, and the texts for editors and help
	@$(IN_PLACE) $(LUAJIT) tools/docs.lua

map: ## generate docs/map.md: each source file with its opening sentence
	@$(LUAJIT) tools/map.lua

format: ## let clang-format rewrite the C files
	@$(CLANG_FORMAT) -i $(FORMATTED)

# ---- packages ----

install-check: all ## install, build host programs with it, uninstall; nothing may be left
	+@CC='$(CC)' tools/install_check.sh

rocks: ## check the rockspecs, from lint to the packed rock, without a network
	+@tools/rocks.sh

dist-check: dist ## check that packing again gives the same tarball
	@tools/dist.sh $(VERSION) again

reproducible: all ## check that the tarball builds the same bytes in another folder and locale
	+@tools/reproducible.sh

first-build: all ## check that programs installed only after make began make no difference
	+@tools/first_build.sh

kern: ## generate src/kern/made/, drivers and tables of kernels, from base/dtype.h and base/op.h
	@$(LUAJIT) tools/kern.lua

tags: ## write the file 'tags' for editors: the bodies of kernels, and ordinary symbols by ctags
	@$(LUAJIT) tools/tags.lua '$(CC)'

.PHONY: test core-check faults luajit2 peers bench-exchange array-api mutate soak asan \
  threads-check tsan valgrind gc-stress aarch64 fuzz fuzz-run cudasim cudasim-check gpu-check \
  gpu-parts abi-check nvrtc-check bench bench-gpu bench-smoke lint $(LINTS) tidy docs map format \
  install-check rocks dist-check reproducible first-build kern tags
