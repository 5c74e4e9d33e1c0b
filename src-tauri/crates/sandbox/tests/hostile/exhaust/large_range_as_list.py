# out of memory
list(range(10**9))
