"""Records of finished runs, and the best of them."""
