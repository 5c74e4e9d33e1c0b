# raises OverflowError
text = "x" * (1 << 40)
