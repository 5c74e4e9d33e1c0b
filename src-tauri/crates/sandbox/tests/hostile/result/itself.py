# bad result
import inklings

value = []
value.append(value)
inklings.submit(value)
