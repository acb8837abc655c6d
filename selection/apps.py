"""The Django app."""

from django.apps import AppConfig


class SelectionConfig(AppConfig):
    """Context selection: its storage and its faces."""

    name = "selection"
    verbose_name = "Context selection"
    default_auto_field = "django.db.models.BigAutoField"
