"""A model in the browser: questions over HTTP, answered on this machine."""
