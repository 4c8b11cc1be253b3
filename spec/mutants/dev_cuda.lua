-- Faults in the CUDA devices of src/dev, run on the simulated driver.
return {
  -- copies
  {"src/dev/cuda_copy.c", "return v->storage->kind == ND_MEM_FOREIGN ? ndi_cuda_wait(d, err) : ndi_cuda_finish(d, err);", "return v ? ndi_cuda_finish(d, err) : ND_OK;", "dev/cuda_array_spec.lua dev/cuda_memory_spec.lua dev/cuda_copy_spec.lua"},
  {"src/dev/cuda_copy.c", "1 + (NDI_STAGE - one) / (more ? more : 1);", "2 + (NDI_STAGE - one) / (more ? more : 1);", "dev/cuda_copy_spec.lua"},
  {"src/dev/cuda_copy.c", "if (j->host->storage->kind == ND_MEM_MANAGED && !j->d->properties.is_concurrent)", "if (false)", "dev/cuda_copy_spec.lua dev/cuda_memory_spec.lua"},
  {"src/dev/cuda_copy.c", "if (memcmp(element, element + i, 4) != 0) return false;", "if (memcmp(element, element + i, 2) != 0) return false;", "dev/cuda_copy_spec.lua"},
  {"src/dev/cuda_copy.c", "return (uintptr_t)f->at[0] % *unit == 0 &&", "return", "dev/cuda_copy_spec.lua dev/cuda_older_spec.lua"},
  {"src/dev/cuda_copy.c", "if (f->step[1][a] != (ptrdiff_t)run) return;", "", "dev/cuda_copy_spec.lua"},
  {"src/dev/cuda_copy.c", "nd_storage_use(j->host->storage, at, !to_device, NULL);", "", "dev/cuda_faults_spec.lua"},
  {"src/dev/cuda_copy.c", "ND_TRY(nd_storage_use(dst->storage, ndi_cuda_mark(j.d), true, err));", "ndi_cuda_mark(j.d);", "dev/cuda_copy_spec.lua dev/cuda_array_spec.lua dev/cuda_contract_spec.c"},
  {"src/dev/cuda_copy.c", "return nd_storage_use(src->storage, at, false, err);", "(void)src;\n  return ND_OK;", "dev/cuda_copy_spec.lua dev/cuda_array_spec.lua dev/cuda_memory_spec.lua dev/cuda_contract_spec.c"},
  {"src/dev/cuda_copy.c", "  ND_TRY(unpack(j, err));\n  j->is_waiting = true;", "  j->is_waiting = true;", "dev/cuda_copy_spec.lua"},
  {"src/dev/cuda_copy.c", "return ndi_cuda_wait(j->d, err); /* the buffer is filled again */", "return ND_OK;", "dev/cuda_copy_spec.lua"},
  {"src/dev/cuda_copy.c", "ND_TRY(ndi_cuda_join(d, other, err));", "", "dev/cuda_copy_spec.lua"},
  {"src/dev/cuda_copy.c", "if (ndi_cuda_join(other, d, NULL) != ND_OK) ND_TRY(ndi_cuda_wait(d, err));", "", "dev/cuda_copy_spec.lua dev/cuda_memory_spec.lua"},
  {"src/dev/cuda_copy.c", "return is_poor && hull / MOST_WASTE <= payload;", "return is_poor;", "dev/cuda_copy_spec.lua"},

  -- staging
  {"src/dev/cuda_stage.c", "ND_TRY(ND_CU(d, cuEventSynchronize(stage->event[which]), err));\n", "(void)d, (void)err;\n", "dev/cuda_copy_spec.lua"},
  {"src/dev/cuda_stage.c", "if (status != ND_OK) ndi_cuda_wait(d, NULL);", "", "dev/cuda_faults_spec.lua"},
  {"src/dev/cuda_stage.c", "  stage->turn ^= 1;\n", "", "dev/cuda_copy_spec.lua", equal = "one buffer serves for all: slower, and waited for"},
  {"src/dev/cuda_stage.c", "    nd_storage_drop(stage->storage[i]);\n", "", "dev/cuda_memory_spec.lua dev/cuda_device_spec.lua dev/cuda_faults_spec.lua"},

  -- memory
  {"src/dev/cuda_memory.c", "uint64_t most = UINT64_MAX;", "uint64_t most = 0;", "dev/cuda_memory_spec.lua dev/cuda_device_spec.lua"},
  {"src/dev/cuda_memory.c", "return reserved > used ? reserved - used : 0;", "return reserved;", "dev/cuda_memory_spec.lua dev/cuda_errors_spec.lua"},
  {"src/dev/cuda_memory.c", "      ndi_cu.cuMemFreeAsync(at, d->stream);\n", "", "dev/cuda_faults_spec.lua"},
  {"src/dev/cuda_memory.c", "    out->ready = ndi_cuda_mark(d);\n  }\n  fill_block(m, request, at, out);\n  return ND_OK;\n}\n\nstatic nd_status plain_take", "  }\n  fill_block(m, request, at, out);\n  return ND_OK;\n}\n\nstatic nd_status plain_take", "dev/cuda_memory_spec.lua dev/cuda_contract_spec.c dev/cuda_copy_spec.lua"},
  {"src/dev/cuda_memory.c", "if (!d->properties.is_concurrent) ND_TRY(ndi_cuda_wait_all(err));", "", "dev/cuda_memory_spec.lua dev/cuda_older_spec.lua"},
  {"src/dev/cuda_memory.c", "return request->zeroed ? ndi_cuda_wait(d, err) : ND_OK;", "return ND_OK;", "dev/cuda_memory_spec.lua dev/cuda_contract_spec.c"},
  {"src/dev/cuda_memory.c", "*freed = before > after ? (size_t)(before - after) : 0;", "*freed = 0;\n  (void)before, (void)after;", "dev/cuda_memory_spec.lua dev/cuda_contract_spec.c"},

  -- pinned and locked pages
  {"src/dev/cuda_locked.c", "if (request->zeroed) memset(at, 0, request->bytes);", "", "dev/cuda_memory_spec.lua dev/cuda_contract_spec.c"},
  {"src/dev/cuda_locked.c", "if (block->kind == ND_MEM_HOST) return nd_resource_give(nd_host_resource(), block, after, err);\n", "", "dev/cuda_memory_spec.lua dev/cuda_faults_spec.lua"},
  {"src/dev/cuda_locked.c", "if (status != ND_OK) unlock_pages(d, at, NULL);", "", "dev/cuda_faults_spec.lua dev/cuda_memory_spec.lua"},
  {"src/dev/cuda_locked.c", "ND_TRY(unlock_pages(l->device, l->at, err));\n", "", "dev/cuda_memory_spec.lua"},
  {"src/dev/cuda_locked.c", "  atomic_fetch_sub(&locked_count, 1);\n", "", "dev/cuda_memory_spec.lua dev/cuda_device_spec.lua"},

  -- managed memory
  {"src/dev/cuda_managed.c", "*at = (CUdeviceptr)(uintptr_t)view->storage->ptr + lo;", "*at = (CUdeviceptr)(uintptr_t)view->storage->ptr;", "dev/cuda_memory_spec.lua"},
  {"src/dev/cuda_managed.c", "ND_TRY(nd_storage_use(view->storage, ndi_cuda_mark(d), false, err));", "ndi_cuda_mark(d);", "dev/cuda_memory_spec.lua dev/cuda_contract_spec.c"},

  -- blocks
  {"src/dev/cuda_block.c", "b->is_refused[left] = true;", "", "dev/cuda_copy_spec.lua dev/cuda_older_spec.lua dev/cuda_faults_spec.lua", equal = "each row asks again: slower only"},
  {"src/dev/cuda_block.c", "if (left == 0 || result != CUDA_ERROR_INVALID_VALUE)", "if (true)", "dev/cuda_copy_spec.lua dev/cuda_older_spec.lua dev/cuda_faults_spec.lua"},
}
