"""The explorer: a model in the browser, served by an HTTP API on this machine."""
