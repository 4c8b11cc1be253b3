/* nd.load and nd.save: arrays from and to files, by the formats of xchg/format.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/library.h"
#include "bind/exchange.h"

/* The format, by the extension of the path. */
static const nd_codec *find_codec(lua_State *L, ndb_state *S, const char *path) {
  const nd_codec *codec = NULL;
  nd_error err;
  if (nd_codec_find(path, &codec, &err) != ND_OK) ndb_fail_as(L, S, &err, "path");
  return codec;
}

/* {=== loading ===} */

/* Arrays and texts wait here until the file is closed: to make handles may raise. */
typedef struct loaded {
  struct loaded *next;
  nd_view array;     /* without a storage: it is a text */
  const char *value; /* then */
  char name[];
} loaded;

/* An array that is wanted. */
typedef struct {
  const char *name;
  bool is_found;
} wanted;

typedef struct {
  nd_sink base;
  loaded *first, **last;
  int wanted_count;
  wanted *wanted;  /* with base.wants: sorted */
  char there[160]; /* then: the names in the file, as far as there is room */
} many;

static int by_name(const void *a, const void *b) {
  return strcmp(((const wanted *)a)->name, ((const wanted *)b)->name);
}

static bool wants(nd_sink *self, const char *name) {
  many *m = (many *)self;
  const size_t used = strlen(m->there);
  const wanted key = {name, false}, *const end = m->wanted + m->wanted_count;
  snprintf(m->there + used, sizeof m->there - used, "%s%s", used > 0 ? ", " : "", name);
  wanted *w = bsearch(&key, m->wanted, (size_t)m->wanted_count, sizeof key, by_name);
  if (!w) return false;
  while (w > m->wanted && by_name(w - 1, &key) == 0) w--; /* one may be there twice */
  for (; w < end && by_name(w, &key) == 0; w++) w->is_found = true;
  return true;
}

/* Add one with room for so many bytes behind its name; NULL: no memory. */
static loaded *add_loaded(many *m, const char *name, size_t more) {
  const size_t bytes = strlen(name) + 1;
  loaded *one = malloc(sizeof *one + bytes + more);
  if (!one) return NULL;
  one->next = NULL;
  one->array.storage = NULL;
  memcpy(one->name, name, bytes);
  one->value = one->name + bytes;
  *m->last = one;
  m->last = &one->next;
  return one;
}

static nd_status fail_list(nd_error *err) {
  return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a list of arrays");
}

static nd_status put_array(nd_sink *self, const char *name, nd_view *array, nd_error *err) {
  loaded *one = add_loaded((many *)self, name, 0);
  if (!one) return nd_view_drop(array), fail_list(err);
  nd_view_borrow(array, &one->array); /* moves the reference */
  return ND_OK;
}

static nd_status put_text(nd_sink *self, const char *name, const char *value, nd_error *err) {
  const size_t bytes = strlen(value) + 1;
  loaded *one = add_loaded((many *)self, name, bytes);
  if (!one) return fail_list(err);
  memcpy(one->name + strlen(name) + 1, value, bytes);
  return ND_OK;
}

static void drop_loaded(many *m) {
  loaded *next;
  for (loaded *one = m->first; one; one = next) {
    next = one->next;
    if (one->array.storage) nd_view_drop(&one->array);
    free(one);
  }
  m->first = NULL;
}

static int many_gc(lua_State *L) { return drop_loaded(lua_touserdata(L, 1)), 0; }

/* Push a list that the collector drops. */
static many *push_many(lua_State *L, bool map) {
  many *m = lua_newuserdata(L, sizeof *m);
  *m = (many){.base = {.map = map, .put_array = put_array, .put_text = put_text}};
  m->last = &m->first;
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, many_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  return m;
}

/* Push a table of all arrays by name, or of all texts. */
static void push_table(lua_State *L, ndb_state *S, const many *m, bool of_texts) {
  lua_newtable(L);
  for (const loaded *one = m->first; one; one = one->next) {
    nd_view array;
    if (of_texts != !one->array.storage) continue;
    if (of_texts) {
      lua_pushstring(L, one->value);
    } else {
      ndb_make_guard(L, S);
      nd_view_copy(&one->array, &array);
      ndb_push_view(L, S, &array);
    }
    lua_setfield(L, -2, one->name);
  }
}

/* The names at 'arg', a list. Pushes what has them, and what keeps them: a callback may change the
 * script's. */
static void check_wanted(lua_State *L, ndb_state *S, int arg, many *m) {
  if (!lua_istable(L, arg)) ndb_fail_type(L, S, arg, "names", "a list of names");
  const int count = (int)lua_objlen(L, arg);
  int keys = 0;
  for (lua_pushnil(L); lua_next(L, arg); lua_pop(L, 1)) keys++;
  if (keys != count)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "names", "expected a list of names, got other keys, too");
  m->wanted = lua_newuserdata(L, ((size_t)count + 1) * sizeof *m->wanted);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    size_t length;
    lua_rawgeti(L, arg, i + 1);
    if (lua_type(L, -1) != LUA_TSTRING) ndb_fail_type(L, S, lua_gettop(L), "names", "names");
    m->wanted[i] = (wanted){lua_tolstring(L, -1, &length), false};
    if (strlen(m->wanted[i].name) != length)
      ndb_fail(L, S, ND_INVALID_ARGUMENT, "names", "\"%.40s\" has a 0 byte", m->wanted[i].name);
    lua_rawseti(L, -2, i + 1);
  }
  qsort(m->wanted, (size_t)count, sizeof *m->wanted, by_name);
  m->wanted_count = count;
  m->base.wants = wants;
}

static int load_many(lua_State *L, ndb_state *S, const nd_codec *codec, const char *path,
                     const ndb_options *given) {
  nd_error err;
  many *m = push_many(L, ndb_option_boolean(L, S, given, NDB_MMAP, false));
  if (given->at[NDB_NAMES]) check_wanted(L, S, given->at[NDB_NAMES], m);
  ndb_check(L, S, nd_codec_load(codec, path, &m->base, &err), &err);
  for (int i = 0; i < m->wanted_count; i++)
    if (!m->wanted[i].is_found)
      ndb_fail(L, S, ND_INVALID_ARGUMENT, "names",
               "%.200s: there is no array \"%.80s\"; there are %s", path, m->wanted[i].name,
               *m->there ? m->there : "none");
  push_table(L, S, m, false);
  if (codec->has_texts) push_table(L, S, m, true);
  drop_loaded(m);
  return codec->has_texts ? 2 : 1;
}

/* load(path [, {mmap =, names =}]): the array, then the values of the format's attributes (of .wav
 * the rate). */
static int module_load(lua_State *L, ndb_state *S) {
  const char *path = ndb_check_path(L, S, 1, "path");
  /* nd_load replaces the codec's defaults by what the file has; the last name is NULL */
  nd_attribute attributes[ND_CODEC_ATTRIBUTES + 1] = {{0}};
  nd_view out;
  nd_error err;
  int count = 0;
  ndb_options given;
  const nd_codec *codec = find_codec(L, S, path);
  ndb_read_options(L, S, 2, NDB_BIT(MMAP) | (codec->holds_many ? NDB_BIT(NAMES) : 0), &given);
  if (codec->holds_many) return load_many(L, S, codec, path, &given);
  const bool map = ndb_option_boolean(L, S, &given, NDB_MMAP, false);
  for (; codec->attributes[count].name; count++) attributes[count] = codec->attributes[count];
  const nd_file_options options = {.codec = codec, .map = map, .attributes = attributes};
  ndb_check(L, S, nd_load(path, options, &out, &err), &err);
  ndb_push_view(L, S, &out);
  for (int i = 0; i < count; i++) lua_pushnumber(L, attributes[i].value);
  return 1 + count;
}

/* The whole number at 'arg', between these limits, for an attribute or a setting of the
 * format, of which the name is 'out->name'. False: it is absent, and the default is to be written.
 * invalid_argument if the format has none. */
static bool read_number(lua_State *L, ndb_state *S, int arg, const nd_codec *codec, int64_t least,
                        int64_t most, nd_attribute *out) {
  if (!arg) return false;
  const int64_t value = ndb_check_integer(L, S, arg, out->name);
  if (!nd_attribute_find(codec->attributes, out->name) &&
      !nd_attribute_find(codec->settings, out->name))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, out->name, "this format has no %s", out->name);
  if (value < least || value > most)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, out->name,
                  ND_NUMBERS({"value", value}, {"limit", value < least ? least : most}),
                  "%lld; the limits are %lld and %lld", (long long)value, (long long)least,
                  (long long)most);
  out->value = (double)value;
  return true;
}

static void check_texts(lua_State *L, ndb_state *S, int arg, nd_source *out) {
  const ndb_pair *pairs = ndb_push_pairs(L, S, arg, "metadata", "a table of strings by name",
                                         &out->texts_count);
  nd_text *texts = lua_newuserdata(L, ((size_t)out->texts_count + 1) * sizeof *texts);
  for (int i = 0; i < out->texts_count; i++, lua_pop(L, 1)) {
    size_t length;
    ndb_push_value(L, &pairs[i]);
    if (lua_type(L, -1) != LUA_TSTRING) ndb_fail_type(L, S, lua_gettop(L), "metadata", "strings");
    texts[i] = (nd_text){pairs[i].name, lua_tolstring(L, -1, &length)};
    if (strlen(texts[i].value) != length)
      ndb_fail(L, S, ND_INVALID_ARGUMENT, "metadata", "\"%.40s\" has a 0 byte", texts[i].name);
  }
  out->texts = texts;
}

static int save_many(lua_State *L, ndb_state *S, const nd_codec *codec, const char *path) {
  nd_error err;
  nd_named_array only = {codec->only_name, NULL};
  nd_source source = {.count = 1, .arrays = &only};
  ndb_options given;
  ndb_read_options(L, S, 3, codec->has_texts ? NDB_BIT(METADATA) : 0, &given);
  if (codec->only_name && ndb_to_array(L, 2)) only.array = &ndb_check_array(L, S, 2, "array")->view;
  else source.arrays = ndb_check_arrays(L, S, 2, "arrays", &source.count);
  if (given.at[NDB_METADATA]) check_texts(L, S, given.at[NDB_METADATA], &source);
  ndb_check(L, S, nd_codec_save(codec, path, &source, &err), &err);
  return 0;
}

/* save(path, array | arrays [, {rate =, quality =, metadata =}]): returns nothing. The limits of a
 * rate, in Hz, are those of the field in a .wav file. */
static int module_save(lua_State *L, ndb_state *S) {
  const char *path = ndb_check_path(L, S, 1, "path");
  nd_attribute rate = {"rate", 0}, quality = {"quality", 0}, attributes[3] = {{0}};
  int count = 0;
  ndb_options given;
  nd_error err;
  const nd_codec *codec = find_codec(L, S, path);
  if (codec->holds_many) return save_many(L, S, codec, path);
  const nd_view *v = &ndb_check_array(L, S, 2, "array")->view;
  ndb_read_options(L, S, 3, NDB_BIT(RATE) | NDB_BIT(QUALITY), &given);
  if (read_number(L, S, given.at[NDB_RATE], codec, 1, UINT32_MAX, &rate))
    attributes[count++] = rate;
  if (read_number(L, S, given.at[NDB_QUALITY], codec, 1, 100, &quality))
    attributes[count++] = quality;
  const nd_file_options options = {.codec = codec, .attributes = count > 0 ? attributes : NULL};
  ndb_check(L, S, nd_save(path, v, options, &err), &err);
  return 0;
}

/* {=== the libraries of formats ===} */

/* library(index): the name, is it there, and its version or the reason; nothing after the last. */
static int module_library(lua_State *L, ndb_state *S) {
  ndi_library *library = nd_codec_library(ndb_check_size(L, S, 1, "index"));
  nd_error err;
  if (!library) return 0;
  const bool is_there = ndi_library_open(library, &err) == ND_OK;
  lua_pushstring(L, library->name);
  lua_pushboolean(L, is_there);
  lua_pushstring(L, !is_there ? err.message : library->version ? library->version() : NULL);
  return 3;
}

const ndb_reg ndb_load_functions[] = {{"load", module_load, 2},
                                      {"save", module_save, 3},
                                      {"library", module_library, 1},
                                      {NULL, NULL, 0}};
