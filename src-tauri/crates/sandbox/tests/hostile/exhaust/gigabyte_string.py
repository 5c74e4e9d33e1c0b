# out of memory
text = "x" * (1 << 30)
