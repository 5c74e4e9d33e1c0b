# out of memory
items = []
while True:
    items.append(bytes(1 << 20))
