# out of fuel
while True:
    print("x", end="")
