# out of fuel
print(3 ** (3 ** 20) % 7)
