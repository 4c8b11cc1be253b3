/* Files as memory: names while they are made, and which mappings see the same bytes. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "../contract/resource.h"
#include "mem/file.h"
#include "mem/host.h"
#include "mem/sigbus.h"

static char folder[] = "/tmp/ndbuf-file-XXXXXX";

static const char *path_of(const char *name) {
  static char text[4][96];
  static unsigned turn;
  char *path = text[turn++ % 4];
  snprintf(path, sizeof text[0], "%s/%s", folder, name);
  return path;
}

static void write_file(const char *name, size_t bytes) {
  FILE *f = fopen(path_of(name), "wb");
  if (!f || truncate(path_of(name), (off_t)bytes) || fputc('x', f) == EOF || fclose(f)) abort();
}

static nd_resource *open_map(const char *name, nd_map_mode mode, size_t offset) {
  const nd_map_options options = {.mode = mode, .offset = offset};
  nd_resource *file = NULL;
  CHECK(nd_file_resource(path_of(name), &options, &file, NULL) == ND_OK, "%s", name);
  return file;
}

static int count_files(void) {
  int count = 0;
  DIR *d = opendir(folder);
  for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
    count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
  if (d) closedir(d);
  return count;
}

static void spec_names(void) {
  group("a file that is made has its name when it is whole, and no other stays");
  nd_ticket ticket;
  nd_block block;
  nd_resource *file = open_map("made", ND_MAP_CREATE, 0);
  CHECK(access(path_of("made"), F_OK) != 0 && count_files() == 1, "not yet");
  CHECK(take(file, 100, &ticket, &block) == ND_OK && access(path_of("made"), F_OK) == 0, "now");
  CHECK(count_files() == 1, "%d files", count_files());
  CHECK(nd_ticket_give(ticket, NULL, NULL) == ND_OK, "give");
  nd_resource_drop(file);
  nd_resource_drop(open_map("never", ND_MAP_CREATE, 0));
  CHECK(count_files() == 1, "what was never made leaves %d files", count_files() - 1);
}

static void spec_race_for_name(void) {
  group("a file that appears meanwhile is not replaced");
  nd_ticket ticket;
  nd_block block;
  char first = 0;
  nd_resource *file = open_map("late", ND_MAP_CREATE, 0);
  write_file("late", 10);
  CHECK(take(file, 100, &ticket, &block) == ND_IO, "refused");
  FILE *f = fopen(path_of("late"), "rb");
  CHECK(f && fread(&first, 1, 1, f) == 1 && first == 'x', "its contents");
  if (f) fclose(f);
  nd_resource_drop(file);
  unlink(path_of("late"));
  CHECK(count_files() == 1, "%d files", count_files());
}

static void spec_shared(void) {
  group("mappings that see each other's bytes, and how far apart they begin");
  ptrdiff_t shift = 0;
  write_file("one", 10000), write_file("two", 10000);
  nd_resource *read = open_map("one", ND_MAP_READ, 16), *other = open_map("two", ND_MAP_WRITE, 16);
  nd_resource *later = open_map("one", ND_MAP_WRITE, 4112);
  nd_resource *apart = open_map("one", ND_MAP_PRIVATE, 16);
  CHECK(nd_file_resource_is_shared(read, later, &shift) && shift == 4096, "shift %td", shift);
  CHECK(nd_file_resource_is_shared(later, read, &shift) && shift == -4096, "shift %td", shift);
  CHECK(nd_file_resource_is_shared(later, later, &shift) && shift == 0, "shift %td", shift);
  CHECK(!nd_file_resource_is_shared(other, later, &shift), "two files");
  CHECK(!nd_file_resource_is_shared(read, apart, &shift), "nobody writes");
  CHECK(!nd_file_resource_is_shared(nd_host_resource(), later, &shift), "no file");
  nd_resource *const all[] = {read, other, later, apart};
  for (size_t i = 0; i < ND_COUNTOF(all); i++) nd_resource_drop(all[i]);
}

static void spec_across_pages(void) {
  group("bytes that begin behind a page's begin are mapped to their end");
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = page / 2, first = page - 16;
  nd_ticket ticket;
  nd_block block;
  write_file("pages", 2 * page);
  nd_resource *file = open_map("pages", ND_MAP_WRITE, first);
  CHECK(take(file, bytes, &ticket, &block) == ND_OK, "take");
  char last[] = "last", got[sizeof last] = "";
  memcpy((char *)block.host + bytes - sizeof last, last, sizeof last);
  FILE *f = fopen(path_of("pages"), "rb");
  CHECK(f && fseek(f, (long)(first + bytes - sizeof last), SEEK_SET) == 0 &&
            fread(got, 1, sizeof got, f) == sizeof got && memcmp(got, last, sizeof got) == 0,
        "the file has '%.4s'", got);
  if (f) fclose(f);
  CHECK(nd_ticket_give(ticket, NULL, NULL) == ND_OK, "give");
  nd_resource_drop(file);
  unlink(path_of("pages"));
}

static void spec_open(void) {
  group("the file behind a mapping, where its bytes are in it");
  int fd = -1;
  size_t offset = 0;
  nd_resource *read = open_map("one", ND_MAP_READ, 16), *own = open_map("one", ND_MAP_PRIVATE, 0);
  CHECK(nd_file_resource_open(read, &fd, &offset) && offset == 16, "opens");
  close(fd);
  CHECK(!nd_file_resource_open(own, &fd, &offset), "a private one has bytes that no file has");
  CHECK(rename(path_of("two"), path_of("one")) == 0, "replaced");
  CHECK(!nd_file_resource_open(read, &fd, &offset), "another file has the name");
  nd_resource_drop(read), nd_resource_drop(own);
}

static void spec_at_once(void) {
  group("a storage over a file is taken when it is made, lazy or not");
  nd_storage *s = NULL;
  nd_resource *file = open_map("one", ND_MAP_READ, 0);
  CHECK(nd_storage_make(file, 100, (nd_storage_options){.lazy = true}, &s, NULL) == ND_OK, "make");
  CHECK(nd_storage_get_state(s) == ND_STORAGE_LIVE, "live");
  nd_resource_drop(file);
  nd_storage_drop(s);
}

/* A range that stayed guarded would swallow the faults of whoever maps the address next. */
static void spec_unguarded(void) {
  group("what was unmapped is not guarded any more");
  static char memory[64];
  nd_ticket ticket;
  nd_block block;
  write_file("one", 100);
  ndi_guarded *free_before = ndi_sigbus_guard(memory, sizeof memory);
  ndi_sigbus_unguard(free_before);
  nd_resource *file = open_map("one", ND_MAP_READ, 0);
  CHECK(take(file, 100, &ticket, &block) == ND_OK, "take");
  ndi_guarded *while_mapped = ndi_sigbus_guard(memory, sizeof memory);
  CHECK(while_mapped != free_before, "the mapping is guarded");
  CHECK(nd_ticket_give(ticket, NULL, NULL) == ND_OK, "give");
  ndi_guarded *free_after = ndi_sigbus_guard(memory, sizeof memory);
  CHECK(free_after == free_before, "its guard is free again");
  ndi_sigbus_unguard(while_mapped), ndi_sigbus_unguard(free_after);
  nd_resource_drop(file);
}

int main(void) {
  if (!mkdtemp(folder)) return 2;
  spec_names();
  spec_race_for_name();
  spec_shared();
  spec_across_pages();
  spec_open();
  spec_at_once();
  spec_unguarded();
  group("nothing is left");
  unlink(path_of("one")), unlink(path_of("made"));
  CHECK(rmdir(folder) == 0, "%s is not empty", folder);
  return finish();
}
