# raises RecursionError
import sys

sys.setrecursionlimit(2**31 - 1)


class Deeper:
    def __repr__(self):
        return repr(self)


repr(Deeper())
