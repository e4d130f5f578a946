"""Where words are before training: at random, or where a model has them."""
