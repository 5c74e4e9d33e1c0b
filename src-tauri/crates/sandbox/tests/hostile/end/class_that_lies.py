# raises Liar
class Liar(Exception):
    @property
    def __class__(self):
        return MemoryError

    @property
    def __traceback__(self):
        raise SystemExit(0)


raise Liar
