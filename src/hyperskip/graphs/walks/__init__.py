"""Random walks over a graph as a text to train on, generated when they are read."""
