"""Models that are shared: a folder with a model card, and the Hugging Face Hub."""
