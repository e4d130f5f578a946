"""Training on a cluster: every node trains its own vectors, which are merged at intervals."""
