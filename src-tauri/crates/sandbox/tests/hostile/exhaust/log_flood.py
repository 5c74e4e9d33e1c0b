# out of fuel
while True:
    print("x" * 1000)
