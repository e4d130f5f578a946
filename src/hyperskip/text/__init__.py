"""From text to integers: reading, splitting into words, and encoding."""
