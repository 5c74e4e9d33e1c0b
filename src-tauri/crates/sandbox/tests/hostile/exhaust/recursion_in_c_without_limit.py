# raises RecursionError; fuel 40
import sys

sys.setrecursionlimit(2**31 - 1)


class Deeper:
    def __repr__(self):
        return repr(self)


repr(Deeper())
