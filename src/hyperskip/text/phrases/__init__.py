"""Phrases: words that often occur next to each other, and are joined to one word."""
