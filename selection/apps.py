"""The Django app."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate


class SelectionConfig(AppConfig):
    """Context selection: its storage and its faces."""

    name = "selection"
    verbose_name = "Context selection"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Keep the audit: guards and partitions stand after every migration, and a sign-in leaves an entry."""
        from selection.actions.audit.guards import lend_functions  # noqa: PLC0415 - once the models are there
        from selection.actions.audit.upkeep import keep_audit, note_sign_in  # noqa: PLC0415 - as above

        connection_created.connect(lend_functions, dispatch_uid="smista-functions")
        post_migrate.connect(keep_audit, sender=self, dispatch_uid="smista-audit")
        user_logged_in.connect(note_sign_in, dispatch_uid="smista-sign-in")
