"""`python -m hyperskip` is the program `hyperskip`."""

from hyperskip.cli.main import main

main()
