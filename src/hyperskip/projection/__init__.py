"""Maps of words on the Poincaré disc, and how much of the space they keep."""
