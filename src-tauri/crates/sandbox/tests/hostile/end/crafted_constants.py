# exits
# Loads a constant far outside of its table.
def victim():
    return 1


load = __import__("opcode").opmap
victim.__code__ = victim.__code__.replace(co_code=bytes([load["EXTENDED_ARG"], 255, load["EXTENDED_ARG"], 255, load["LOAD_CONST"], 255, load["CALL"], 3, load["RETURN_VALUE"], 0]), co_consts=())
victim()
