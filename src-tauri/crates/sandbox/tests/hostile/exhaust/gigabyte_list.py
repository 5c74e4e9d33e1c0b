# out of memory
items = [0] * (1 << 28)
