"""The admin: read-only pages for every recorded entity, for audits. Content is never shown here."""

from selection.admin import entities, references

__all__ = ["entities", "references"]
