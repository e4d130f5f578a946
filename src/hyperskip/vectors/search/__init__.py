"""Search for the nearest words."""
