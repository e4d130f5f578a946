"""Models of fastText: one binary file with words, n-grams and their vectors."""
