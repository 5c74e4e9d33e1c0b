# raises ValueError
str(10**10_000)
