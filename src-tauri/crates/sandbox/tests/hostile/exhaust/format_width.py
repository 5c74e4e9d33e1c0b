# out of memory
print(f"{1:>{1 << 30}}")
