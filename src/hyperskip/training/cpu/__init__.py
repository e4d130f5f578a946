"""Training on the CPU: Numba kernels on arrays and scalars, without the GIL and without locks."""
