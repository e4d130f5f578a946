"""The version of hyperskip, where nothing else has to be loaded to read it."""

VERSION = "0.1.0"
