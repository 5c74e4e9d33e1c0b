# raises RecursionError
class Deeper:
    def __getattr__(self, name):
        return getattr(self, name + "x")


Deeper().a
