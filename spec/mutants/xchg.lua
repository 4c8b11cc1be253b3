-- Faults in src/xchg.
return {
  -- .npy
  {"src/xchg/npy_header.c", "const size_t width = major == 1 ? 2 : 4;", "const size_t width = major < 3 ? 2 : 4;", "core/xchg_spec.c xchg/npy_spec.lua"},
  {"src/xchg/npy_header.c", "if (major < 1 || major > 3 || minor != 0)", "if (major < 1 || major > 3)", "core/xchg_spec.c xchg/npy_spec.lua"},
  {"src/xchg/npy_header.c", "if (text > ND_NPY_TEXT_MAX)", "if (text > 2 * ND_NPY_TEXT_MAX)", "core/xchg_spec.c"},
  {"src/xchg/npy_header.c", "if (p->at > first && p->text[first] == '0')", "if (p->at > first + 1 && p->text[first] == '0')", "core/xchg_spec.c"},
  {"src/xchg/npy_header.c", "if (ndim == 1 && !comma) return", "if (ndim == 0 && !comma) return", "core/xchg_spec.c"},
  {"src/xchg/npy_header.c", "if (ndim == ND_MAX_NDIM)", "if (ndim > ND_MAX_NDIM)", "core/xchg_spec.c"},
  {"src/xchg/npy_header.c", "if (p.at < p.length) return fail_at(&p, p.at, \"nothing after '}'\");\n", "", "core/xchg_spec.c"},
  {"src/xchg/npy_header.c", "if (seen != (DESCR | FORTRAN_ORDER | SHAPE))", "if (!(seen & DESCR) || !(seen & SHAPE))", "core/xchg_spec.c"},
  {"src/xchg/npy_header.c", "if (order == '>' && dtype == ND_BF16)", "if (false)", "core/xchg_spec.c xchg/npy_spec.lua"},
  {"src/xchg/npy_header.c", "out->is_swapped = order == '>' && nd_dtype_get(dtype)->bytes > 1;", "out->is_swapped = order == '>';", "core/xchg_spec.c xchg/npy_spec.lua"},
  {"src/xchg/npy_header.c", "const size_t end = (n / ND_NPY_ALIGN + 1) * ND_NPY_ALIGN;", "const size_t end = (n + ND_NPY_ALIGN - 1) / ND_NPY_ALIGN * ND_NPY_ALIGN;", "core/xchg_spec.c"},
  {"src/xchg/npy.c", "if (at + length > file->bytes)", "if (length > file->bytes)", "core/xchg_spec.c xchg/npy_spec.lua"},
  {"src/xchg/npy.c", "const bool is_fortran = !nd_view_is_contiguous(src) && nd_view_is_contiguous(&reversed);", "const bool is_fortran = nd_view_is_contiguous(&reversed);", "core/xchg_spec.c xchg/npy_spec.lua"},

  -- images
  {"src/xchg/pnm.c", "out->layout.is_swapped = out->layout.dtype == ND_U16;", "out->layout.is_swapped = out->maxval == 65535;", "core/xchg_media_spec.c xchg/pnm_spec.lua"},
  {"src/xchg/pnm.c", "out->layout.dtype = out->maxval < 256 ? ND_U8 : ND_U16;", "out->layout.dtype = out->maxval < 255 ? ND_U8 : ND_U16;", "core/xchg_media_spec.c xchg/pnm_spec.lua"},
  {"src/xchg/pnm.c", "if (text > 0) text--;", "", "core/xchg_media_spec.c"},
  {"src/xchg/pnm.c", "while (c != '\\n' && c != '\\r' && c != END);", "while (c != '\\n' && c != END);", "core/xchg_media_spec.c xchg/pnm_spec.lua"},
  {"src/xchg/pnm.c", "if (is_wide) memcpy(host + 2 * i, &wide, sizeof wide);", "if (is_wide) memcpy(host + i, &wide, sizeof wide);", "core/xchg_media_spec.c"},
  {"src/xchg/pnm.c", "left < sizeof r->window ? left : sizeof r->window;\n", "left < sizeof r->window ? left : sizeof r->window - 1;\n", "core/xchg_media_spec.c", equal = "a window of one byte less"},

  -- sound
  {"src/xchg/wav.c", "at = c->at + c->bytes + (c->bytes & 1);", "at = c->at + c->bytes;", "core/xchg_media_spec.c"},
  {"src/xchg/wav.c", "if (data->bytes == UNKNOWN || (data->bytes == 0 && !is_chunk(file, data->at)))", "if (data->bytes == UNKNOWN || (data->bytes == 0 && is_chunk(file, data->at)))", "core/xchg_media_spec.c xchg/wav_spec.lua"},
  {"src/xchg/wav.c", "data->bytes = there - there % s->frame;", "data->bytes = there;", "core/xchg_media_spec.c xchg/wav_spec.lua"},
  {"src/xchg/wav.c", "const unsigned char *s = p + count + 3 * i;", "const unsigned char *s = p + count + 3 * i + 0 * (i > 1);", "core/xchg_media_spec.c", equal = "nothing is added"},
  {"src/xchg/wav.c", "if (memcmp(p + 26, rest, sizeof rest) != 0)", "if (memcmp(p + 26, rest, sizeof rest - 1) != 0)", "core/xchg_media_spec.c"},
  {"src/xchg/wav.c", "p = put32(p, head - HEAD_BYTES + bytes + (bytes & 1));", "p = put32(p, head - HEAD_BYTES + bytes);", "core/xchg_media_spec.c xchg/wav_spec.lua"},
  {"src/xchg/wav.c", "if (status == ND_OK && (nd_view_nbytes(src) & 1)) status = ndi_outfile_write(&file, \"\", 1, err);\n", "", "core/xchg_media_spec.c xchg/wav_spec.lua"},
  {"src/xchg/wav.c", "if (out->frame != expected)", "if (out->frame < expected)", "core/xchg_media_spec.c"},
  {"src/xchg/wav.c", "if (frame > UINT16_MAX)", "if (frame > UINT16_MAX + 1)", "core/xchg_media_spec.c xchg/wav_spec.lua"},
  {"src/xchg/wav.c", "4), src->axis[0].len);", "4), bytes);", "core/xchg_media_spec.c xchg/wav_spec.lua"},

  -- files
  {"src/xchg/io.c", "if (got < 0 && errno != EINTR) return nd_fail_errno(err, \"cannot write\", self->path, errno);\n", "", "faults/files_spec.lua"},
  {"src/xchg/io.c", "(char *)to + done, piece, (off_t)(offset + done));", "(char *)to + done, piece, (off_t)offset);", "core/xchg_spec.c xchg/npy_spec.lua faults/files_spec.lua"},
  {"src/xchg/io.c", "ND_KIND_COMPLEX ? traits->bytes / 2u : traits->bytes;", "ND_KIND_COMPLEX ? traits->bytes : traits->bytes;", "core/xchg_spec.c xchg/npy_spec.lua"},
  {"src/xchg/io.c", "if (layout->shape[i] > 0) step *=", "step *=", "core/xchg_spec.c xchg/npy_spec.lua"},
  {"src/xchg/io.c", "while (src->axis[axis].len == 1) axis++;", "", "core/xchg_spec.c xchg/npy_spec.lua mem/large_spec.lua"},
  {"src/xchg/io.c", "len - first < rows ? len - first : rows, &part, err));\n    const nd_status status = write_staged", "rows < len ? rows : len, &part, err));\n    const nd_status status = write_staged", "core/xchg_spec.c xchg/npy_spec.lua mem/large_spec.lua"},
  {"src/xchg/io.c", "char *target = realpath(path, NULL);\n  if (!target && errno != ENOENT)", "char *target = strdup(path);\n  if (!target)", "xchg/paths_spec.lua xchg/npy_spec.lua"},
  {"src/xchg/io.c", "else unlink(self->temporary);", "", "xchg/paths_spec.lua faults/files_spec.lua"},
  {"src/xchg/io.c", "if (status == ND_OK && !flush(self->fd))", "if (false && !flush(self->fd))", "faults/files_spec.lua"},
}
