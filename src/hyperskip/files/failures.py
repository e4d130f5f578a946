"""What to say when a file cannot be read or written."""

from pathlib import Path

from hyperskip.errors import OutputError


def reason_of(error: Exception) -> str:
    """Why reading or writing failed, in the words that a message shows."""
    if isinstance(error, EOFError):
        return "the compressed data is cut off"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def not_writable(target: Path, error: Exception) -> OutputError:
    """What to say where writing failed."""
    return OutputError(
        f"cannot write {str(target)[:200]}: {reason_of(error)}",
        hint="choose another name, in a folder that can be written to and has room",
    )
