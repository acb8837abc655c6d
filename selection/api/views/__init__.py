"""One view an operation."""
