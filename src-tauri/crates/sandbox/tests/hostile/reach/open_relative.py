# submits "held"
import inklings

try:
    open("../../Cargo.toml")
except OSError:
    inklings.submit("held")
