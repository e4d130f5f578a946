"""Parts of words: character n-grams, and the rows of a table that they are hashed to."""
