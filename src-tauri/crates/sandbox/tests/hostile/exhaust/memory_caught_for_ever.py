# out of CPU time
items = []
while True:
    try:
        items.append(bytes(1 << 20))
    except MemoryError:
        pass
