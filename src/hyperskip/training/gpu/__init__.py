"""Kernels of Triton, and what feeds them."""
