"""Starts the process."""

import os
import signal
import sys
import warnings


def main() -> None:
    """Take the streams before anything that could print is imported, then serve until the app is gone."""
    from inklings_dspy import transport  # noqa: PLC0415

    streams = transport.claim()
    # The app says when this process ends; an interrupt at a terminal is meant for the app.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore")
    # tqdm reads it when it is imported: nobody sees its bars.
    os.environ["TQDM_DISABLE"] = "1"

    from inklings_dspy import server  # noqa: PLC0415

    server.Server(streams).run()


if __name__ == "__main__":
    main()
