# raises ValueError
error = None
for n in range(20_000):
    following = ValueError(n)
    following.__context__ = error
    error = following
raise error
