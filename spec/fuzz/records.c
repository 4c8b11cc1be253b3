/* Records: layouts over bytes. */
#define SCRIPT "spec/fuzz/records.lua"
#include "script.h"
