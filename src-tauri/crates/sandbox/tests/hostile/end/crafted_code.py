# exits
# Takes from an empty stack until the interpreter breaks.
def victim():
    pass


pop = __import__("opcode").opmap["POP_TOP"]
victim.__code__ = victim.__code__.replace(co_code=bytes([pop, 0] * 5000), co_stacksize=1)
victim()
