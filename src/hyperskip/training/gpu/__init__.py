"""Training on a GPU: Triton kernels, and the code that launches them."""
