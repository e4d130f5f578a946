"""What a browser shows: scripts, styles and pages."""
