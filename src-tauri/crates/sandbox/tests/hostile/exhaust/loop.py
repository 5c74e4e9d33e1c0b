# out of fuel
while True:
    pass
