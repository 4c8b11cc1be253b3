/* The header of a .safetensors file: JSON text that names each array with its dtype, its shape and
 * its place in the data that follows. Source: the description of the format in
 * https://github.com/huggingface/safetensors, and what its reference implementation refuses. */
#ifndef ND_XCHG_SAFETENSORS_HEADER_H
#define ND_XCHG_SAFETENSORS_HEADER_H

#include "xchg/io.h"

enum { ND_SAFETENSORS_LEAD = 8, ND_SAFETENSORS_MOST = 100000000 }; /* bytes; of a header at most */

typedef struct {
  char *name;
  ndi_layout layout;   /* offset: from the start of the data */
  size_t end;          /* of its bytes, from there */
  const char *unknown; /* the name of its dtype, which we lack; NULL: we have it */
} ndi_safetensor;

typedef struct {
  char *name, *value;
} ndi_safetext;

/* What a header says. Names and values are in the header's own text. */
typedef struct {
  size_t count, texts_count;
  ndi_safetensor *tensors; /* in the order of their data, which has no gaps */
  ndi_safetext *texts;     /* __metadata__ */
} ndi_safetensors;

/* Parse a header of 'length' bytes in front of 'data_bytes' bytes of data. Changes 'text', which
 * has to be there as long as '*out', and 1 byte longer than 'length'. '*out' must be freed on
 * ND_OK. ND_FORMAT for what the reference implementation refuses, and for what it lets pass:
 * unknown keys, names that come twice or have a 0, __metadata__ that is null, a tensor that is a
 * list. ND_UNSUPPORTED for unknown dtypes and for more than 16 axes. */
nd_status ndi_safetensors_parse(char *text, size_t length, size_t data_bytes, ndi_safetensors *out,
                                nd_error *err);
void ndi_safetensors_free(ndi_safetensors *self);

/* The name of a dtype there; NULL: there is none. */
const char *ndi_safetensors_dtype(nd_dtype dtype);

#endif
