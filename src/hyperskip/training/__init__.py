"""Training: options, plan, objective, kernels, checkpoints, and the trainer that runs them."""
