"""Epochs over blocks of text on a device."""
