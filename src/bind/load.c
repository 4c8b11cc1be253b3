/* nd.load and nd.save: arrays from and to files, by the formats of xchg/format.h. */
#include "bind/bind.h"

/* The format, by the extension of the path. */
static const nd_codec *find_codec(lua_State *L, ndb_state *S, const char *path) {
  const nd_codec *codec = NULL;
  nd_error err;
  if (nd_codec_find(path, &codec, &err) != ND_OK) ndb_fail_as(L, S, &err, "path");
  return codec;
}

/* load(path [, {mmap =}]): the array, then the values of the format's attributes (of .wav the
 * rate). */
static int module_load(lua_State *L, ndb_state *S) {
  const char *path = ndb_check_path(L, S, 1, "path");
  /* nd_load replaces the codec's defaults by what the file has; the last name is NULL */
  nd_attribute attributes[ND_CODEC_ATTRIBUTES + 1] = {{0}};
  nd_view out;
  nd_error err;
  int count = 0;
  ndb_options given;
  ndb_read_options(L, S, 2, NDB_BIT(MMAP), &given);
  const bool map = ndb_option_boolean(L, S, &given, NDB_MMAP, false);
  const nd_codec *codec = find_codec(L, S, path);
  for (; codec->attributes[count].name; count++) attributes[count] = codec->attributes[count];
  const nd_file_options options = {.codec = codec, .map = map, .attributes = attributes};
  ndb_check(L, S, nd_load(path, options, &out, &err), &err);
  ndb_push_view(L, S, &out);
  for (int i = 0; i < count; i++) lua_pushnumber(L, attributes[i].value);
  return 1 + count;
}

/* The rate in Hz at 'arg'; false: it is absent, and the codec's default is to be written.
 * invalid_argument if the format has none. The upper limit is that of the field in a .wav file. */
static bool read_rate(lua_State *L, ndb_state *S, int arg, const nd_codec *codec, double *out) {
  if (!arg) return false;
  const int64_t rate = ndb_check_integer(L, S, arg, "rate");
  if (!nd_attribute_find(codec->attributes, "rate"))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "rate", "this format has no sample rate");
  if (rate < 1 || rate > UINT32_MAX)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "rate",
                  ND_NUMBERS({"value", rate}, {"limit", UINT32_MAX}),
                  "%lld Hz; the limits are 1 and %u", (long long)rate, UINT32_MAX);
  *out = (double)rate;
  return true;
}

/* save(path, array [, {rate =}]): returns nothing. */
static int module_save(lua_State *L, ndb_state *S) {
  const char *path = ndb_check_path(L, S, 1, "path");
  nd_attribute rate[] = {{"rate", 0}, {0}};
  ndb_options given;
  nd_error err;
  const nd_codec *codec = find_codec(L, S, path);
  const nd_view *v = &ndb_check_array(L, S, 2, "array")->view;
  ndb_read_options(L, S, 3, NDB_BIT(RATE), &given);
  const bool is_rated = read_rate(L, S, given.at[NDB_RATE], codec, &rate->value);
  const nd_file_options options = {.codec = codec, .attributes = is_rated ? rate : NULL};
  ndb_check(L, S, nd_save(path, v, options, &err), &err);
  return 0;
}

const ndb_reg ndb_load_functions[] = {
    {"load", module_load, 2}, {"save", module_save, 3}, {NULL, NULL, 0}};
