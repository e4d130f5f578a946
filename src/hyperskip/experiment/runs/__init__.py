"""Training and scoring one configuration, ours or a peer's."""
