# out of memory
raise MemoryError("mine")
