/* Loads the CUDA driver and reads its errors.
 *
 * The functions are looked up into a record on the stack. Only when all required ones are there,
 * and the driver has initialised and has a device, is it copied to ndi_cu and is_open set: so
 * whoever finds is_open set may call them without a lock. Opening is serialised by a mark
 * (is_opening) instead of a lock that is held all along, because libcuda may fork meanwhile, and a
 * fork takes all of our locks (base/lock.h). */
#include "dev/cuda/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/lock.h"

enum { OLDEST = 11040 }; /* CUDA 11.4, the oldest version that is supported */

ndi_cuda_calls ndi_cu;

/* Written under NDI_LOCK_OPENING, and only while no driver is open or being opened; read without
 * it. */
static struct {
  char path[4096]; /* "": search the system's usual names */
  bool is_off, is_synchronous;
} settings;

static atomic_bool is_open, is_opening;
/* ndi_forks() at that time; another number now means that this is a forked child */
static atomic_uint opened_in;
static int version, count;

void ndi_cuda_configure(const nd_backend_options *options) {
  ndi_lock(NDI_LOCK_OPENING);
  if (!is_open && !is_opening) {
    snprintf(settings.path, sizeof settings.path, "%s", options->driver ? options->driver : "");
    settings.is_off = options->is_off;
    settings.is_synchronous = options->is_synchronous;
  }
  ndi_unlock(NDI_LOCK_OPENING);
}

bool ndi_cuda_is_synchronous(void) { return settings.is_synchronous; }
int ndi_cuda_count(void) { return is_open ? count : 0; }
int ndi_cuda_version(void) { return is_open ? version : 0; }

/* 'is_opening' counts too: in the child of a fork during an opening the mark stays set, for a
 * thread that does not exist there. */
bool ndi_cuda_is_forked(void) { return (is_open || is_opening) && ndi_forks() != opened_in; }

/* {=== errors ===} */

/* 'calls' is ndi_cu, or the record of a driver that is being opened. */
static const char *name_of(const ndi_cuda_calls *calls, CUresult result) {
#define ND_ROW(name, number) \
  case number: return #name;
  const char *text = NULL;
  if (calls->cuGetErrorName && calls->cuGetErrorName(result, &text) == CUDA_SUCCESS && text)
    return text;
  /* a newer driver's number may not be in the enum: hence the casts, here and below */
  switch ((int)result) {
    ND_CUDA_RESULTS(ND_ROW)
    default: return "an unknown error";
  }
#undef ND_ROW
}

const char *ndi_cuda_error_name(CUresult result) { return name_of(&ndi_cu, result); }

bool ndi_cuda_is_sticky(CUresult result) {
  switch ((int)result) {
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK: return true;
    default: return false;
  }
}

nd_status ndi_cuda_status(CUresult result, const char *call, nd_error *err) {
  const char *text = NULL;
  if (result == CUDA_SUCCESS) return ND_OK;
  if (!ndi_cu.cuGetErrorString || ndi_cu.cuGetErrorString(result, &text) != CUDA_SUCCESS || !text)
    text = "the driver has no text for it";
  return nd_fail_with(err, result == CUDA_ERROR_OUT_OF_MEMORY ? ND_OUT_OF_MEMORY : ND_DRIVER,
                      ND_NUMBERS({"number", result}), "%.*s failed: %s (%d): %s",
                      (int)strcspn(call, "("), call, ndi_cuda_error_name(result), (int)result,
                      text);
}

/* {=== opening ===} */

static nd_status fail_open(nd_error *err, const char *why) {
  return nd_fail(err, ND_DEVICE_NOT_FOUND, "there is no GPU: %s", why);
}

/* A library that the user named is the only one tried. Else: the name that drivers install, the
 * name that development packages install, and WSL's folder, which the loader may not search. 'more'
 * is added to the flags of dlopen: RTLD_NOLOAD only finds a library that is loaded already. NULL
 * where none is found; dlerror() then has the reason. */
static void *load_library(int more) {
  static const char *const names[] = {"libcuda.so.1", "libcuda.so",
                                      "/usr/lib/wsl/lib/libcuda.so.1"};
  void *library = NULL;
  if (settings.path[0]) return dlopen(settings.path, RTLD_NOW | RTLD_LOCAL | more);
  for (size_t i = 0; i < ND_COUNTOF(names) && !library; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | more);
  return library;
}

bool ndi_cuda_is_loaded(void) {
  if (is_open) return true;
  void *library = load_library(RTLD_NOLOAD);
  /* RTLD_NOLOAD adds a reference all the same */
  if (library) dlclose(library);
  return library != NULL;
}

/* Fill '*out' with the functions of the library. Returns the name of a required symbol that is
 * missing, or NULL. */
static const char *resolve(void *library, ndi_cuda_calls *out) {
  enum { optional, required }; /* the words in the rows */
  static const struct {
    const char *symbol;
    int need;
    size_t at;
  } rows[] = {
#define ND_ROW(function, symbol, since, need, arguments) \
  {#symbol, need, offsetof(ndi_cuda_calls, function)},
      ND_CUDA_SYMBOLS(ND_ROW)
#undef ND_ROW
  };
  for (size_t i = 0; i < ND_COUNTOF(rows); i++) {
    void *found = dlsym(library, rows[i].symbol);
    if (!found && rows[i].need == required) return rows[i].symbol;
    /* C has no conversion of an object's address to a function's; POSIX gives them one form */
    memcpy((char *)out + rows[i].at, &found, sizeof found);
  }
  return NULL;
}

/* Advice for the user where the driver works but offers no usable device. */
static const char *remedy_of(CUresult result) {
  switch ((int)result) {
    case CUDA_ERROR_NO_DEVICE:
      return "; does CUDA_VISIBLE_DEVICES hide the GPUs, and does nvidia-smi list one?";
    case CUDA_ERROR_STUB_LIBRARY:
      return "; this libcuda is the toolkit's stub, the driver's own has to be found before it";
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
      return "; another process has the GPU to itself, or its compute mode forbids use";
    case CUDA_ERROR_SYSTEM_NOT_READY:
      return "; is the service nvidia-fabricmanager running, of the driver's own version?";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
      return "; libcuda and the kernel's driver are of two versions: restart the machine, or "
             "install one version of both";
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return "; this libcuda is a forward compatibility package, which this GPU does not take: "
             "use the driver's own";
    case CUDA_ERROR_MPS_CONNECTION_FAILED:
    case CUDA_ERROR_MPS_RPC_FAILURE:
    case CUDA_ERROR_MPS_SERVER_NOT_READY:
    case CUDA_ERROR_MPS_MAX_CLIENTS_REACHED:
    case CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
      return "; it is about nvidia-cuda-mps-control, through which this machine shares its GPUs";
    default: return "";
  }
}

/* The version comes first, which needs no cuInit: a driver that is too old is then reported as
 * such, whatever cuInit would say. Each step is made only if all before it succeeded. */
static nd_status start(const ndi_cuda_calls *calls, int *devices, nd_error *err) {
  char why[400];
  int found = 0;
  CUresult result = calls->cuDriverGetVersion(&found);
  snprintf(why, sizeof why, "the driver supports CUDA up to %d.%d, ndbuf needs %d.%d", found / 1000,
           found % 1000 / 10, OLDEST / 1000, OLDEST % 1000 / 10);
  if (result == CUDA_SUCCESS && found < OLDEST) return fail_open(err, why);
  if (result == CUDA_SUCCESS) result = calls->cuInit(0);
  if (result == CUDA_SUCCESS) result = calls->cuDeviceGetCount(devices);
  /* cuDeviceGetCount may succeed with 0 devices. */
  if (result == CUDA_SUCCESS && *devices == 0) result = CUDA_ERROR_NO_DEVICE;
  snprintf(why, sizeof why, "the driver says %s (%d)%s", name_of(calls, result), (int)result,
           remedy_of(result));
  if (result != CUDA_SUCCESS) return fail_open(err, why);
  version = found;
  return ND_OK;
}

static nd_status open_library(nd_error *err) {
  char why[512];
  ndi_cuda_calls calls = {0};
  int devices = 0;
  if (settings.is_off) return fail_open(err, "it is switched off by NDBUF_CUDA=0");
  void *library = load_library(0);
  if (!library) {
    /* of a path that the user gave, the loader's reason is of interest */
    const char *text = settings.path[0] ? dlerror() : NULL;
    return fail_open(err, text ? text : "the CUDA driver, libcuda.so.1, is not installed");
  }
  const char *missing = resolve(library, &calls);
  snprintf(why, sizeof why, "the driver lacks %s", missing ? missing : "");
  const nd_status status = missing ? fail_open(err, why) : start(&calls, &devices, err);
  if (status != ND_OK) {
    dlclose(library);
    return status;
  }
  ndi_cu = calls; /* never dlclosed: ndi_cu points into it */
  count = devices;
  /* last: it lets other threads read what was written before */
  atomic_store(&is_open, true);
  return ND_OK;
}

static pthread_cond_t opening_ended = PTHREAD_COND_INITIALIZER;

void ndi_cuda_begin_opening(void) {
  ndi_lock(NDI_LOCK_OPENING);
  while (is_opening) ndi_lock_wait(NDI_LOCK_OPENING, &opening_ended);
  /* an open driver keeps the number of the process that opened it */
  if (!is_open) opened_in = ndi_forks();
  is_opening = true;
  ndi_unlock(NDI_LOCK_OPENING);
}

bool ndi_cuda_is_opening(void) { return is_opening; }

void ndi_cuda_end_opening(void) {
  ndi_lock(NDI_LOCK_OPENING);
  is_opening = false;
  /* wakes one waiter, which wakes the next when its own opening ends */
  pthread_cond_signal(&opening_ended);
  ndi_unlock(NDI_LOCK_OPENING);
}

nd_status ndi_cuda_open(nd_error *err) {
  if (ndi_cuda_is_forked())
    return fail_open(err, "this process was forked from one that used CUDA, which does not work");
  if (is_open) return ND_OK; /* the common case, without the lock */
  ndi_cuda_begin_opening();
  /* another thread may have opened it while this one waited */
  const nd_status status = is_open ? ND_OK : open_library(err);
  ndi_cuda_end_opening();
  return status;
}
