# The files to compile, their flags, and the one recipe that compiles. The Makefile includes it.

SOURCES := $(sort $(wildcard src/*.c src/*/*.c src/*/*/*.c))
# Kernels are compiled three times for x86-64: for all processors, for those with AVX2, and for
# those with AVX-512 (kern/level.h).
LEVELS := $(if $(filter x86_64%,$(shell $(CC) -dumpmachine 2>/dev/null)),v4 v3)
LEVELED := $(if $(LEVELS),$(addprefix src/kern/,made/order.c reduce.c scan.c cast.c \
  quick.c select.c transpose.c pass.c gather.c random.c gemm.c dot.c fft.c convolve.c \
  $(addprefix made/,arith.c bits.c whole.c math.c)))
# The slowest files come first, so that no processor is left waiting for one of them at the end.
OBJECTS := $(foreach level,$(LEVELS),$(LEVELED:%.c=$(BUILD)/obj/%.$(level).o)) \
  $(SOURCES:%.c=$(BUILD)/obj/%.o)
# The library contains the Lua binding for programs that embed Lua; others link none of it. Without
# lua.h it is left out, except for the indices of scripts, which need no Lua and have specs in C.
BIND_OBJECTS := $(filter-out %/slice.o %/resolve.o,$(filter $(BUILD)/obj/src/bind/%,$(OBJECTS)))
LIBRARY_OBJECTS := $(if $(LUA_INCDIR),$(OBJECTS),$(filter-out $(BIND_OBJECTS),$(OBJECTS)))

# ---- flags ----

# A function that is not declared is always an error: for example a missing conversion of a dtype.
WARNINGS = -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
  -Werror=implicit-function-declaration \
  $(if $(filter-out 0,$(WERROR)),-Werror)
# Objects contain no absolute paths, so that two builds of the same source are identical.
ND_CFLAGS = -std=c11 -D_GNU_SOURCE -Isrc -fPIC -fvisibility=hidden \
  "-ffile-prefix-map=$(CURDIR)=." \
  $(WARNINGS) $(SANITIZE) $(STRINGS)
# gcc clears and copies records of some hundred bytes by string instructions, which take 30 cycles
# to start: longer than small work.
UNROLLED := unrolled_loop:512:noalign,libcall:-1:noalign
accepted = $(shell $(CC) $(1) -S -x c -o /dev/null /dev/null 2>/dev/null && echo $(1))
STRINGS := $(call accepted,-mmemset-strategy=$(UNROLLED) -mmemcpy-strategy=$(UNROLLED))
COMPILE = $(CC) $(CPPFLAGS) $(CFLAGS) $(ND_CFLAGS)

# No option here changes a result. Operations need not trap or set errno. Products are not fused
# (for complex ones, see ND_PRODUCT).
KERN_FLAGS = $(if $(SANITIZE),,-O3) -fno-trapping-math -fno-math-errno -ffp-contract=off \
  -fopenmp-simd $(if $(IS_GCC),-fno-var-tracking-assignments)
# Arrays are copied by whole vectors: where they are copied by halves, gcc keeps accumulators in
# memory, not in registers.
V3_FLAGS := -DND_V3 -march=x86-64-v3 $(call accepted,-mmove-max=256 -mstore-max=256)
V4_FLAGS := -DND_V4 -march=x86-64-v4 -mprefer-vector-width=512 \
  $(call accepted,-mmove-max=512 -mstore-max=512)
IS_GCC := $(shell $(CC) --version 2>/dev/null | grep -i 'free software')
NO_LUA_H = $(error ndbuf needs LuaJIT's headers: there is no lua.h here; \
  on Debian and Ubuntu, apt-get install libluajit-5.1-dev, or set LUA_INCDIR)
WITH_LUA = -I$(or $(LUA_INCDIR),$(NO_LUA_H))

# Flags of single files. They are private, so that their prerequisite $(BUILD)/command does not get
# them.
$(BUILD)/obj/src/kern/%.o: private EXTRA = $(KERN_FLAGS) $(if $(LEVELS),-DND_LEVELS)
$(BUILD)/obj/src/kern/%.v3.o: private EXTRA = $(KERN_FLAGS) -DND_LEVELS $(V3_FLAGS)
$(BUILD)/obj/src/kern/%.v4.o: private EXTRA = $(KERN_FLAGS) -DND_LEVELS $(V4_FLAGS)
# Without this flag, gcc turns the selects of a saturation into branches before it vectorises: the
# casts would run at two thirds of the speed.
$(BUILD)/obj/src/kern/cast%o: private KERN_FLAGS += $(if $(IS_GCC),-fno-thread-jumps)
# Lua errors unwind C frames.
$(BUILD)/obj/src/bind/%.o: private EXTRA = -fexceptions $(WITH_LUA)
$(addprefix $(BUILD)/obj/src/bind/,slice.o resolve.o): private EXTRA =
$(addprefix $(BUILD)/obj/spec/,bind/%.o faults/%.o fuzz/%.o): private EXTRA = $(WITH_LUA)
$(BUILD)/obj/spec/dev/cuda_states_spec.o: private EXTRA = $(WITH_LUA) -DCUDASIM='"$(CUDASIM)"'
$(addprefix $(BUILD)/obj/spec/,cudasim/%_spec.o dev/%_spec.o): \
  private EXTRA = -DCUDASIM='"$(CUDASIM)"'
# Shared libraries for other programs: with visible symbols, and without sanitizers, whose runtimes
# those programs may lack.
$(addprefix $(BUILD)/obj/spec/,faults/%_preload.o bench/%.o): private EXTRA = -fvisibility=default
$(addprefix $(BUILD)/obj/spec/,faults/%_preload.o bench/%.o): private SANITIZE =
# The memcpy and read loops that benchmarks compare with are optimised fully, and on several threads
# if the compiler has OpenMP.
OPENMP = $(shell $(CC) -fopenmp -include omp.h -fsyntax-only -x c /dev/null 2>/dev/null && \
  echo -fopenmp)
$(BUILD)/obj/spec/bench/memory.o: private EXTRA = -fvisibility=default -O3 $(OPENMP)
$(BUILD)/obj/spec/bench/floors.o: private EXTRA = -fvisibility=default $(WITH_LUA)

# ---- recipes ----

# Everything is rebuilt when the command that builds it, or the list of files, changes.
COMPILES := $(CC) -include stdio.h -fsyntax-only -x c /dev/null
NO_COMPILER = $(error ndbuf needs a C compiler: '$(CC)' compiles nothing here; \
  on Debian and Ubuntu, apt-get install gcc libc6-dev)
$(BUILD)/command: force
	$(if $(shell $(COMPILES) 2>/dev/null && echo yes),,$(NO_COMPILER))
	@mkdir -p $(@D)
	@command='$(COMPILE) $(KERN_FLAGS) $(V3_FLAGS) $(V4_FLAGS) $(LIBFLAG) $(LDFLAGS) \
	  $(LUA_INCDIR) $(LUA_LIBS) $(SOURCES) $(LEVELED)'; \
	  printf '%s\n' "$$command" | cmp -s - $@ || printf '%s\n' "$$command" >$@

.PRECIOUS: $(BUILD)/obj/%.o
.SECONDEXPANSION:
$(BUILD)/obj/%.o: $$(subst .v3,,$$(subst .v4,,$$*)).c $(BUILD)/command
	@mkdir -p $(@D)
	$(SAY) CC "$<$(patsubst .%, (x86-64-%),$(suffix $*))"
	$(Q)$(CCACHE) $(COMPILE) $(EXTRA) -MMD -MP -c $< -o $@

force:
.PHONY: force
