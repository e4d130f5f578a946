"""Folders of files that libraries load as they are, written without these libraries."""
