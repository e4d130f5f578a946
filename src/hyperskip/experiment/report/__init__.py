"""Tables and the report."""
