"""Where the documentation is on the web: the file docs/training.md is the page training.html."""

DOCUMENTATION = "https://hyperskip.readthedocs.io/en/stable/"


def address_of(page: str) -> str:
    """The address of a page, such as "training.html" or "training.html#stop-and-resume"."""
    return DOCUMENTATION + page
