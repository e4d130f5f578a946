"""Evaluation of vectors on the edges of a graph."""
