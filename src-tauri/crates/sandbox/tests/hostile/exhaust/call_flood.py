# out of CPU time
import inklings

while True:
    try:
        inklings.get_page("nowhere")
    except LookupError:
        pass
