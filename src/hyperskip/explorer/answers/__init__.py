"""What the explorer knows about the words of a model."""
