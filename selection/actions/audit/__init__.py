"""The audit: the chain of what was recorded, its verification, the search of it, its export, and retention."""
