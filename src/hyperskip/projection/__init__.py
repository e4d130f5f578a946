"""Words on the Poincaré disc: where each goes, and how much of the space survives."""
