"""Word vectors: the result of training, its model file, and the files of other programs."""
