"""The port of the explorer; importing it needs no optional package."""

from hyperskip.options import Declaration, Range

DEFAULT_PORT = 8400
PORT = Declaration(
    kind=int,
    help="port to listen at",
    rule=f"{DEFAULT_PORT}, or any free port if it is in use",
    limits=Range(at_least=1, at_most=65535),
    optional=True,
)
