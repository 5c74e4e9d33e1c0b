# out of CPU time
print(3 ** (3 ** 20) % 7)
