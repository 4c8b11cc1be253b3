/* What depends on compiler and machine: language extensions, symbol visibility, supported hosts. */
#ifndef ND_BASE_PLATFORM_H
#define ND_BASE_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

#if UINTPTR_MAX != UINT64_MAX
#error "ndbuf needs a 64-bit host"
#endif
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "ndbuf needs a little-endian host"
#endif

#if !defined(__GNUC__)
#error "ndbuf is built with gcc or clang"
#endif

#define ND_VERSION "0.4.0-dev"
#define ND_ABI 3 /* raised when a struct that Lua or a host program reads changes */

#define ND_EXPORT __attribute__((visibility("default")))
#define ND_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define ND_NORETURN __attribute__((noreturn))
/* Attribute of a variable: 'fn' is called with its address whenever its block is left. */
#define ND_AT_EXIT(fn) __attribute__((cleanup(fn)))
#define ND_ALWAYS_INLINE static inline __attribute__((always_inline))
/* Attributes of a function: all that it calls is inlined, however much that is, so that its loops
 * become vectors; and it is never inlined itself. */
#define ND_FLATTEN __attribute__((flatten))
#define ND_NOINLINE __attribute__((noinline))
#define ND_COUNTOF(a) (sizeof(a) / sizeof(a)[0])
/* Attribute of a type: a vector of that many bytes, whose operators work lane by lane. */
#define ND_VECTOR(bytes) __attribute__((vector_size(bytes)))

/* Fetch the cache line that many bytes after 'at', which will be written to. Never faults. */
#define ND_FETCH_TO_WRITE(at, bytes) __builtin_prefetch((void *)((uintptr_t)(at) + (bytes)), 1)

/* In a loop that waits for another thread. */
#if defined(__x86_64__)
#define ND_PAUSE() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define ND_PAUSE() __asm__ volatile("yield")
#else
#define ND_PAUSE() ((void)0)
#endif

/* Under AddressSanitizer allocations have their exact size, and nothing is cached, so that each
 * access beyond a block, or after it was given back, is reported. */
#if defined(__SANITIZE_ADDRESS__)
#define ND_IS_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ND_IS_CHECKED 1
#endif
#endif
#ifndef ND_IS_CHECKED
#define ND_IS_CHECKED 0
#endif

/* Let accesses to bytes that were given back be reported, where their memory is not freed yet. */
#if ND_IS_CHECKED
#include <sanitizer/asan_interface.h>
#define ND_POISON(at, bytes) ASAN_POISON_MEMORY_REGION(at, bytes)
#else
#define ND_POISON(at, bytes) ((void)(at), (void)(bytes))
#endif

/* Holds any i64 and u64, and the sum or difference of any two. */
#ifdef __SIZEOF_INT128__ /* missing on 32-bit hosts, whose only message should be the one above */
__extension__ typedef __int128 nd_int128;
__extension__ typedef unsigned __int128 nd_uint128;
#endif

/* Placed before a loop: promises that it has no loop-carried dependence through memory, so that the
 * compiler vectorises it without tests for aliasing. */
#ifdef __clang__
#define ND_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#pragma clang diagnostic ignored "-Wpass-failed" /* one for each loop that is not vectorised */
#else
#define ND_INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Placed before a loop with as many rounds as a vector has lanes, likewise: it is not unrolled
 * before it is vectorised. Needs -fopenmp-simd. */
#define ND_LANES _Pragma("omp simd")

/* Placed in the body of a loop that is run too seldom, or by too few, to pay for the code of
 * vectors: it is not vectorised. */
#define ND_NO_VECTORS() __asm__ volatile("")

/* Placed before a loop of at most 16 constant rounds: unrolls it wholly, before arrays that are
 * indexed by its variable are taken apart into registers. */
#ifdef __clang__
#define ND_UNROLLED _Pragma("unroll")
#else
#define ND_UNROLLED _Pragma("GCC unroll 16")
#endif

#endif
