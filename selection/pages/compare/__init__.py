"""Compare two sides: a turn as recorded, a turn under a what-if, a recorded run."""
