"""From text to relations: pairs of a narrower and a broader term that the text states."""
