# out of CPU time
import gc

kept = []


class Undead:
    def __del__(self):
        kept.append(Undead())
        kept.clear()


Undead()
while True:
    gc.collect()
