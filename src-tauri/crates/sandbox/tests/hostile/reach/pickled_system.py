# submits "held"
import inklings
import pickle

try:
    pickle.loads(b"cos\nsystem\n(S'true'\ntR.")
except Exception:
    inklings.submit("held")
