"""The state before training: random, or from an initial model."""
