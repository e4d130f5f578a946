"""Pages as text, until the real ones are here."""

from collections.abc import Mapping


def explorer_page() -> tuple[str, str]:
    """The page of the explorer, and the policy that it is sent with."""
    page = "<!doctype html><html lang=en><title>hyperskip</title><p>See /openapi.json</html>"
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return page, policy


def asset(name: str) -> tuple[bytes, str] | None:  # noqa: ARG001
    """A script or a style of the page."""
    return None


def picture_page(picture: Mapping[str, object]) -> str:  # noqa: ARG001
    """A picture that needs no server."""
    return explorer_page()[0]
