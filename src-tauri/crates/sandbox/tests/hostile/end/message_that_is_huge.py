# raises ValueError
raise ValueError("x" * 10_000_000)
