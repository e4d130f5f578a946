"""Learning: options, sampling tables, objective, kernels, and the trainer that runs them."""
