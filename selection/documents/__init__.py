"""Documents in and out: turn, session bundle, policy; validated straight into engine values."""
