/* Images and sound in files, without Lua: hostile headers, every truncation, round trips. */
#include "files.h"
#include "mem/host.h"

static uint32_t rate_out; /* of the last sound */

/* {=== pnm ===} */

typedef struct {
  const char *bytes;
  size_t count;
  nd_status status, mapped;
  const char *shape; /* or part of the message */
} file_case;
#define FILE_OF(text) "" text, sizeof text - 1

static const file_case pnm_cases[] = {
    {FILE_OF("P5 3 2 255\nabcdef"), ND_OK, ND_OK, "2x3"},
    {FILE_OF("P6 1 2 255\nabcdef"), ND_OK, ND_OK, "2x1x3"},
    {FILE_OF("P5 3 1 65535\nabcdef"), ND_OK, ND_UNSUPPORTED, "1x3"},
    {FILE_OF("P5 3 1 256\nabcdef"), ND_OK, ND_UNSUPPORTED, "1x3"},
    {FILE_OF("P5 3 2 1\nabcdef"), ND_OK, ND_OK, "2x3"}, /* above maxval: kept */
    {FILE_OF("P5#c\n#c\r3#c\n 2 #c\n 255#c\nabcdef"), ND_OK, ND_OK, "2x3"},
    {FILE_OF("P5\t3\v2\f255\r#bcdef"), ND_OK, ND_OK, "2x3"}, /* '#' is a pixel here */
    {FILE_OF("P5 3 2 255\n\nbcdefXYZ"), ND_OK, ND_OK, "2x3"},
    {FILE_OF("P5 0 2 255\n"), ND_OK, ND_OK, "2x0"},
    {FILE_OF("P2 2 1 255\n7 9"), ND_OK, ND_UNSUPPORTED, "1x2"},
    {FILE_OF("P2 2 1 300\n7 65535\n"), ND_OK, ND_UNSUPPORTED, "1x2"},
    {FILE_OF("P3 1 1 255 # x\n 1 2 # y\n 3"), ND_OK, ND_UNSUPPORTED, "1x1x3"},
    {FILE_OF("P2 2 1 255\n7 256"), ND_FORMAT, ND_UNSUPPORTED, "at most 255"},
    {FILE_OF("P2 2 1 255\n7 -1"), ND_FORMAT, ND_UNSUPPORTED, "a number"},
    {FILE_OF("P2 2 1 255\n7     "), ND_FORMAT, ND_UNSUPPORTED, "the end"},
    {FILE_OF("P2 2 1 255\n7"), ND_FORMAT, ND_UNSUPPORTED, "truncated"},
    {FILE_OF("P2 4294967296 4294967296 255\n7"), ND_OVERFLOW, ND_UNSUPPORTED, "largest"},
    {FILE_OF("P2 0 9223372036854775807 255\n7"), ND_OVERFLOW, ND_UNSUPPORTED, "largest"},
    {FILE_OF("P5 4294967296 4294967296 255\n7"), ND_OVERFLOW, ND_OVERFLOW, "largest"},
    {FILE_OF("P5 99999999999999999999 1 255\n7"), ND_FORMAT, ND_FORMAT, "width"},
    {FILE_OF("P5 1000000 1000000 255\n7"), ND_FORMAT, ND_FORMAT, "truncated"},
    {FILE_OF("P5 3 2 0\nabcdef"), ND_FORMAT, ND_FORMAT, "maximal"},
    {FILE_OF("P5 3 2 65536\nabcdef"), ND_FORMAT, ND_FORMAT, "maximal"},
    {FILE_OF("P5 -3 2 255\nabcdef"), ND_FORMAT, ND_FORMAT, "width"},
    {FILE_OF("P5 3x2 255\nabcdef"), ND_FORMAT, ND_FORMAT, "space"},
    {FILE_OF("P53 2 255\nabcdef"), ND_FORMAT, ND_FORMAT, "space"},
    {FILE_OF("P5 3 2 255"), ND_FORMAT, ND_FORMAT, "truncated"},
    {FILE_OF("P5 3 2 255#"), ND_FORMAT, ND_FORMAT, "truncated"},
    {FILE_OF("P5 3 2 255\nabcde"), ND_FORMAT, ND_FORMAT, "truncated"},
    {FILE_OF("P6 3 2 255\nabcdef"), ND_FORMAT, ND_FORMAT, "truncated"},
    {FILE_OF("P4 3 2\nab"), ND_UNSUPPORTED, ND_UNSUPPORTED, "P4"},
    {FILE_OF("PF\n3 2\n-1\n"), ND_UNSUPPORTED, ND_UNSUPPORTED, "PF"},
    {FILE_OF("P8 3 2 255\n"), ND_FORMAT, ND_FORMAT, "not a Netpbm"},
    {FILE_OF("P\0 3 2 255\n"), ND_FORMAT, ND_FORMAT, "not a Netpbm"},
    {FILE_OF(""), ND_FORMAT, ND_FORMAT, "not a Netpbm"},
};

static void check_cases(loader load, const file_case *cases, size_t count) {
  char text[ND_SHAPE_TEXT];
  for (size_t i = 0; i < count; i++) {
    const file_case *c = &cases[i];
    nd_view v;
    CHECK(try_load(load, c->bytes, c->count, false) == c->status, "case %zu: %s", i, err.message);
    if (c->status != ND_OK) {
      CHECK(strstr(err.message, c->shape), "case %zu: %s", i, err.message);
    } else if (load(path, false, &v, &err) == ND_OK) {
      nd_shape_text(v.ndim, v.axis, text, sizeof text);
      CHECK(strcmp(text, c->shape) == 0, "case %zu: %s", i, text);
      nd_view_drop(&v);
    }
    CHECK(try_load(load, c->bytes, c->count, true) == c->mapped, "case %zu: %s", i, err.message);
    try_prefixes(load, (const unsigned char *)c->bytes, c->count);
    if (c->count > 0) try_damage(load, (const unsigned char *)c->bytes, c->count, 100);
  }
}

static void check_pnm(void) {
  static const size_t shapes[][3] = {{5, 7, 0}, {5, 7, 3}};
  group("pnm: headers, rasters, truncations");
  check_cases(load_pnm, pnm_cases, ND_COUNTOF(pnm_cases));
  group("pnm: what is saved comes back");
  for (int dtype = 0; dtype < ND_DTYPE_COUNT; dtype++) {
    for (int kind = 0; kind < 3; kind++) {
      const bool fits = (dtype == ND_U8 || dtype == ND_U16) && kind < 2;
      nd_view v = make((nd_dtype)dtype, kind < 2 ? kind + 2 : 1, shapes[kind % 2]), turned, back;
      const nd_status status = save_pnm(path, &v, &err);
      CHECK((status == ND_OK) == fits, "dtype %d kind %d: %s", dtype, kind, err.message);
      if (fits && load_pnm(path, false, &back, &err) == ND_OK) {
        CHECK(same(&v, &back) && back.dtype == dtype, "dtype %d", dtype);
        nd_view_drop(&back);
      }
      if (fits && nd_view_flip(&v, 3, &turned, &err) == ND_OK) {
        CHECK(save_pnm(path, &turned, &err) == ND_OK, "%s", err.message);
        CHECK(load_pnm(path, false, &back, &err) == ND_OK, "%s", err.message);
        CHECK(same(&turned, &back), "dtype %d", dtype);
        nd_view_drop(&back);
        nd_view_drop(&turned);
      }
      nd_view_drop(&v);
    }
  }
}

/* {=== pfm ===} */

#define ONE "\0\0\200\77"
#define ONE_BIG "\77\200\0\0"

static const file_case pfm_cases[] = {
    {FILE_OF("Pf\n1 2\n-1.0\n" ONE ONE), ND_OK, ND_OK, "2x1"},
    {FILE_OF("PF 1 1 -1\n" ONE ONE ONE), ND_OK, ND_OK, "1x1x3"},
    {FILE_OF("Pf\n2 1\n1.0\n" ONE_BIG ONE_BIG), ND_OK, ND_UNSUPPORTED, "1x2"},
    {FILE_OF("Pf\n1 1\n+.5e-3\n" ONE_BIG), ND_OK, ND_UNSUPPORTED, "1x1"},
    {FILE_OF("Pf\n1 1\n-0.0E9\n" ONE), ND_FORMAT, ND_FORMAT, "scale"},
    {FILE_OF("Pf\n1 1\n-3e999\n" ONE), ND_OK, ND_OK, "1x1"},
    {FILE_OF("Pf\r\n\t1\v1\f-2\n\n\1\2\3XYZ"), ND_OK, ND_OK, "1x1"}, /* a blank is data */
    {FILE_OF("Pf 0 2 -1\n"), ND_OK, ND_OK, "2x0"},
    {FILE_OF("PF 2 0 1\n"), ND_OK, ND_UNSUPPORTED, "0x2x3"},
    {FILE_OF("Pf 1 1 0\n" ONE), ND_FORMAT, ND_FORMAT, "scale"},
    {FILE_OF("Pf 1 1 nan\n" ONE), ND_FORMAT, ND_FORMAT, "scale"},
    {FILE_OF("Pf 1 1 -nan\n" ONE), ND_FORMAT, ND_FORMAT, "scale"},
    {FILE_OF("Pf 1 1 -inf\n" ONE), ND_FORMAT, ND_FORMAT, "scale"},
    {FILE_OF("Pf 1 1 -\n" ONE), ND_FORMAT, ND_FORMAT, "scale"},
    {FILE_OF("Pf 1 1 -.\n" ONE), ND_FORMAT, ND_FORMAT, "scale"},
    {FILE_OF("Pf 1 1 -1e\n" ONE), ND_FORMAT, ND_FORMAT, "exponent"},
    {FILE_OF("Pf 1 1 -1,5\n" ONE), ND_FORMAT, ND_FORMAT, "newline"},
    {FILE_OF("Pf 1 1 -0x1\n" ONE), ND_FORMAT, ND_FORMAT, "scale"},
    {FILE_OF("Pf 1 1 -1" ONE), ND_FORMAT, ND_FORMAT, "newline"},
    {FILE_OF("Pf 1 1 -1"), ND_FORMAT, ND_FORMAT, "the end"},
    {FILE_OF("Pf 1 1"), ND_FORMAT, ND_FORMAT, "the end"},
    {FILE_OF("Pf -1 1 -1\n" ONE), ND_FORMAT, ND_FORMAT, "width"},
    {FILE_OF("Pf 1 +1 -1\n" ONE), ND_FORMAT, ND_FORMAT, "height"},
    {FILE_OF("Pf 1.0 1 -1\n" ONE), ND_FORMAT, ND_FORMAT, "blank"},
    {FILE_OF("Pf1 1 -1\n" ONE), ND_FORMAT, ND_FORMAT, "magic"},
    {FILE_OF("Pf#c\n1 1 -1\n" ONE), ND_FORMAT, ND_FORMAT, "magic"},
    {FILE_OF("Pf 99999999999999999999 1 -1\n"), ND_FORMAT, ND_FORMAT, "width"},
    {FILE_OF("Pf 4294967296 4294967296 -1\n"), ND_OVERFLOW, ND_OVERFLOW, "largest"},
    {FILE_OF("PF 3074457345618258603 1 -1\n"), ND_OVERFLOW, ND_OVERFLOW, "largest"},
    {FILE_OF("Pf 1000000 1000000 -1\n" ONE), ND_FORMAT, ND_FORMAT, "truncated"},
    {FILE_OF("PF 1 1 -1\n" ONE ONE), ND_FORMAT, ND_FORMAT, "truncated"},
    {FILE_OF("Pf 1 1 -1\n\1\2\3"), ND_FORMAT, ND_FORMAT, "truncated"},
    {FILE_OF("P5 1 1 255\n1234"), ND_FORMAT, ND_FORMAT, "not a float map"},
    {FILE_OF("P\0 1 1 -1\n1234"), ND_FORMAT, ND_FORMAT, "not a float map"},
    {FILE_OF("P"), ND_FORMAT, ND_FORMAT, "not a float map"},
    {FILE_OF(""), ND_FORMAT, ND_FORMAT, "not a float map"},
};

/* Blanks without end, and digits. */
static void check_pfm_long(void) {
  char text[600];
  group("pfm: a header that does not end");
  for (int kind = 0; kind < 3; kind++) {
    const size_t lead = (size_t)snprintf(text, sizeof text, "%s", kind < 2 ? "Pf " : "Pf 1 1 -1");
    memset(text + lead, " 00"[kind], sizeof text - lead);
    CHECK(try_load(load_pfm, text, sizeof text, false) == ND_FORMAT, "%d: %s", kind, err.message);
  }
}

static void check_pfm_saves(void) {
  static const size_t shapes[][3] = {{5, 7, 0}, {5, 7, 3}, {5, 7, 4}, {0, 7, 3}};
  group("pfm: what is saved comes back");
  for (int dtype = 0; dtype < ND_DTYPE_COUNT; dtype++)
    for (int kind = 0; kind < 5; kind++) {
      const bool has_shape = kind < 2 || kind == 3;
      nd_view v = make((nd_dtype)dtype, kind == 0 ? 2 : kind < 4 ? 3 : 1, shapes[kind % 4]), back;
      const nd_status status = save_pfm(path, &v, &err);
      CHECK(status == (dtype != ND_F32 ? ND_TYPE_MISMATCH
                       : has_shape     ? ND_OK
                                       : ND_SHAPE_MISMATCH),
            "dtype %d kind %d: %s", dtype, kind, err.message);
      for (int map = 0; status == ND_OK && map < 2; map++) {
        CHECK(load_pfm(path, map, &back, &err) == ND_OK, "%s", err.message);
        CHECK(same(&v, &back) && back.dtype == dtype, "kind %d", kind);
        nd_view_drop(&back);
      }
      nd_view_drop(&v);
    }
}

/* {=== wav ===} */

#define RIFF(size) "RIFF" size "WAVE"
#define FMT(tag, ch, align, bits)  \
  "fmt \20\0\0\0" tag "\0" ch "\0" \
  "\100\37\0\0"                    \
  "\0\0\0\0" align "\0" bits "\0"
#define GUID "\0\0\0\0\20\0\200\0\0\252\0\70\233\161"
#define EXTENSIBLE(tag, ch, align, bits, rest) \
  "fmt \50\0\0\0\376\377" ch "\0"              \
  "\100\37\0\0"                                \
  "\0\0\0\0" align "\0" bits "\0"              \
  "\26\0" bits "\0"                            \
  "\4\0\0\0" tag "\0" rest
#define MONO16 FMT("\1", "\1", "\2", "\20")
#define FULL "\377\377\377\377"
#define ANY "\0\0\0\0"

static const file_case wav_cases[] = {
    {FILE_OF(RIFF(ANY) MONO16 "data\4\0\0\0abcd"), ND_OK, ND_OK, "2x1"},
    {FILE_OF(RIFF(FULL) MONO16 "data\4\0\0\0abcdJUNK\0\0\0\0"), ND_OK, ND_OK, "2x1"},
    {FILE_OF(RIFF(ANY) FMT("\1", "\2", "\2", "\10") "data\4\0\0\0abcd"), ND_OK, ND_OK, "2x2"},
    {FILE_OF(RIFF(ANY) FMT("\1", "\1", "\3", "\30") "data\6\0\0\0abcdef"), ND_OK, ND_UNSUPPORTED,
     "2x1"},
    {FILE_OF(RIFF(ANY) FMT("\1", "\1", "\4", "\40") "data\4\0\0\0abcd"), ND_OK, ND_OK, "1x1"},
    {FILE_OF(RIFF(ANY) FMT("\3", "\1", "\4", "\40") "data\4\0\0\0abcd"), ND_OK, ND_OK, "1x1"},
    {FILE_OF(RIFF(ANY) FMT("\3", "\1", "\10", "\100") "data\10\0\0\0abcdefgh"), ND_OK, ND_OK,
     "1x1"},
    {FILE_OF(RIFF(ANY) EXTENSIBLE("\1", "\2", "\4", "\20", GUID) "data\4\0\0\0abcd"), ND_OK, ND_OK,
     "1x2"},
    {FILE_OF(RIFF(ANY) EXTENSIBLE("\3", "\1", "\4", "\40", GUID) "data\4\0\0\0abcd"), ND_OK, ND_OK,
     "1x1"},
    {FILE_OF(RIFF(ANY) EXTENSIBLE("\1", "\2", "\4", "\20", "aaaaaaaaaaaaaa") "data" ANY),
     ND_UNSUPPORTED, ND_UNSUPPORTED, "GUID"},
    {FILE_OF(RIFF(ANY) "LIST\3\0\0\0abc\0" MONO16 "junk\2\0\0\0ab"
                       "data\4\0\0\0abcd"),
     ND_OK, ND_OK, "2x1"}, /* a padding byte after an odd size */
    {FILE_OF(RIFF(ANY) MONO16 "data" FULL "abcde"), ND_OK, ND_OK, "2x1"}, /* streamed, cut off */
    {FILE_OF(RIFF(ANY) MONO16 "data" ANY "abcdefghijkl"), ND_OK, ND_OK, "6x1"},
    {FILE_OF(RIFF(ANY) MONO16 "data" ANY "LIST\4\0\0\0abcd"), ND_OK, ND_OK, "0x1"}, /* empty */
    {FILE_OF(RIFF(ANY) MONO16 "data" ANY), ND_OK, ND_OK, "0x1"},
    {FILE_OF(RIFF(ANY) MONO16 "data\3\0\0\0abcd"), ND_FORMAT, ND_FORMAT, "whole frames"},
    {FILE_OF(RIFF(ANY) MONO16 "data\6\0\0\0abcd"), ND_FORMAT, ND_FORMAT, "truncated"},
    {FILE_OF(RIFF(ANY) MONO16 "data\376\377\377\377"
                              "abcd"),
     ND_FORMAT, ND_FORMAT, "truncated"},
    {FILE_OF(RIFF(ANY) MONO16 "LIST\376\377\377\377"
                              "data" ANY),
     ND_FORMAT, ND_FORMAT, "'data'"},
    {FILE_OF(RIFF(ANY) MONO16), ND_FORMAT, ND_FORMAT, "'data'"},
    {FILE_OF(RIFF(ANY) "data\4\0\0\0abcd" MONO16), ND_FORMAT, ND_FORMAT, "before the 'data'"},
    {FILE_OF(RIFF(ANY) "junk\4\0\0\0abcd"), ND_FORMAT, ND_FORMAT, "'fmt '"},
    {FILE_OF(RIFF(ANY) "fmt \16\0\0\0aaaaaaaaaaaaaa"), ND_FORMAT, ND_FORMAT, "at least 16"},
    {FILE_OF(RIFF(ANY) "fmt \20\0\0\0aaaa"), ND_FORMAT, ND_FORMAT, "truncated"},
    {FILE_OF(RIFF(ANY) "fmt \20\0\0\0\376\377"
                       "aaaaaaaaaaaaaa"),
     ND_FORMAT, ND_FORMAT, "extensible"},
    {FILE_OF(RIFF(ANY) FMT("\1", "\0", "\0", "\20") "data" ANY), ND_FORMAT, ND_FORMAT, "channel"},
    {FILE_OF(RIFF(ANY) FMT("\1", "\2", "\2", "\20") "data" ANY), ND_FORMAT, ND_FORMAT, "alignment"},
    {FILE_OF(RIFF(ANY) FMT("\1", "\1", "\0", "\20") "data" ANY), ND_FORMAT, ND_FORMAT, "alignment"},
    {FILE_OF(RIFF(ANY) FMT("\1", "\1", "\2", "\14") "data" ANY), ND_UNSUPPORTED, ND_UNSUPPORTED,
     "12 bits"},
    {FILE_OF(RIFF(ANY) FMT("\7", "\1", "\1", "\10") "data" ANY), ND_UNSUPPORTED, ND_UNSUPPORTED,
     "format 7"},
    {FILE_OF(RIFF(ANY) FMT("\3", "\1", "\2", "\20") "data" ANY), ND_UNSUPPORTED, ND_UNSUPPORTED,
     "16 bits"},
    {FILE_OF("RF64" FULL "WAVE"), ND_UNSUPPORTED, ND_UNSUPPORTED, "RF64"},
    {FILE_OF("RIFX" FULL "WAVE"), ND_UNSUPPORTED, ND_UNSUPPORTED, "RIFX"},
    {FILE_OF("RIFF" FULL "AVI "), ND_FORMAT, ND_FORMAT, "not a WAVE"},
    {FILE_OF("RIFF"), ND_FORMAT, ND_FORMAT, "not a WAVE"},
    {FILE_OF(""), ND_FORMAT, ND_FORMAT, "not a WAVE"},
};

static void check_24_bit(void) {
  static const char file[] = RIFF(ANY)
      FMT("\1", "\1", "\3", "\30") "data\11\0\0\0\1\2\3\0\0\200\377\377\377";
  static const int32_t expected[] = {0x03020100, INT32_MIN, -256};
  int32_t got[3] = {0};
  nd_view v;
  group("wav: 24-bit samples are widened");
  put(file, sizeof file - 1);
  CHECK(load_rated(path, false, &v, &rate_out, &err) == ND_OK, "%s", err.message);
  CHECK(v.dtype == ND_I32 && nd_copyout(&v, got, sizeof got, &err) == ND_OK, "%s", err.message);
  CHECK(memcmp(got, expected, sizeof got) == 0, "%d %d %d", got[0], got[1], got[2]);
  CHECK(rate_out == 8000, "%u Hz", rate_out);
  nd_view_drop(&v);
}

static void check_wav_trip(const nd_view *v) {
  nd_view back, column;
  CHECK(save_rated(path, v, 44100, &err) == ND_OK, "%s", err.message);
  for (int map = 0; map < 2; map++) {
    CHECK(load_rated(path, map, &back, &rate_out, &err) == ND_OK, "%s", err.message);
    if (v->ndim == 2) {
      CHECK(same(v, &back), "dtype %d", v->dtype);
    } else {
      CHECK(nd_view_select(&back, 1, 0, &column, &err) == ND_OK && same(v, &column), "1-D");
      nd_view_drop(&column);
    }
    CHECK(back.dtype == v->dtype && rate_out == 44100, "%u Hz", rate_out);
    nd_view_drop(&back);
  }
}

static void check_wav_saves(void) {
  static const size_t shape[] = {9, 3};
  static const int order[] = {1, 0};
  group("wav: what is saved comes back");
  for (int dtype = 0; dtype < ND_DTYPE_COUNT; dtype++) {
    const bool fits = dtype == ND_U8 || dtype == ND_I16 || dtype == ND_I32 || dtype == ND_F32 ||
                      dtype == ND_F64;
    nd_view v = make((nd_dtype)dtype, 2, shape), turned, one;
    if (fits) {
      check_wav_trip(&v);
      CHECK(nd_view_permute(&v, order, &turned, &err) == ND_OK, "%s", err.message);
      check_wav_trip(&turned);
      CHECK(nd_view_select(&v, 1, 1, &one, &err) == ND_OK, "%s", err.message);
      check_wav_trip(&one);
      nd_view_drop(&turned);
      nd_view_drop(&one);
    } else {
      CHECK(save_rated(path, &v, 1, &err) == ND_TYPE_MISMATCH, "dtype %d", dtype);
    }
    nd_view_drop(&v);
  }
}

/* The sizes come first, so that nothing is written for the largest. */
static void check_wav_limits(void) {
  static const struct {
    int ndim;
    size_t shape[3];
    uint32_t rate;
    nd_status status;
  } cases[] = {{0, {0}, 1, ND_SHAPE_MISMATCH},
               {3, {2, 2, 2}, 1, ND_SHAPE_MISMATCH},
               {2, {2, 0}, 1, ND_SHAPE_MISMATCH},
               {2, {0, 2}, 1, ND_OK},
               {1, {0}, 1, ND_OK},
               {1, {2}, 0, ND_INVALID_ARGUMENT},
               {2, {1, 65536}, 1, ND_OVERFLOW},
               {2, {1, 65535}, 1, ND_OK},
               {2, {1, 65535}, 65538, ND_OVERFLOW},
               {1, {4294967296}, 1, ND_OVERFLOW},
               {2, {0, (size_t)1 << 62}, 1, ND_OVERFLOW}};
  group("wav: limits of the header");
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    nd_view v;
    const nd_storage_options lazy = {.lazy = true, .zeroed = true};
    CHECK(nd_new(nd_host_resource(), ND_U8, cases[i].ndim, cases[i].shape, lazy, &v, &err) == ND_OK,
          "%s", err.message);
    CHECK(save_rated(path, &v, cases[i].rate, &err) == cases[i].status, "case %zu: %s", i,
          err.message);
    nd_view_drop(&v);
  }
}

int main(void) {
  enter_folder();
  check_pnm();
  group("pfm: headers, truncations");
  check_cases(load_pfm, pfm_cases, ND_COUNTOF(pfm_cases));
  check_pfm_long();
  check_pfm_saves();
  group("wav: chunks, formats, sizes that lie, truncations");
  check_cases(load_wav, wav_cases, ND_COUNTOF(wav_cases));
  check_24_bit();
  check_wav_saves();
  check_wav_limits();
  return leave_folder();
}
