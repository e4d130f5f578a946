"""Reading graphs from files and from memory."""
