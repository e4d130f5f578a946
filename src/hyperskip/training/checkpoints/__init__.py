"""Training states on disk."""
