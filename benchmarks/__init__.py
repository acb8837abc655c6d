"""Speed goals, measured as ratios within one run: absolute times say little on a shared machine."""
