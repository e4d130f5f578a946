"""What to say when a file cannot be read or written."""

from pathlib import Path

from hyperskip.errors import OutputError


def reason_of(error: Exception) -> str:
    """The reason for a failure of reading or writing, as shown in messages."""
    if isinstance(error, EOFError):
        return "the compressed data is incomplete"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def not_writable(target: Path, error: Exception) -> OutputError:
    """The error for a target that cannot be written."""
    return OutputError(
        f"cannot write {str(target)[:200]}: {reason_of(error)}",
        hint="choose another path, in a writable folder with enough space",
    )
