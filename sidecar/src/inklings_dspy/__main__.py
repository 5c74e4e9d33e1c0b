"""Starts the process."""

import os
import signal
import sys
import warnings


def main() -> None:
    """Take the standard streams before importing anything that could print, then serve until the input ends."""
    from inklings_dspy import transport  # noqa: PLC0415

    streams = transport.claim()
    # The app ends this process; Ctrl+C in a terminal is meant for the app.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore")
    # tqdm reads this when it is imported.
    os.environ["TQDM_DISABLE"] = "1"

    from inklings_dspy import server  # noqa: PLC0415

    server.Server(streams).run()


if __name__ == "__main__":
    main()
