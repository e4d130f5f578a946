"""How good vectors are: word similarity, analogies, and the data sets to tell it by."""
