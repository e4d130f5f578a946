"""A Ray cluster: its address, its nodes and its failures, independent of text and training."""
