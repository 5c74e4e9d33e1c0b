"""Prints the nanoseconds that the reference validator, skills-ref, takes for valid folders, all of them ROUNDS times.

    python speed.py ROUNDS FOLDER...
"""

import pathlib
import sys
import time

from skills_ref.validator import validate


def main(rounds: int, folders: list[pathlib.Path]) -> None:
    begun = time.perf_counter_ns()
    for _ in range(rounds):
        for folder in folders:
            if errors := validate(folder):
                sys.exit(f"{folder}: {errors}")
    print(time.perf_counter_ns() - begun)


if __name__ == "__main__":
    main(int(sys.argv[1]), [pathlib.Path(folder) for folder in sys.argv[2:]])
