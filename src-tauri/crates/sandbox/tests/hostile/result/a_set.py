# bad result
import inklings

inklings.submit({"deep": [{1, 2}]})
