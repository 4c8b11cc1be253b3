/* What is looked up in zlib. */
#include "xchg/zlib.h"

ndi_zlib_functions ndi_zlib;

static const char *version(void) { return ndi_zlib.zlibVersion(); }

ndi_library ndi_zlib_library = {
    .name = "zlib",
    .file = "libz.so.1",
    .package = "zlib1g",
    .symbols = (const char *const[]){"zlibVersion", "inflateInit2_", "inflate", "inflateEnd", NULL},
    .functions = &ndi_zlib,
    .version = version};
