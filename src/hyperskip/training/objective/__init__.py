"""The objective of training in NumPy, and the probabilities of its samples."""
