"""Inputs that atheris makes, guided by the lines they reach: the program that `run.py` starts.

libFuzzer's options follow the reader's name; with its first finding, it ends.
"""

import random
import sys

import atheris

with atheris.instrument_imports(include=["hyperskip"]):
    from targets import TARGETS


def main() -> None:
    """Fuzz one reader until libFuzzer has made as many inputs as it was told."""
    target = TARGETS[sys.argv[1]]
    target.read(target.hostile(0))

    def read(data: bytes) -> None:
        target.read(data)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        """LibFuzzer's mutations, and ours of what it has found."""
        if seed % 3:
            return bytes(atheris.Mutate(data, most))
        return target.mutated([data, *target.seeds()], random.Random(seed))[:most]

    atheris.Setup([sys.argv[0], *sys.argv[2:]], read, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
