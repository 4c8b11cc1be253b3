/* RIFF WAVE sound files. Sources: Multimedia Programming Interface and Data Specifications 1.0, and
 * mmreg.h for WAVE_FORMAT_EXTENSIBLE.
 *
 * A file is a RIFF header and a list of chunks; a chunk is a name of four characters, a size, and a
 * payload that is padded to an even size. 'fmt ' has the format of the samples, 'data' has the
 * samples, frame by frame, with one sample for each channel in a frame. Others are skipped. */
#include <assert.h>
#include <string.h>

#include "base/call.h"
#include "base/size.h"
#include "mem/host.h"
#include "ops/ops.h"
#include "xchg/format.h"
#include "xchg/io.h"

/* Tags of sample formats; then sizes: the RIFF header, the head of a chunk, the two forms of the
 * 'fmt ' payload. */
enum { TAG_PCM = 1, TAG_FLOAT = 3, TAG_EXTENSIBLE = 0xFFFE };
enum { RIFF_BYTES = 12, HEAD_BYTES = 8, FMT_BYTES = 16, EXTENSIBLE_BYTES = 40 };
#define UNKNOWN 0xFFFFFFFFu /* the size that streaming writers leave, as they cannot seek back */

typedef struct {
  bool has_format;
  bool is_24_bit;
  unsigned channels;
  uint32_t rate;
  nd_dtype dtype;
  size_t frame; /* bytes of a sample for each channel */
} sound;

typedef struct {
  char id[5];
  size_t at;    /* offset of the payload */
  size_t bytes; /* of the payload, without padding; as the file says */
} chunk;

/* {=== numbers ===} */

/* Numbers in the file are little-endian and may be misaligned. */
static uint32_t get16(const unsigned char *p) { return (uint32_t)(p[0] | p[1] << 8); }
static uint32_t get32(const unsigned char *p) { return get16(p) | get16(p + 2) << 16; }

/* Each writes at 'p' and returns the address behind it, so that calls nest. */
static unsigned char *put16(unsigned char *p, size_t value) {
  p[0] = (unsigned char)value, p[1] = (unsigned char)(value >> 8);
  return p + 2;
}

static unsigned char *put32(unsigned char *p, size_t value) {
  return put16(put16(p, value & 0xFFFF), value >> 16);
}

static unsigned char *put_id(unsigned char *p, const char *id) {
  memcpy(p, id, 4);
  return p + 4;
}

/* {=== the format chunk ===} */

/* Samples of 24 bits become i32, in the upper bits, so that full scale is the same. */
static nd_status set_dtype(unsigned tag, unsigned bits, sound *out, nd_error *err) {
  static const struct {
    unsigned tag, bits;
    nd_dtype dtype;
  } known[] = {{TAG_PCM, 8, ND_U8},   {TAG_PCM, 16, ND_I16},   {TAG_PCM, 24, ND_I32},
               {TAG_PCM, 32, ND_I32}, {TAG_FLOAT, 32, ND_F32}, {TAG_FLOAT, 64, ND_F64}};
  for (size_t i = 0; i < ND_COUNTOF(known); i++) {
    if (known[i].tag != tag || known[i].bits != bits) continue;
    out->dtype = known[i].dtype;
    out->is_24_bit = bits == 24;
    return ND_OK;
  }
  return nd_fail_with(err, ND_UNSUPPORTED, ND_NUMBERS({"value", tag}),
                      "samples of %u bits in format %u are not supported: only PCM (1) of 8, 16, "
                      "24, 32 bits and float (3) of 32, 64 bits",
                      bits, tag);
}

/* Set '*out' to the tag of an extensible format, which has a GUID instead: for the common formats
 * that is the tag followed by fixed bytes. */
static nd_status find_tag(const unsigned char *p, const chunk *c, unsigned *out, nd_error *err) {
  /* KSDATAFORMAT_SUBTYPE of the tag: {0000xxxx-0000-0010-8000-00AA00389B71} in the file's order */
  static const unsigned char rest[14] = {0,    0,    0,    0,    0x10, 0,    0x80,
                                         0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71};
  if (c->bytes < EXTENSIBLE_BYTES)
    return nd_fail_with(err, ND_FORMAT,
                        ND_NUMBERS({"offset", (int64_t)c->at}, {"expected", EXTENSIBLE_BYTES},
                                   {"actual", (int64_t)c->bytes}),
                        "expected an extensible format of %d B at offset %zu, found %zu B",
                        EXTENSIBLE_BYTES, c->at, c->bytes);
  /* payload: 16 bytes of plain format, size, valid bits, channel mask, and at 24 the GUID */
  if (memcmp(p + 26, rest, sizeof rest) != 0)
    return nd_fail(err, ND_UNSUPPORTED, "the sample format is a proprietary one (an unknown GUID)");
  *out = get16(p + 24);
  return ND_OK;
}

/* The payload, at these offsets: tag 0, channels 2, frames a second 4, bytes a second 8, bytes of a
 * frame (the "block alignment") 12, bits of a sample 14. */
static nd_status read_format(const ndi_infile *file, const chunk *c, sound *out, nd_error *err) {
  unsigned char p[EXTENSIBLE_BYTES] = {0};
  if (c->bytes < FMT_BYTES)
    return nd_fail_with(err, ND_FORMAT,
                        ND_NUMBERS({"offset", (int64_t)c->at}, {"expected", FMT_BYTES},
                                   {"actual", (int64_t)c->bytes}),
                        "expected a 'fmt ' chunk of at least %d B at offset %zu, found %zu B",
                        FMT_BYTES, c->at, c->bytes);
  ND_TRY(ndi_infile_read(file, c->at, p, c->bytes < sizeof p ? c->bytes : sizeof p, err));
  unsigned tag = get16(p);
  if (tag == TAG_EXTENSIBLE) ND_TRY(find_tag(p, c, &tag, err));
  ND_TRY(set_dtype(tag, get16(p + 14), out, err));
  out->channels = get16(p + 2);
  out->rate = get32(p + 4);
  out->frame = get16(p + 12);
  if (out->channels == 0)
    return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)c->at + 2}, {"value", 0}),
                        "expected at least 1 channel at offset %zu, found 0", c->at + 2);
  /* frames without padding, as arrays have them */
  const size_t expected = (size_t)out->channels * (get16(p + 14) / 8);
  if (out->frame != expected)
    return nd_fail_with(err, ND_FORMAT,
                        ND_NUMBERS({"offset", (int64_t)c->at + 12}, {"expected", (int64_t)expected},
                                   {"actual", (int64_t)out->frame}),
                        "expected a block alignment of %zu B at offset %zu, found %zu B", expected,
                        c->at + 12, out->frame);
  out->has_format = true;
  return ND_OK;
}

/* {=== chunks ===} */

/* Read the head of the chunk at 'at', which must lie within the file; its payload need not. */
static nd_status read_chunk(const ndi_infile *file, size_t at, chunk *out, nd_error *err) {
  unsigned char p[HEAD_BYTES];
  ND_TRY(ndi_infile_read(file, at, p, sizeof p, err));
  memcpy(out->id, p, 4);
  out->id[4] = '\0';
  out->at = at + HEAD_BYTES;
  out->bytes = get32(p + 4);
  return ND_OK;
}

/* The file ends within the payload of the chunk, of which 'there' bytes are in it. */
static nd_status fail_chunk(const chunk *c, size_t there, nd_error *err) {
  return nd_fail_with(err, ND_FORMAT,
                      ND_NUMBERS({"offset", (int64_t)c->at}, {"expected", (int64_t)c->bytes},
                                 {"actual", (int64_t)there}),
                      "truncated: expected %zu B in the '%s' chunk at offset %zu, found %zu B",
                      c->bytes, strcmp(c->id, "data") == 0 ? "data" : "fmt ", c->at, there);
}

/* Is there a plausible chunk at 'at'? Distinguishes an empty data chunk, which others may follow,
 * from one whose size a streaming writer left at 0. */
static bool is_chunk(const ndi_infile *file, size_t at) {
  chunk c;
  if (file->bytes - at < HEAD_BYTES || read_chunk(file, at, &c, NULL) != ND_OK) return false;
  for (int i = 0; i < 4; i++)
    if (c.id[i] < 0x20 || c.id[i] > 0x7E) return false;
  return c.bytes <= file->bytes - c.at;
}

/* Determine the size of the data chunk: if it was never filled in, all whole frames up to the end
 * of the file. ND_FORMAT for too large a size, or a part of a frame. */
static nd_status set_size(const ndi_infile *file, const sound *s, chunk *data, nd_error *err) {
  const size_t there = file->bytes - data->at;
  if (data->bytes == UNKNOWN || (data->bytes == 0 && !is_chunk(file, data->at)))
    data->bytes = there - there % s->frame;
  if (data->bytes > there) return fail_chunk(data, there, err);
  if (data->bytes % s->frame == 0) return ND_OK;
  return nd_fail_with(
      err, ND_FORMAT,
      ND_NUMBERS({"offset", (int64_t)data->at - 4}, {"actual", (int64_t)data->bytes}),
      "expected whole frames of %zu B in the 'data' chunk, found %zu B at offset %zu", s->frame,
      data->bytes, data->at - 4);
}

/* RF64 and BW64 have 64-bit sizes in a chunk of their own, RIFX is big-endian: valid, but not
 * supported. */
static nd_status check_riff(const ndi_infile *file, nd_error *err) {
  char p[RIFF_BYTES] = {0};
  ND_TRY(ndi_infile_read(file, 0, p, file->bytes < sizeof p ? file->bytes : sizeof p, err));
  if (memcmp(p, "RF64", 4) == 0 || memcmp(p, "BW64", 4) == 0 || memcmp(p, "RIFX", 4) == 0)
    return nd_fail(err, ND_UNSUPPORTED, "%.4s files are not supported; convert it to RIFF WAVE", p);
  if (memcmp(p, "RIFF", 4) == 0 && memcmp(p + 8, "WAVE", 4) == 0) return ND_OK;
  return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"offset", 0}),
                      "not a WAVE file: expected RIFF, a size, WAVE at offset 0");
}

/* Find the data chunk, and read the format on the way. The size in the RIFF header is ignored,
 * since many writers get it wrong. */
static nd_status find_data(const ndi_infile *file, sound *out, chunk *c, nd_error *err) {
  ND_TRY(check_riff(file, err));
  size_t at = RIFF_BYTES;
  while (at <= file->bytes && file->bytes - at >= HEAD_BYTES) {
    ND_TRY(nd_check_interrupt(err));
    ND_TRY(read_chunk(file, at, c, err));
    if (strcmp(c->id, "fmt ") == 0) {
      /* the payloads of other chunks are never read, so their sizes are not checked */
      if (c->bytes > file->bytes - c->at) return fail_chunk(c, file->bytes - c->at, err);
      ND_TRY(read_format(file, c, out, err));
    } else if (strcmp(c->id, "data") == 0) {
      /* frames have no size before the format is known */
      if (out->has_format) return set_size(file, out, c, err);
      return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)at}),
                          "expected a 'fmt ' chunk before the 'data' chunk at offset %zu", at);
    }
    at = c->at + c->bytes + (c->bytes & 1); /* 32-bit sizes: no overflow */
  }
  return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)file->bytes}),
                      "expected a '%s' chunk before the end at offset %zu",
                      out->has_format ? "data" : "fmt ", file->bytes);
}

/* {=== loading ===} */

/* Widen 'count' samples of 24 bits to 32 bits in place. They are in the last three quarters of the
 * buffer: sample i is read at count + 3i and written at 4i, which never overtakes the reads. */
static void widen(unsigned char *p, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const unsigned char *s = p + count + 3 * i;
    const uint32_t v = (uint32_t)s[0] << 8 | (uint32_t)s[1] << 16 | (uint32_t)s[2] << 24;
    memcpy(p + 4 * i, &v, sizeof v);
  }
}

/* As ndi_infile_load, into i32. 'l' gives shape and offset; find_data has checked that the file has
 * all samples. */
static nd_status load_24_bit(const ndi_infile *file, const ndi_layout *l, nd_view *out,
                             nd_error *err) {
  nd_view view;
  char *host;
  ND_TRY(nd_new(nd_call_memory(nd_host_resource()), ND_I32, l->ndim, l->shape,
                (nd_storage_options){0}, &view, err));
  nd_status status = nd_view_host(&view, true, &host, err);
  /* into the last three quarters of the buffer, as widen expects */
  if (status == ND_OK && view.size > 0) {
    status = ndi_infile_read(file, l->offset, host + view.size, 3 * view.size, err);
    if (status == ND_OK) widen((unsigned char *)host, view.size);
  }
  if (status == ND_OK) *out = view;
  else nd_view_drop(&view);
  return status;
}

static nd_status load(ndi_infile *file, nd_sink *sink, nd_error *err) {
  sound format = {0};
  chunk data;
  nd_view array;
  ND_TRY(find_data(file, &format, &data, err));
  assert(format.frame > 0);
  if (sink->map && format.is_24_bit)
    return nd_fail_remedy(err, ND_UNSUPPORTED, ND_REMEDY_READ, "24-bit samples cannot be mapped");
  const ndi_layout layout = {.dtype = format.dtype,
                             .ndim = 2,
                             .shape = {data.bytes / format.frame, format.channels},
                             .offset = data.at};
  if (format.is_24_bit) ND_TRY(load_24_bit(file, &layout, &array, err));
  else ND_TRY(ndi_infile_load(file, &layout, sink->map, &array, err));
  const nd_attribute rate = {"rate", format.rate};
  ND_TRY(sink->put_array(sink, NULL, &array, err));
  return sink->put_attribute(sink, &rate, err);
}

/* {=== saving ===} */

enum { FLOAT_EXTRA = 2 + HEAD_BYTES + 4 }; /* the size of an (empty) extension; a fact chunk */
enum { HEADER_BYTES = RIFF_BYTES + HEAD_BYTES + FMT_BYTES + FLOAT_EXTRA + HEAD_BYTES };

enum { DEFAULT_RATE = 44100 };

/* The rate attribute, or its default. The header has room for whole numbers of 32 bits. */
static nd_status find_rate(const nd_source *source, uint32_t *out, nd_error *err) {
  const nd_attribute *given = nd_attribute_find(source->attributes, "rate");
  const double rate = given ? given->value : DEFAULT_RATE;
  *out = rate >= 1 && rate <= UINT32_MAX ? (uint32_t)rate : 0; /* also for NaN: no undefined cast */
  if (*out > 0 && *out == rate) return ND_OK;
  return nd_fail(err, ND_INVALID_ARGUMENT, "the sample rate must be a whole number from 1 to %u Hz",
                 UINT32_MAX);
}

static nd_status check_sound(const nd_view *src, nd_error *err) {
  char text[ND_SHAPE_TEXT];
  const char *dtype = nd_dtype_get((nd_dtype)src->dtype)->name;
  if (src->dtype != ND_U8 && src->dtype != ND_I16 && src->dtype != ND_I32 && src->dtype != ND_F32 &&
      src->dtype != ND_F64)
    return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_CAST,
                          "sound has u8, i16, i32, f32 or f64 elements, not %s", dtype);
  if (src->ndim < 1 || src->ndim > 2 || (src->ndim == 2 && src->axis[1].len == 0))
    return nd_fail(err, ND_SHAPE_MISMATCH,
                   "sound has the shape {frames} or {frames, channels}, not %s",
                   nd_shape_text(src->ndim, src->axis, text, sizeof text));
  return ND_OK;
}

/* Do all numbers fit into the fields of the header? */
static nd_status check_fields(const nd_view *src, size_t frame, uint32_t rate, nd_error *err) {
  /* the RIFF size counts header and padding too, and must not look like UNKNOWN */
  const size_t bytes = nd_view_nbytes(src), most = UNKNOWN - HEADER_BYTES - 1;
  if (frame > UINT16_MAX)
    return nd_fail_with(err, ND_OVERFLOW,
                        ND_NUMBERS({"value", (int64_t)frame}, {"limit", UINT16_MAX}),
                        "a frame of %zu B exceeds WAVE's limit of %d B", frame, UINT16_MAX);
  if (frame * rate > UINT32_MAX) /* no overflow: frame has 16 bits, rate 32 */
    return nd_fail_with(err, ND_OVERFLOW, ND_NUMBERS({"value", (int64_t)rate}),
                        "%u Hz with frames of %zu B exceeds WAVE's limit of 4 GiB a second", rate,
                        frame);
  if (bytes > most)
    return nd_fail_with(err, ND_OVERFLOW,
                        ND_NUMBERS({"value", (int64_t)bytes}, {"limit", (int64_t)most}),
                        "%zu B of samples exceed WAVE's limit of 4 GiB; save it as .npy", bytes);
  return ND_OK;
}

/* Returns the size of the header: 44 bytes, or 58 for floats, for which the format requires the
 * size of an extension, and a fact chunk with the number of frames. */
static size_t set_header(const nd_view *src, size_t channels, uint32_t rate,
                         unsigned char header[HEADER_BYTES]) {
  const nd_dtype_traits *traits = nd_dtype_get((nd_dtype)src->dtype);
  const bool is_float = traits->kind == ND_KIND_FLOAT;
  /* field by field, as a struct may have padding */
  const size_t extra = is_float ? FLOAT_EXTRA : 0, frame = channels * traits->bytes;
  const size_t bytes = nd_view_nbytes(src), head = HEADER_BYTES - FLOAT_EXTRA + extra;
  unsigned char *p = put_id(header, "RIFF");
  p = put32(p, head - HEAD_BYTES + bytes + (bytes & 1));
  p = put_id(put_id(p, "WAVE"), "fmt ");
  p = put32(p, FMT_BYTES + (is_float ? 2u : 0u));
  p = put16(p, is_float ? TAG_FLOAT : TAG_PCM);
  p = put16(p, channels);
  p = put32(p, rate);
  p = put32(p, frame * rate);
  p = put16(p, frame);
  p = put16(p, traits->bytes * 8u);
  if (is_float) p = put32(put32(put_id(put16(p, 0), "fact"), 4), src->axis[0].len);
  put32(put_id(p, "data"), bytes);
  return head;
}

static nd_status save(const nd_source *source, ndi_outfile *file, nd_error *err) {
  const nd_view *src = source->arrays[0].array;
  unsigned char header[HEADER_BYTES];
  uint32_t rate = 0;
  ND_TRY(check_sound(src, err));
  ND_TRY(find_rate(source, &rate, err));
  const size_t channels = src->ndim == 2 ? src->axis[1].len : 1;
  size_t frame;
  /* too large a frame is left to check_fields, which names the limit */
  if (!ndi_size_mul(channels, nd_view_itemsize(src), &frame)) frame = ND_SIZE_MAX;
  ND_TRY(check_fields(src, frame, rate, err));
  ND_TRY(ndi_outfile_write(file, header, set_header(src, channels, rate, header), err));
  ND_TRY(ndi_outfile_write_view(file, src, err));
  const bool is_odd = nd_view_nbytes(src) & 1; /* chunks are padded to an even size */
  return is_odd ? ndi_outfile_write(file, "", 1, err) : ND_OK;
}

const nd_codec ndi_wav_codec = {
    .extensions = {".wav"}, .attributes = {{"rate", DEFAULT_RATE}}, .load = load, .save = save};
