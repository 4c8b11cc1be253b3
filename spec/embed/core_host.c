/* A program that knows no Lua, on the installed headers and library: an array, a view, a file. */
#include <ndbuf.h>
#include <stdio.h>

/* Saves 1 to 12 as a transposed 3 x 4, loads that, and takes element (2, 1) out of it. */
static nd_status work(const char *path, double *out, nd_error *err) {
  const size_t shape[] = {3, 4};
  nd_view a, transposed, back, row, item;
  nd_scalar value;
  ND_TRY(nd_init(err));
  ND_TRY(nd_new(nd_host_resource(), ND_F64, 2, shape, (nd_storage_options){0}, &a, err));
  ND_TRY(nd_range(&a, 1, 1, err));
  ND_TRY(nd_view_permute(&a, (const int[]){1, 0}, &transposed, err));
  ND_TRY(nd_save(path, &transposed, (nd_file_options){0}, err));
  ND_TRY(nd_load(path, (nd_file_options){.map = true}, &back, err));
  ND_TRY(nd_view_select(&back, 0, 2, &row, err));
  ND_TRY(nd_view_select(&row, 0, 1, &item, err));
  ND_TRY(nd_item(&item, &value, err));
  *out = *(const double *)(const void *)value.bytes;
  nd_view *const views[] = {&a, &transposed, &back, &row, &item};
  for (size_t i = 0; i < ND_COUNTOF(views); i++) nd_view_drop(views[i]);
  return ND_OK;
}

int main(int count, char **words) {
  double found = 0;
  nd_view none;
  nd_error err;
  if (count != 2) return 2;
  if (work(words[1], &found, &err) != ND_OK) return fprintf(stderr, "%s\n", err.message), 1;
  if (nd_load("/nowhere/x.npy", (nd_file_options){0}, &none, &err) != ND_IO) return 1;
  printf("core_host: ndbuf %s, element %g; %s\n", ND_VERSION, found, err.message);
  return found == 7 ? 0 : 1;
}
