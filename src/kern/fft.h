/* Discrete Fourier transforms of one line, by kernels of our own.
 *
 * A length is taken apart into radices 4, 2, 3, 5 and other small primes, of which each is a pass
 * over the line, from one array to another (Stockham's way, which needs no reordering: Cochran et
 * al., What is the Fast Fourier Transform?, 1967). For lengths with large prime factors the
 * transform is a convolution, made of transforms of another length (Bluestein, A Linear Filtering
 * Approach to the Computation of Discrete Fourier Transform, 1970). Real lines of even length are
 * complex ones of half that length (Sorensen et al., Real-Valued Fast Fourier Transform Algorithms,
 * 1987).
 *
 * The factors are right to within a unit in the last place, so errors grow like the logarithm of
 * the length. The bits are the same at every level of the processor. */
#ifndef ND_KERN_FFT_H
#define ND_KERN_FFT_H

#include "base/dtype.h"

typedef enum {
  NDI_FFT_COMPLEX,  /* n complex numbers to n complex numbers */
  NDI_FFT_REAL,     /* n real numbers to the first n / 2 + 1 complex ones */
  NDI_FFT_HERMITIAN /* n / 2 + 1 complex numbers, the first ones of a symmetric line, to n reals */
} ndi_fft_form;

enum { NDI_FFT_PASSES = 64, NDI_FFT_RADIX = 61 /* the greatest prime of a pass */ };

/* How a complex line of 'points' is transformed, pass by pass. */
typedef struct {
  size_t points;
  int count;
  uint8_t radix[NDI_FFT_PASSES];
  size_t factors; /* numbers of all factors between passes */
} ndi_fft_passes;

/* A transform. 'tables' is memory of the caller, which ndi_fft_fill writes. */
typedef struct {
  nd_dtype dtype; /* of real numbers: ND_F32 or ND_F64 */
  ndi_fft_form form;
  bool is_inverse; /* of COMPLEX; without the division by n */
  size_t n;
  size_t points;         /* of the complex transform: n, or n / 2 */
  bool is_chirp;         /* by a convolution, of which 'passes' are */
  ndi_fft_passes passes; /* of 'points', or of more */
  size_t table_bytes;    /* of 'tables', which are aligned to 64 bytes */
  size_t work_bytes;     /* that a call of ndi_fft_run needs besides, aligned likewise */
  char *tables;
} ndi_fft;

/* Plan a transform: all of '*out' but the tables. 'is_inverse' is for COMPLEX alone. False: no
 * memory has such a line. */
bool ndi_fft_plan(nd_dtype dtype, ndi_fft_form form, bool is_inverse, size_t n, ndi_fft *out);

/* Write the tables; 'work' is as for ndi_fft_run. */
void ndi_fft_fill(const ndi_fft *plan, char *work);

/* Transform a packed line at 'x' to 'z', which shares no bytes with it. Both are aligned to a real
 * number. The imaginary parts of elements 0 and n / 2 of symmetric lines count as 0. */
void ndi_fft_run(const ndi_fft *plan, const char *x, char *z, char *work);

/* z[i] *= scale, for 'n' numbers of 'dtype', real or complex; where 'conjugates', then conj(z[i]).
 */
void ndi_fft_scale(nd_dtype dtype, size_t n, char *z, double scale, bool conjugates);

/* Complex numbers first … n - 1 of a line at 'z' of which the others are there: those of the
 * transform of a real line, z[n - k] = conj(z[k]). */
void ndi_fft_mirror(nd_dtype dtype, size_t n, size_t first, char *z);

#endif
