"""From numbered words to an encoded corpus: integers in memory-mapped files."""
