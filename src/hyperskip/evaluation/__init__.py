"""Evaluation of vectors on word similarity, analogies and hypernymy."""
