# out of CPU time
class Same:
    def __hash__(self):
        return 1


items = {Same(): n for n in range(10**9)}
