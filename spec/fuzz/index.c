/* Index tables and everything else that may stand in brackets. */
#define SCRIPT "spec/fuzz/index.lua"
#include "script.h"
