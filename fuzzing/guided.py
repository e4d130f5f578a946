"""Coverage-guided inputs from atheris for one reader: a program that `run.py` starts.

The arguments are the name of the reader and options of libFuzzer. It ends at the first finding.
"""

import random
import sys

import atheris

with atheris.instrument_imports(include=["hyperskip"]):
    from targets import TARGETS


def main() -> None:
    """Fuzz one reader with the number of inputs in the options."""
    target = TARGETS[sys.argv[1]]
    target.read(target.hostile(0))

    def read(data: bytes) -> None:
        target.read(data)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        """Use the mutations of libFuzzer or our own."""
        if seed % 3:
            return bytes(atheris.Mutate(data, most))
        return target.mutated([data, *target.seeds()], random.Random(seed))[:most]

    atheris.Setup([sys.argv[0], *sys.argv[2:]], read, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
