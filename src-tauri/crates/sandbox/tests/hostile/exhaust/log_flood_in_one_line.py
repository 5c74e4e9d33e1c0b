# out of CPU time
while True:
    print("x", end="")
