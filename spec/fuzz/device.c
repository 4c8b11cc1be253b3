/* Device names, against a regular expression. */
#include <regex.h>

#include "fuzz.h"

/* The names' grammar as the reference has it; a number may be 9999 at most. */
static bool is_device(const char *text) {
  static regex_t regex;
  static bool is_ready;
  const char *const grammar = "^(cpu|pinned|disk:.+|(cuda|gpu|managed|unified)(:0*[0-9]{1,4})?)$";
  if (!is_ready) {
    MUST(regcomp(&regex, grammar, REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0, "regcomp");
    is_ready = true;
  }
  return regexec(&regex, text, 0, NULL, 0) == 0;
}

static void check_place(const char *text, const nd_place *place) {
  const char *colon = strchr(text, ':');
  if (place->kind == ND_MEM_FILE) {
    MUST(place->path == colon + 1, "path");
    return;
  }
  MUST(place->ordinal == (colon ? atoi(colon + 1) : 0), "%d", (int)place->ordinal);
  nd_resource *resource;
  nd_error err = {0};
  const nd_status status = nd_place_resource(place, (nd_place_options){0}, &resource, &err);
  MUST((status == ND_OK) == (place->kind == ND_MEM_HOST), "%s", err.message);
  if (status == ND_OK) nd_resource_drop(resource);
  else MUST(err.message[0], "no message");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MUST(nd_init(NULL) == ND_OK, "init");
  char *text = malloc(size + 1); /* the end of the text is the end of its memory */
  nd_error err = {0};
  nd_place place;
  MUST(text, "memory");
  memcpy(text, data, size);
  text[size] = '\0';
  const nd_status status = nd_place_parse(text, &place, &err);
  MUST(status == ND_OK || (status == ND_INVALID_ARGUMENT && err.message[0]), "%s", err.message);
  MUST((status == ND_OK) == is_device(text), "\"%s\": %s", text, err.message);
  if (status == ND_OK) check_place(text, &place);
  free(text);
  return 0;
}
