"""Numba kernels: they see arrays and scalars, run without the GIL, and without locks."""
