"""The admin: read-only pages for every recorded entity, for audits, and the catalog of models. Content is never shown here."""

from selection.admin import catalog, entities, references

__all__ = ["catalog", "entities", "references"]
