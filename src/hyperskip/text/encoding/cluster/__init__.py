"""Encoding on all nodes of a Ray cluster: the same corpus as on one machine."""
