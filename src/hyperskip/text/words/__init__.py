"""From pieces of text to numbered words, and the vocabulary."""
