"""The pages: who, what, how it looks."""
