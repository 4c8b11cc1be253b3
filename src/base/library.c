/* Opening libraries, as dev/cuda/driver.c does the driver. They are neither closed nor tried under
 * another name: the number in a file's name stands for its ABI. */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

#include "base/lock.h"

static nd_status fail(const ndi_library *self, const char *why, nd_error *err) {
  return nd_fail(err, ND_UNSUPPORTED, "this needs %s: %.200s; it is in Debian's package %s",
                 self->name, why, self->package);
}

enum { MOST = 64 }; /* LAPACK has 37 */

static int count_of(const ndi_library *self) {
  int count = 0;
  while (self->symbols[count]) count++;
  return count;
}

/* All functions that are required, or none. */
static nd_status resolve(const ndi_library *self, void *library, void **found, nd_error *err) {
  const int count = count_of(self);
  for (int i = 0; i < count; i++)
    if (!(found[i] = dlsym(library, self->symbols[i])) && i < count - self->optional)
      return fail(self, dlerror(), err);
  return ND_OK;
}

/* Several threads may get here: all find the same. */
static void set(ndi_library *self, void *const *found) {
  const int count = count_of(self);
  ndi_lock(NDI_LOCK_LIBRARIES);
  if (!self->is_open) memcpy(self->functions, found, (size_t)count * sizeof *found);
  self->is_open = true;
  ndi_unlock(NDI_LOCK_LIBRARIES);
}

/* Where another library lends the same functions to all, as MKL does FFTW's, this one must call its
 * own: not a plan of one by the other. Sanitizers end a process that asks for that. */
static void *open_file(const ndi_library *self) {
  int flags = RTLD_NOW | RTLD_LOCAL;
#ifdef RTLD_DEEPBIND
  void *loaded = dlopen(self->file, flags | RTLD_NOLOAD);
  if (loaded) return loaded;
  const bool is_sanitized = dlsym(RTLD_DEFAULT, "__sanitizer_set_death_callback");
  if (!is_sanitized && dlsym(RTLD_DEFAULT, self->symbols[0])) flags |= RTLD_DEEPBIND;
#endif
  return dlopen(self->file, flags);
}

/* Without a lock: a library's constructors may do anything. Its handle is kept for ever. */
nd_status ndi_library_open(ndi_library *self, nd_error *err) {
  void *found[MOST];
  if (self->is_open) return ND_OK;
  void *library = open_file(self);
  if (!library) return fail(self, dlerror(), err);
  const nd_status status = resolve(self, library, found, err);
  if (status == ND_OK) set(self, found);
  else dlclose(library);
  return status;
}

nd_status ndi_library_code(const char *message, nd_status otherwise) {
  const bool is_memory = strstr(message, "nsufficient memory") || strstr(message, "ut of memory");
  return is_memory ? ND_OUT_OF_MEMORY : otherwise;
}
