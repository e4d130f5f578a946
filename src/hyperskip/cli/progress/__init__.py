"""Progress bars and lines on standard error."""
