/* The records of ZIP archives, for reading and writing. */
#ifndef ND_XCHG_ZIP_RECORD_H
#define ND_XCHG_ZIP_RECORD_H

#include <stdint.h>

/* Bytes, without what is of any length behind them. */
enum {
  NDI_ZIP_LOCAL = 30,   /* in front of a member */
  NDI_ZIP_CENTRAL = 46, /* an entry of the directory */
  NDI_ZIP_END = 22,     /* behind the directory */
  NDI_ZIP_LOCATOR = 20, /* before that, where the next one is needed */
  NDI_ZIP_END64 = 56
};

/* What they begin with. */
#define NDI_ZIP_LOCAL_MARK UINT32_C(0x04034b50)
#define NDI_ZIP_CENTRAL_MARK UINT32_C(0x02014b50)
#define NDI_ZIP_END_MARK UINT32_C(0x06054b50)
#define NDI_ZIP_LOCATOR_MARK UINT32_C(0x07064b50)
#define NDI_ZIP_END64_MARK UINT32_C(0x06064b50)

/* Extra fields. */
enum { NDI_ZIP_ID64 = 1, NDI_ZIP_ID_ALIGNMENT = 0xD935 };

#endif
