"""Answers to queries about a model, without HTTP."""
