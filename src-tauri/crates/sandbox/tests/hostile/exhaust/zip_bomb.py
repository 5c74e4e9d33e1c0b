# out of memory
import zlib

packed = zlib.compress(bytes(1 << 24), 9)
parts = []
while True:
    parts.append(zlib.decompress(packed))
