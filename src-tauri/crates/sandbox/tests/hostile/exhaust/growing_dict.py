# out of memory; fuel 40
items = {}
for n in range(1 << 30):
    items[n] = str(n) * 20
