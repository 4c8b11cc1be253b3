/* Limits as text: "4GiB", "50%". Not by strtod, which depends on the locale. */
#include <string.h>

#include "mem/adapt/adapt.h"

/* A decimal number: digits / scale, exact. */
typedef struct {
  uint64_t digits, scale; /* scale: a power of 10 */
} decimal;

enum { DIGITS = 15 }; /* at most */

/* Returns what follows; NULL where there is no number, or it has too many digits. */
static const char *parse_number(const char *at, decimal *out) {
  int count = 0, after = -1; /* of all digits, of those after the point */
  out->digits = 0, out->scale = 1;
  for (; (*at >= '0' && *at <= '9') || (*at == '.' && after < 0 && count > 0); at++) {
    if (*at == '.') {
      after = 0;
      continue;
    }
    if (++count > DIGITS) return NULL;
    out->digits = out->digits * 10 + (uint64_t)(*at - '0');
    if (after >= 0) after++, out->scale *= 10;
  }
  return count > 0 && after != 0 ? at : NULL;
}

/* What a unit stands for; 0: there is no such unit. */
static uint64_t unit_of(const char *name) {
  static const char *const names[] = {"", "B", "KiB", "MiB", "GiB", "TiB"};
  static const int shifts[] = {0, 0, 10, 20, 30, 40};
  for (size_t i = 0; i < ND_COUNTOF(names); i++)
    if (strcmp(name, names[i]) == 0) return UINT64_C(1) << shifts[i];
  return 0;
}

static nd_status parse_percent(const char *text, const decimal *percent, nd_resource *up,
                               uint64_t *out, nd_error *err) {
  const uint64_t total = nd_resource_total(up);
  if (percent->digits > 100 * percent->scale)
    return nd_fail(err, ND_INVALID_ARGUMENT, "\"%.40s\": the most is \"100%%\"", text);
  if (total == 0)
    return nd_fail(err, ND_INVALID_ARGUMENT, "percents of %s memory: its total is unknown",
                   nd_resource_leaf(up)->ops->name);
  *out = (uint64_t)((nd_int128)total * percent->digits / percent->scale / 100);
  return ND_OK;
}

nd_status nd_budget_parse(const char *text, nd_resource *up, uint64_t *out, nd_error *err) {
  decimal number = {0, 1};
  const char *rest = parse_number(text, &number);
  while (rest && *rest == ' ') rest++;
  if (rest && strcmp(rest, "%") == 0) return parse_percent(text, &number, up, out, err);
  const uint64_t unit = rest ? unit_of(rest) : 0;
  const nd_int128 bytes = (nd_int128)number.digits * unit / number.scale;
  if (bytes > INT64_MAX)
    return nd_fail(err, ND_INVALID_ARGUMENT, "\"%.40s\": the most is 2^63 - 1 bytes", text);
  if (unit == 0)
    return nd_fail(err, ND_INVALID_ARGUMENT,
                   "\"%.40s\" is no limit: expected such as \"4GiB\", \"512MiB\" or \"50%%\"",
                   text);
  *out = (uint64_t)bytes;
  return ND_OK;
}
