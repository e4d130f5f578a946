"""Word vectors: the immutable result of training, its file, and exchange with other programs."""
