"""Pictures of words on the Poincaré disc: images and interactive pages."""
