/* Files that are made under a name of their own, and get theirs when they are whole. */
#ifndef ND_MEM_TEMPORARY_H
#define ND_MEM_TEMPORARY_H

/* Make and open a file beside 'path', called .nd, the process' number in hexadecimal, - and a
 * count: short, so that it fits wherever the file's own name does. Returns the descriptor and
 * '*out', its name in new memory; -1 and errno on failure. 'flags' are O_WRONLY or O_RDWR and the
 * like. */
int ndi_temporary_make(const char *path, int flags, char **out);

#endif
