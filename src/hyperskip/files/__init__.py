"""Reading through any compression, writing whole or not at all, locks, temporary folders."""
