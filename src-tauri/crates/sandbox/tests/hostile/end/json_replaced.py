# submits {"real": 1}
import json

import inklings

json.loads = lambda text: {"forged": True}
json.encoder = json.decoder = None
inklings.submit({"real": 1})
