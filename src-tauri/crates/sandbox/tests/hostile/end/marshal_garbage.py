# raises ValueError
import marshal

for n in range(256):
    try:
        marshal.loads(bytes([n]) + b"\xff\xff\xff\x7f" * 4)
    except (ValueError, EOFError, TypeError, MemoryError, OverflowError):
        pass
raise ValueError("survived")
