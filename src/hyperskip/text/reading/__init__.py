"""From what the user gave (files, tables, Wikipedia dumps, iterables) to pieces of text."""
