/* The names of statuses, and functions that fill the error record.
 *
 * An error record is a plain value in the caller's memory, with texts of a fixed size: so a
 * failure, such as running out of memory, can be described without memory. */
#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Sets every field, since callers need not initialise the record; remedy and path are filled in
 * afterwards, by those that have one. */
static void set_error(nd_error *err, nd_status code, const nd_number *numbers, const char *fmt,
                      va_list args) {
  err->code = code;
  err->remedy = ND_REMEDY_NONE;
  err->subject = NULL;
  err->count = 0;
  err->path[0] = '\0';
  for (; numbers && numbers->name && err->count < ND_ERROR_NUMBERS; numbers++)
    err->numbers[err->count++] = *numbers;
  vsnprintf(err->message, sizeof err->message, fmt, args);
}

/* A function with variable arguments cannot pass them on to another: hence va_start in each of
 * these three. */
nd_status nd_fail(nd_error *err, nd_status code, const char *fmt, ...) {
  if (!err) return code;
  va_list args;
  va_start(args, fmt);
  set_error(err, code, NULL, fmt, args);
  va_end(args);
  return code;
}

nd_status nd_fail_with(nd_error *err, nd_status code, const nd_number *numbers, const char *fmt,
                       ...) {
  if (!err) return code;
  va_list args;
  va_start(args, fmt);
  set_error(err, code, numbers, fmt, args);
  va_end(args);
  return code;
}

nd_status nd_fail_remedy_for(nd_error *err, nd_status code, nd_remedy remedy, const char *subject,
                             const char *fmt, ...) {
  if (!err) return code;
  va_list args;
  va_start(args, fmt);
  set_error(err, code, NULL, fmt, args);
  va_end(args);
  err->remedy = remedy;
  err->subject = subject;
  return code;
}

/* ENOMEM is told apart from other errors so that nd_ticket_take makes room and tries again. */
nd_status nd_fail_errno(nd_error *err, const char *what, const char *path, int number) {
  const nd_status code = number == ENOMEM ? ND_OUT_OF_MEMORY : ND_IO;
  char buffer[128];
  /* GNU's strerror_r returns the text, which may be a static string instead of the buffer */
  const char *text = strerror_r(number, buffer, sizeof buffer);
  nd_fail_with(err, code, ND_NUMBERS({"errno", number}), "%s%s%s: %s", what, path ? " " : "",
               path ? path : "", text);
  nd_error_set_path(err, path);
  return code;
}

nd_status ndi_error_name(nd_status status, const char *what, const char *name, nd_error *err) {
  char text[ND_ERROR_TEXT];
  if (status == ND_OK || !err) return status;
  memcpy(text, err->message, sizeof text); /* which would overlap the buffer */
  snprintf(err->message, sizeof err->message, "%.40s%s%.80s%s: %.400s", what, name ? " \"" : "",
           name ? name : "", name ? "\"" : "", text);
  return status;
}

void nd_error_set_path(nd_error *err, const char *path) {
  if (err && path) snprintf(err->path, sizeof err->path, "%s", path);
}

const char *ndi_double_text(double value, char *text) {
  if (value != value) return strcpy(text, "nan"); /* printf writes the sign of some: "-nan" */
  snprintf(text, ND_DOUBLE_TEXT, "%.17g", value);
  /* printf writes the decimal point of the locale, of one byte or more, and cannot be asked for
   * another */
  char *point = text + strspn(text, "+-0123456789infe");
  const char *rest = point + strcspn(point, "+-0123456789infe");
  if (*point) *point = '.', memmove(point + 1, rest, strlen(rest) + 1);
  return text;
}

const char *nd_status_name(nd_status code) {
#define ND_ROW(ID, name) #name,
  static const char *const names[] = {ND_STATUSES(ND_ROW)}; /* ORDER STATUS */
#undef ND_ROW
  /* the cast makes negative numbers too large as well */
  return (unsigned)code < ND_STATUS_COUNT ? names[code] : "unknown";
}
