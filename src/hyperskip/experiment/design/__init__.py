"""What an experiment consists of: options, and the grid of runs."""
