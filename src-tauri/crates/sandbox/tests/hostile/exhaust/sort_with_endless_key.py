# out of fuel
import itertools

sorted(itertools.count())
