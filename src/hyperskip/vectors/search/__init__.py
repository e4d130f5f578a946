"""Finding the nearest words."""
