"""The program `hyperskip`, also as `python -m hyperskip`."""

# `signal` itself takes milliseconds to load, in which Ctrl-C would still print a traceback.
from _signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal


def main() -> None:
    """Load the program and run it. Ctrl-C while it loads ends it without a traceback."""
    if getsignal(SIGINT) is default_int_handler:
        signal(SIGINT, SIG_DFL)
    from hyperskip.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
