/* What NVRTC, which compiles CUDA C++ without headers, needs in place of C and its library. */
#ifndef ND_KERN_WORDS_GPU_H
#define ND_KERN_WORDS_GPU_H

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef long ptrdiff_t;

#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#define ND_ALWAYS_INLINE static inline
#define ND_FLATTEN
#define ND_NOINLINE __noinline__
#define ND_INDEPENDENT
#define ND_LANES
#define ND_FETCH_TO_WRITE(at, bytes)
#define _Alignas alignas
#define COMPLEX_OF(part) pair<part>
#define REAL_PART(v) (v).re
#define IMAG_PART(v) (v).im

template <class P> struct pair { P re, im; };
template <class P> pair<P> operator+(pair<P> a, pair<P> b) { return {a.re + b.re, a.im + b.im}; }
template <class P> pair<P> operator-(pair<P> a, pair<P> b) { return {a.re - b.re, a.im - b.im}; }
template <class P> pair<P> operator-(pair<P> a) { return {-a.re, -a.im}; }
template <class P> bool operator==(pair<P> a, pair<P> b) { return a.re == b.re && a.im == b.im; }
template <class P> bool operator!=(pair<P> a, pair<P> b) { return !(a == b); }

#endif
