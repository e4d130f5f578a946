"""Progress bars and messages on standard error."""
