"""Commands: thin faces over the actions."""
