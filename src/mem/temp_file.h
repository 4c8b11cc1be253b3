/* Temporary files that are renamed to their path once they are complete. */
#ifndef ND_MEM_TEMP_FILE_H
#define ND_MEM_TEMP_FILE_H

/* Make and open a new file in the folder of 'path', so that it can be renamed to it. Its name is
 * ".nd", the process id in hexadecimal, "-" and a count: short, so that it fits wherever the final
 * name does. 'flags' is O_WRONLY or O_RDWR, with others of open(2). Returns the descriptor, and in
 * '*out' the name, which the caller frees; or -1 with errno, and '*out' untouched. Thread-safe. */
int ndi_temp_file_make(const char *path, int flags, char **out);

#endif
