"""The training loop: epochs over blocks of text on a device."""
