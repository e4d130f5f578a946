"""The explorer as files that need no server and no model."""
