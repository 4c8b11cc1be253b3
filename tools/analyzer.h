/* For clang-tidy only: a failure's status is never ND_OK, which it cannot see across files. */
#include "base/status.h"

#define nd_fail(err, code, ...) (nd_fail(err, code, __VA_ARGS__), (code))
#define nd_fail_with(err, code, ...) (nd_fail_with(err, code, __VA_ARGS__), (code))
#define nd_fail_remedy(err, code, ...) (nd_fail_remedy(err, code, __VA_ARGS__), (code))
#define nd_fail_errno(...) (nd_fail_errno(__VA_ARGS__), ND_IO)
