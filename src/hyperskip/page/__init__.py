"""What a browser shows: pages, scripts and styles."""
