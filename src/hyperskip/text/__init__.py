"""Text in: sources of many kinds, words, the vocabulary, and the corpus as integers."""
