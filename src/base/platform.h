/* Compiler extensions, export macro, and the hosts that ndbuf refuses. */
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

#define ND_VERSION "0.2.0-dev"
#define ND_ABI 2 /* raised when a struct that Lua or a host program reads changes */

#define ND_EXPORT __attribute__((visibility("default")))
#define ND_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define ND_NORETURN __attribute__((noreturn))
/* Of a variable: what runs when its block is left, in whatever way. */
#define ND_AT_EXIT(fn) __attribute__((cleanup(fn)))
#define ND_ALWAYS_INLINE static inline __attribute__((always_inline))
#define ND_COUNTOF(a) (sizeof(a) / sizeof(a)[0])

/* Holds every i64 and u64, and their sums and differences. */
#ifdef __SIZEOF_INT128__ /* 32-bit hosts, which are refused above, have none */
__extension__ typedef __int128 nd_int128;
__extension__ typedef unsigned __int128 nd_uint128;
#endif

/* Before a loop whose steps do not depend on one another, whatever its pointers look like. */
#ifdef __clang__
#define ND_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define ND_APART _Pragma("GCC ivdep")
#endif

#endif
