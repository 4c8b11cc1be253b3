/* Exchange with files of other programs. Headers come from strangers: every number is checked
 * before it is used. */
#ifndef ND_XCHG_XCHG_H
#define ND_XCHG_XCHG_H

#include "dev/device.h"
#include "ops/ops.h"

/* Common to the loaders: on ND_OK 'out' is the caller's to drop. With 'map' the file is mapped
 * read-only instead of read, and what cannot be used in place (foreign byte order, compressed text)
 * is ND_UNSUPPORTED, saying why. ND_FORMAT carries the offset and what was expected; ND_IO the path
 * and errno. Savers write a temporary file beside 'path' and rename it: on failure 'path' is as it
 * was. */

/* NumPy's .npy, versions 1 to 3. Big-endian data is swapped, Fortran order becomes strides. Source:
 * numpy.lib.format. */
nd_status nd_npy_load(const char *path, bool map, nd_view *out, nd_error *err);
nd_status nd_npy_save(const char *path, const nd_view *src, nd_error *err);

/* Netpbm: P5 and P6 (and the plain P2, P3), u8 or, from a maxval of 256 on, u16: {rows, columns} or
 * {rows, columns, 3}. */
nd_status nd_pnm_load(const char *path, bool map, nd_view *out, nd_error *err);
nd_status nd_pnm_save(const char *path, const nd_view *src, nd_error *err);

/* RIFF WAVE: u8, i16, i32 (24-bit samples are widened, low byte 0), f32, f64 as {frames, channels};
 * '*rate' in Hz. */
nd_status nd_wav_load(const char *path, bool map, nd_view *out, uint32_t *rate, nd_error *err);
nd_status nd_wav_save(const char *path, const nd_view *src, uint32_t rate, nd_error *err);

#endif
