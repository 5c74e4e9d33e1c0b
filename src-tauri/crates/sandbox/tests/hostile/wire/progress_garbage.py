# submits ["ValueError", "ValueError", "ValueError"]
import inklings

found = []
for fraction in (float("nan"), "half", None):
    try:
        inklings.progress(fraction)
    except Exception as error:
        found.append(type(error).__name__)
inklings.submit(found)
