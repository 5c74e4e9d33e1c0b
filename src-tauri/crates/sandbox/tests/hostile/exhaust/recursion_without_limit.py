# stack overflow
import sys

sys.setrecursionlimit(2**31 - 1)


def deeper(n):
    deeper(n + 1)


deeper(0)
