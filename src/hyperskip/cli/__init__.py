"""The command line: the only part that prints. Data goes to stdout, everything else to stderr."""
