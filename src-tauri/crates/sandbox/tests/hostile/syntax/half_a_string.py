# syntax 2:5
x = "abc
