"""The web server: application, connections, security and the request queue."""
