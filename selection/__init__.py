"""Smista Inspector: context selection, shown."""
