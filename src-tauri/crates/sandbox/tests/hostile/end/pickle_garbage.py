# submits "survived"
import pickle
import random

import inklings

random.seed(5)
for _ in range(3000):
    try:
        pickle.loads(random.randbytes(40))
    except Exception:
        pass
inklings.submit("survived")
