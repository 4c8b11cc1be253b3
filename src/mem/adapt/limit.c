/* Limits of budgets as text: "4GiB", "50%". Not by strtod, which depends on the locale. */
#include <string.h>

#include "mem/adapt/adapt.h"

/* A decimal number, in thousandths; NULL where there is none, or it is too large. */
static const char *parse_number(const char *at, uint64_t *thousandths) {
  const char *const first = at;
  uint64_t value = 0, unit = 1000;
  for (; *at >= '0' && *at <= '9'; at++) {
    if (value > UINT64_MAX / 20000) return NULL;
    value = value * 10 + (uint64_t)(*at - '0') * 1000;
  }
  if (at == first) return NULL;
  if (*at == '.')
    for (at++; *at >= '0' && *at <= '9'; at++) value += (uint64_t)(*at - '0') * (unit /= 10);
  *thousandths = value;
  return at;
}

/* What a unit stands for; 0: there is no such unit. */
static uint64_t unit_of(const char *name) {
  static const char *const names[] = {"", "B", "KiB", "MiB", "GiB", "TiB"};
  static const int shifts[] = {0, 0, 10, 20, 30, 40};
  for (size_t i = 0; i < ND_COUNTOF(names); i++)
    if (strcmp(name, names[i]) == 0) return UINT64_C(1) << shifts[i];
  return 0;
}

static nd_status parse_percent(uint64_t thousandths, nd_resource *up, uint64_t *out,
                               nd_error *err) {
  const uint64_t total = nd_resource_total(up);
  if (thousandths > 100 * 1000)
    return nd_fail(err, ND_INVALID_ARGUMENT, "more than 100%%: there is no more");
  if (total == 0)
    return nd_fail(err, ND_INVALID_ARGUMENT, "percents of %s memory: its total is unknown",
                   nd_resource_leaf(up)->ops->name);
  *out = (uint64_t)((nd_int128)total * thousandths / (100 * 1000));
  return ND_OK;
}

nd_status nd_budget_parse(const char *text, nd_resource *up, uint64_t *out, nd_error *err) {
  uint64_t thousandths;
  const char *rest = parse_number(text, &thousandths);
  while (rest && *rest == ' ') rest++;
  if (rest && strcmp(rest, "%") == 0) return parse_percent(thousandths, up, out, err);
  const uint64_t unit = rest ? unit_of(rest) : 0;
  const nd_int128 bytes = (nd_int128)thousandths * unit / 1000;
  if (unit == 0 || bytes > INT64_MAX)
    return nd_fail(err, ND_INVALID_ARGUMENT,
                   "\"%.40s\" is no limit: expected such as \"4GiB\", \"512MiB\" or \"50%%\"",
                   text);
  *out = (uint64_t)bytes;
  return ND_OK;
}
