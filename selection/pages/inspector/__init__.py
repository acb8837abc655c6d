"""The inspector: one turn, its decision, its ledger, and the knobs that ask what if."""
