# out of memory
items = {}
for n in range(1 << 30):
    items[n] = str(n) * 20
