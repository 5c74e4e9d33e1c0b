# out of CPU time
import itertools

sorted([0, 1], key=lambda number: sum(itertools.repeat(number)))
