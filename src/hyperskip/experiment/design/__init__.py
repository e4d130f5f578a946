"""The design of an experiment: its options, and the grid of runs that follows from them."""
