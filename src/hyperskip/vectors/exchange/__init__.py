"""Vector files of other programs."""
