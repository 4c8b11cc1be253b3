/* The blocks of a guard by address: a treap, which is a search tree by address and at the same time
 * a heap by weights. The weights are as good as random, so that the tree is shallow whatever the
 * order in which blocks come. The ranges in it do not overlap, so one descent finds a range that
 * overlaps another. */
#include "mem/adapt/guard.h"

static const char *begin_of(const ndi_guard_node *n) { return n->block.ptr; }
static const char *end_of(const ndi_guard_node *n) { return begin_of(n) + n->block.bytes; }

ndi_guard_node *ndi_guard_overlap(ndi_guard_node *root, const void *at, size_t bytes) {
  const char *begin = at, *end = begin + bytes;
  while (root && (end <= begin_of(root) || begin >= end_of(root)))
    root = end <= begin_of(root) ? root->left : root->right;
  return root;
}

/* Those before 'at' and those from there on. */
static void split(ndi_guard_node *root, const char *at, ndi_guard_node **before,
                  ndi_guard_node **rest) {
  while (root) {
    if (begin_of(root) < at) {
      *before = root;
      before = &root->right;
      root = root->right;
    } else {
      *rest = root;
      rest = &root->left;
      root = root->left;
    }
  }
  *before = *rest = NULL;
}

/* All of 'a' come before those of 'b'. */
static ndi_guard_node *join(ndi_guard_node *a, ndi_guard_node *b) {
  ndi_guard_node *root, **at = &root;
  while (a && b) {
    if (a->weight > b->weight) {
      *at = a;
      at = &a->right;
      a = a->right;
    } else {
      *at = b;
      at = &b->left;
      b = b->left;
    }
  }
  *at = a ? a : b;
  return root;
}

/* The finalizer of splitmix64: addresses that are evenly spaced need more than a product. */
static uint32_t weigh(const void *at) {
  uint64_t x = (uint64_t)(uintptr_t)at;
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((x ^ x >> 31) >> 32);
}

void ndi_guard_add(ndi_guard_node **root, ndi_guard_node *n) {
  n->weight = weigh(n->block.ptr);
  while (*root && (*root)->weight >= n->weight)
    root = begin_of(n) < begin_of(*root) ? &(*root)->left : &(*root)->right;
  split(*root, begin_of(n), &n->left, &n->right);
  *root = n;
}

void ndi_guard_remove(ndi_guard_node **root, ndi_guard_node *n) {
  while (*root != n) root = begin_of(n) < begin_of(*root) ? &(*root)->left : &(*root)->right;
  *root = join(n->left, n->right);
}

size_t ndi_guard_list(ndi_guard_node *root, ndi_guard_node **out, size_t most) {
  if (!root || most == 0) return 0;
  size_t count = ndi_guard_list(root->left, out, most);
  if (root->is_marked && count < most) out[count++] = root;
  return count + ndi_guard_list(root->right, out + count, most - count);
}
