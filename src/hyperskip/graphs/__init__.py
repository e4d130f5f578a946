"""Graphs and taxonomies: edges in, what they look like, and walks over them."""
