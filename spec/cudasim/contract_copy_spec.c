/* Rules of the CUDA driver for copies and fills. A group's name begins with the section of NVIDIA's
 * "CUDA Driver API" that has the rule. */
#include "contract.h"

enum { BYTES = 4096, MIB = 1 << 20 };

static void bytes_go_round(void) {
  unsigned char host[BYTES], back[BYTES] = {0};
  CUdeviceptr a = take(BYTES), b = take(BYTES);
  group("Memory Management: copies to, between and from devices");
  for (int i = 0; i < BYTES; i++) host[i] = (unsigned char)(i * 7);
  OK(cuMemcpyHtoD(a, host, BYTES));
  OK(cuMemcpyDtoD(b, a, BYTES));
  OK(cuMemcpyDtoH(back, b, BYTES));
  CHECK(memcmp(host, back, BYTES) == 0, "other bytes");
  OK(cuMemcpyDtoH(back, a + 100, 50));
  CHECK(memcmp(host + 100, back, 50) == 0, "other bytes of a part");
  group("Unified Addressing: cuMemcpy finds out where its pointers point");
  memset(back, 0, BYTES);
  OK(cuMemcpy(a, (uintptr_t)(host + 1), BYTES - 1));
  OK(cuMemcpy((uintptr_t)back, a, BYTES - 1));
  CHECK(memcmp(host + 1, back, BYTES - 1) == 0, "other bytes");
  OK(cuMemFree(a));
  OK(cuMemFree(b));
  expect_calm();
}

static void source_is_consumed(void) {
  unsigned char host[BYTES], back[BYTES];
  CUdeviceptr p = take(BYTES);
  group("API synchronization behavior: a pageable source is consumed when the call returns");
  memset(host, 4, BYTES);
  OK(cuMemcpyHtoD(p, host, BYTES));
  memset(host, 5, BYTES);
  OK(cuMemcpyDtoH(back, p, BYTES));
  CHECK(is_all(back, 4, BYTES), "%d", back[0]);
  group("API synchronization behavior: copies to the host are complete on return");
  unsigned char *pinned = take_pinned(BYTES);
  memset(pinned, 0, BYTES);
  OK(cuMemsetD8(p, 8, BYTES));
  OK(cuMemcpyDtoH(pinned, p, BYTES));
  CHECK(is_all(pinned, 8, BYTES), "%d", pinned[0]);
  memset(pinned, 9, BYTES);
  OK(cuMemcpyHtoD(p, pinned, BYTES));
  memset(pinned, 1, BYTES);
  OK(cuMemcpyDtoH(back, p, BYTES));
  CHECK(is_all(back, 9, BYTES), "%d", back[0]);
  OK(cuMemFree(p));
  OK(cuMemFreeHost(pinned));
  expect_calm();
}

static void nothing_is_copied(void) {
  unsigned char host[1] = {0};
  CUdeviceptr p = take(16);
  group("Memory Management: no bytes are no error");
  OK(cuMemcpyHtoD(p, host, 0));
  OK(cuMemcpyDtoH(host, p, 0));
  OK(cuMemcpyDtoDAsync(p, p, 0, CU_STREAM_LEGACY));
  OK(cuMemsetD8(p, 1, 0));
  OK(cuMemFree(p));
  expect_calm();
}

/* As much beyond as no neighbour has. */
static void outside_is_refused(void) {
  static unsigned char host[64 * MIB];
  CUdeviceptr p = take(2 * MIB);
  CUdeviceptr beyond = p + ((CUdeviceptr)1 << 45);
  group("Memory Management: a copy or fill outside an allocation is CUDA_ERROR_INVALID_VALUE");
  IS(cuMemcpyHtoD(p, host, sizeof host), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemcpyDtoH(host, p, sizeof host), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemsetD8(p, 0, sizeof host), CUDA_ERROR_INVALID_VALUE);
  expect_reports("out-of-bounds", 3);
  IS(cuMemsetD8(beyond, 0, 16), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemcpyDtoH(host, beyond, 16), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemcpyDtoH(host, 0, 16), CUDA_ERROR_INVALID_VALUE);
  if (sim.forgive) sim.forgive("out-of-bounds");
  OK(cuMemFree(p));
  expect_calm();
}

static void fills_have_items(void) {
  unsigned char host[64] = {0};
  unsigned short *shorts = (unsigned short *)(void *)host;
  unsigned *ints = (unsigned *)(void *)host;
  CUdeviceptr p = take(64);
  group("Memory Management: cuMemsetD8, D16 and D32 count items and want them aligned");
  OK(cuMemsetD8(p, 0xab, 64));
  OK(cuMemsetD16(p + 2, 0x1234, 3));
  OK(cuMemsetD32(p + 16, 0x89abcdef, 4));
  OK(cuMemcpyDtoH(host, p, 64));
  CHECK(host[0] == 0xab && host[63] == 0xab && host[8] == 0xab, "bytes");
  CHECK(shorts[1] == 0x1234 && shorts[3] == 0x1234 && shorts[4] == 0xabab, "shorts");
  CHECK(ints[4] == 0x89abcdef && ints[7] == 0x89abcdef && ints[8] == 0xabababab, "ints");
  IS(cuMemsetD16(p + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemsetD32(p + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(p));
  expect_calm();
}

static void fills_have_rows(void) {
  unsigned char host[64];
  CUdeviceptr p = take(64);
  group("Memory Management: cuMemsetD2D8 fills rows");
  OK(cuMemsetD8Async(p, 1, 64, CU_STREAM_LEGACY));
  OK(cuMemsetD2D8Async(p + 1, 16, 7, 3, 4, CU_STREAM_LEGACY));
  OK(cuMemcpyDtoH(host, p, 64));
  for (int i = 0; i < 64; i++) {
    const bool is_filled = i % 16 >= 1 && i % 16 < 4;
    CHECK(host[i] == (is_filled ? 7 : 1), "byte %d is %d", i, host[i]);
  }
  IS(cuMemsetD2D8Async(p, 2, 0, 3, 4, CU_STREAM_LEGACY), CUDA_ERROR_INVALID_VALUE);
  group("Memory Management: rows of larger items begin at multiples of them");
  IS(cuMemsetD2D16Async(p, 9, 0, 2, 4, CU_STREAM_LEGACY), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemsetD2D32Async(p, 10, 0, 2, 4, CU_STREAM_LEGACY), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemsetD2D32Async(p, 12, 0, 2, 4, CU_STREAM_LEGACY));
  OK(cuCtxSynchronize());
  OK(cuMemFree(p));
  expect_calm();
}

/* ---- two and three axes ---- */

static CUDA_MEMCPY2D to_device(CUdeviceptr dst, size_t dst_pitch, const void *src,
                               size_t src_pitch) {
  return (CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_HOST,
                         .srcHost = src,
                         .srcPitch = src_pitch,
                         .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                         .dstDevice = dst,
                         .dstPitch = dst_pitch};
}

static void rows_have_pitches(void) {
  unsigned char host[256], back[256];
  CUdeviceptr p = take(256);
  for (int i = 0; i < 256; i++) host[i] = (unsigned char)i;
  group("Memory Management: cuMemcpy2D copies rows from an offset");
  CUDA_MEMCPY2D c = to_device(p, 16, host, 32);
  c.srcXInBytes = 3, c.srcY = 1, c.dstXInBytes = 2, c.dstY = 4;
  c.WidthInBytes = 10, c.Height = 6;
  OK(cuMemsetD8(p, 0, 256));
  OK(cuMemcpy2D(&c));
  OK(cuMemcpyDtoH(back, p, 256));
  for (int y = 0; y < 16; y++)
    for (int x = 0; x < 16; x++) {
      const bool is_inside = y >= 4 && y < 10 && x >= 2 && x < 12;
      const int expected = is_inside ? 32 * (y - 4 + 1) + x - 2 + 3 : 0;
      CHECK(back[16 * y + x] == (unsigned char)expected, "row %d, byte %d", y, x);
    }
  OK(cuMemcpy2DUnaligned(&c));
  group("Memory Management: cuMemcpy2D refuses a pitch below the row, and above the limit");
  int most = 0;
  OK(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_PITCH, 0));
  c.dstPitch = 11;
  IS(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  c.dstPitch = (size_t)most + 1;
  IS(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  c.dstPitch = 16, c.srcPitch = 12;
  IS(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  c.srcPitch = 32, c.dstMemoryType = (CUmemorytype)9;
  IS(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.Height = 0;
  OK(cuMemcpy2D(&c));
  OK(cuCtxSynchronize());
  OK(cuMemFree(p));
  expect_calm();
}

typedef struct {
  size_t x, y, z, pitch, rows, planes;
} box; /* where a part begins in a block of planes */

static box random_box(uint64_t *state, size_t width, size_t height, size_t depth) {
  box b;
  b.x = next_random(state) % 5, b.y = next_random(state) % 4, b.z = next_random(state) % 3;
  b.pitch = b.x + width + next_random(state) % 7;
  b.rows = b.y + height + next_random(state) % 3;
  b.planes = b.z + depth + next_random(state) % 2;
  return b;
}

static size_t bytes_of(const box *b) { return b->pitch * b->rows * b->planes; }
static size_t index_of(const box *b, size_t x, size_t y, size_t z) {
  return ((b->z + z) * b->rows + b->y + y) * b->pitch + b->x + x;
}

/* One random copy in both directions, against a loop over its bytes. */
static void random_volume(uint64_t *state) {
  unsigned char from[4000] = {0}, device[4000], expected[4000];
  const size_t w = 1 + next_random(state) % 12, h = 1 + next_random(state) % 5;
  const size_t d = 1 + next_random(state) % 4;
  const box a = random_box(state, w, h, d), b = random_box(state, w, h, d);
  CUdeviceptr p = take(bytes_of(&b));
  unsigned char *pinned = take_pinned(bytes_of(&a));
  for (size_t i = 0; i < bytes_of(&a); i++) from[i] = pinned[i] = (unsigned char)next_random(state);
  memset(expected, 1, sizeof expected);
  for (size_t z = 0; z < d; z++)
    for (size_t y = 0; y < h; y++)
      for (size_t x = 0; x < w; x++) expected[index_of(&b, x, y, z)] = from[index_of(&a, x, y, z)];
  CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = pinned};
  c.srcXInBytes = a.x, c.srcY = a.y, c.srcZ = a.z, c.srcPitch = a.pitch, c.srcHeight = a.rows;
  c.dstXInBytes = b.x, c.dstY = b.y, c.dstZ = b.z, c.dstPitch = b.pitch, c.dstHeight = b.rows;
  c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.dstDevice = p;
  c.WidthInBytes = w, c.Height = h, c.Depth = d;
  CUstream s = make_stream();
  OK(cuMemsetD8Async(p, 1, bytes_of(&b), s));
  OK(cuMemcpy3DAsync(&c, s));
  OK(cuStreamSynchronize(s));
  OK(cuMemcpyDtoH(device, p, bytes_of(&b)));
  CHECK(memcmp(device, expected, bytes_of(&b)) == 0, "%zu x %zu x %zu", w, h, d);
  OK(cuMemcpy3D(&c));
  OK(cuStreamDestroy(s));
  OK(cuMemFree(p));
  OK(cuMemFreeHost(pinned));
}

static void volumes_have_planes(void) {
  uint64_t state = getenv("NDBUF_SEED") ? strtoull(getenv("NDBUF_SEED"), NULL, 10) : 5;
  group("Memory Management: cuMemcpy3D copies a part of a block of planes");
  printf("# NDBUF_SEED=%" PRIu64 "\n", state);
  for (int i = 0; i < 50; i++) random_volume(&state);
  group("Memory Management: cuMemcpy3D refuses planes that are too low");
  CUdeviceptr p = take(1000);
  unsigned char host[1000] = {0};
  CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = host, .srcPitch = 10};
  c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.dstDevice = p, c.dstPitch = 10;
  c.srcHeight = 10, c.dstHeight = 9, c.WidthInBytes = 10, c.Height = 10, c.Depth = 2;
  IS(cuMemcpy3D(&c), CUDA_ERROR_INVALID_VALUE);
  c.dstHeight = 10; /* levels of detail "must be 0", but drivers do not look */
  OK(cuMemcpy3D(&c));
  OK(cuCtxSynchronize());
  OK(cuMemFree(p));
  expect_calm();
}

/* ---- two devices ---- */

static void between_devices(void) {
  CUcontext other = NULL;
  unsigned char back[BYTES];
  int can = 0;
  OK(cuDevicePrimaryCtxRetain(&other, 1));
  OK(cuCtxPushCurrent(other));
  CUdeviceptr b = take(BYTES);
  OK(cuCtxPopCurrent(NULL));
  CUdeviceptr a = take(BYTES);
  CUstream s = make_stream();
  group("Memory Management: cuMemcpyPeerAsync copies between devices, in its stream's order");
  OK(cuMemsetD8Async(a, 42, BYTES, s));
  OK(cuMemcpyPeerAsync(b, other, a, context, BYTES, s));
  OK(cuStreamSynchronize(s));
  OK(cuCtxPushCurrent(other));
  OK(cuMemcpyDtoH(back, b, BYTES));
  OK(cuCtxPopCurrent(NULL));
  CHECK(is_all(back, 42, BYTES), "%d", back[0]);
  group("Peer Context Memory Access: on and off, each once");
  OK(cuDeviceCanAccessPeer(&can, 0, 1));
  if (can) {
    OK(cuCtxEnablePeerAccess(other, 0));
    IS(cuCtxEnablePeerAccess(other, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    OK(cuCtxDisablePeerAccess(other));
    IS(cuCtxDisablePeerAccess(other), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    IS(cuCtxEnablePeerAccess(other, 1), CUDA_ERROR_INVALID_VALUE);
  }
  OK(cuStreamDestroy(s));
  OK(cuMemFree(a));
  OK(cuCtxPushCurrent(other));
  OK(cuMemFree(b));
  if (can) OK(cuCtxEnablePeerAccess(context, 0));
  OK(cuCtxPopCurrent(NULL));
  OK(cuDevicePrimaryCtxRelease(1));
  group("Peer Context Memory Access: it ends with the context that has it");
  OK(cuDevicePrimaryCtxRetain(&other, 1));
  OK(cuCtxPushCurrent(other));
  if (can) IS(cuCtxDisablePeerAccess(context), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
  OK(cuCtxPopCurrent(NULL));
  OK(cuDevicePrimaryCtxRelease(1));
  expect_calm();
}

static void rules(void) {
  int count = 0;
  bytes_go_round();
  source_is_consumed();
  nothing_is_copied();
  outside_is_refused();
  fills_have_items();
  fills_have_rows();
  rows_have_pitches();
  volumes_have_planes();
  OK(cuDeviceGetCount(&count));
  if (count > 1) between_devices();
  else puts("skipped: one device, nothing was copied between two");
}

int main(void) {
  begin();
  run_rules(rules);
  return end();
}
