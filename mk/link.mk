# The programs to link, and the one recipe that links. A target adds flags and libraries of its own
# in LINK, RUNTIMES and MORE_LIBS. The Makefile includes this file.

# Each spec program prints "N passed, N failed" as its last line. Core specs do not use Lua; specs
# that create a Lua state are linked with the binding, and so are the fuzzers.
CORE_SPECS := $(sort $(wildcard spec/core/*_spec.c))
CUDA_SPECS := $(sort $(wildcard spec/dev/*_spec.c))
LUA_SPECS := $(sort $(wildcard spec/bind/*_spec.c spec/faults/*_spec.c))
CUDASIM_SPECS := $(sort $(wildcard spec/cudasim/*_spec.c))
CORE_PROGRAMS := $(CORE_SPECS:%.c=$(BUILD)/%)
CUDA_PROGRAMS := $(CUDA_SPECS:%.c=$(BUILD)/%)
LUA_PROGRAMS := $(LUA_SPECS:%.c=$(BUILD)/%)
CUDASIM_PROGRAMS := $(CUDASIM_SPECS:%.c=$(BUILD)/%)
CONTRACT_PROGRAMS := $(filter $(BUILD)/spec/cudasim/contract%,$(CUDASIM_PROGRAMS))
FUZZERS := $(patsubst spec/fuzz/%.c,%,$(sort $(wildcard spec/fuzz/*.c)))
FUZZ_PROGRAMS := $(FUZZERS:%=$(BUILD)/spec/fuzz/%)
ACCURACY := $(BUILD)/spec/accuracy/accuracy
# Shared libraries that are loaded into other programs.
CUDASIM_SOURCES := $(filter-out %_spec.c %/abi_check.c,$(wildcard spec/cudasim/*.c))
PRELOADS := $(patsubst %.c,$(BUILD)/%.so,$(wildcard spec/faults/*_preload.c))
BENCH_HELPER := $(BUILD)/spec/bench/memory.so
FLOORS := $(BUILD)/spec/bench/floors.so
GPU_HELPER := $(BUILD)/spec/bench/gpu.so

# Sorted to drop duplicates: 'make tsan' lists a spec of the binding among the core's.
PROGRAMS := $(sort $(CORE_PROGRAMS) $(CUDA_PROGRAMS) $(LUA_PROGRAMS) $(CUDASIM_PROGRAMS) \
  $(FUZZ_PROGRAMS) $(ACCURACY))
LOADABLE := $(PRELOADS) $(BENCH_HELPER) $(FLOORS) $(GPU_HELPER)

# ---- inputs ----

$(MODULE): $(OBJECTS)
$(CUDASIM): $(CUDASIM_SOURCES:%.c=$(BUILD)/obj/%.o)
$(PROGRAMS): $(BUILD)/%: $(BUILD)/obj/%.o
$(CORE_PROGRAMS) $(CUDA_PROGRAMS) $(ACCURACY): $(LIBRARY)
$(filter-out $(CORE_PROGRAMS),$(LUA_PROGRAMS) $(FUZZ_PROGRAMS)): $(OBJECTS)
$(LOADABLE): $(BUILD)/%.so: $(BUILD)/obj/%.o
$(GPU_HELPER): $(CUDASIM)

# ---- flags and the recipe ----

RUNTIMES = $(SANITIZE)
LIBS = $(MORE_LIBS) -lm -lpthread -ldl
LUA_LIBS ?= $(or $(strip $(shell pkg-config --libs luajit 2>/dev/null)),-lluajit-5.1)

# Lua's symbols stay undefined: the interpreter that loads the module provides them. The module is
# never unloaded, since finalizers may still run.
$(MODULE): private LINK = $(LIBFLAG) -Wl,-z,nodelete
# The simulated driver can hide its own symbols (CUSIM_HIDE); to count them it needs DT_HASH.
$(CUDASIM): private LINK = $(LIBFLAG) -Wl,-soname,libcuda.so.1 -Wl,--hash-style=both -Wl,-z,nodelete
$(CUDASIM) $(CUDASIM_PROGRAMS): private RUNTIMES = $(SANITIZE)
$(LUA_PROGRAMS) $(FUZZ_PROGRAMS) $(BUILD)/spec/dev/cuda_states_spec: \
  private MORE_LIBS = $(LUA_LIBS)
$(ACCURACY): private MORE_LIBS = -lmpfr
# The objects' calls of the C library's memory functions are redirected to spec/faults/memory.h.
WRAPPED = malloc calloc realloc free posix_memalign strdup realpath mmap munmap nd_host_resource
$(BUILD)/spec/faults/%_spec: private LINK = $(WRAPPED:%=-Wl,--wrap=%)
$(BUILD)/spec/fuzz/%: private LINK = -fsanitize=fuzzer
$(LOADABLE): private LINK = -shared
$(PRELOADS) $(FLOORS) $(GPU_HELPER): private RUNTIMES =
$(BENCH_HELPER): private RUNTIMES = $(OPENMP)
# It depends on libcuda.so.1 although it refers to no symbol of it; any that is found is loaded.
$(GPU_HELPER): private LINK = -shared -Wl,--no-as-needed

$(MODULE) $(CUDASIM) $(PROGRAMS) $(LOADABLE):
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) $(RUNTIMES) $(LINK) $(LDFLAGS) $^ $(LIBS) -o $@

$(LIBRARY): $(LIBRARY_OBJECTS)
	@rm -f $@
	$(SAY) AR $@
	$(Q)$(AR) rcsD $@ $^

-include $(OBJECTS:.o=.d) $(CUDASIM_SOURCES:%.c=$(BUILD)/obj/%.d) \
  $(PROGRAMS:$(BUILD)/%=$(BUILD)/obj/%.d) $(LOADABLE:$(BUILD)/%.so=$(BUILD)/obj/%.d)
