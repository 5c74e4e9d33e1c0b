# out of memory
eval("(" * 10_000 + ")" * 10_000)
