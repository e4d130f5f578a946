"""Checkpoints: writing them, and resuming from them."""
