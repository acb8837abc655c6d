"""What keeps the audit whole by itself: guards and partitions after every migration, the group of auditors, and an entry for each sign-in."""

from typing import Any, Final

from django.apps import apps as installed
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission, User
from django.db import connection

from selection.actions.audit.chain import note
from selection.actions.audit.guards import ENTRIES, put_up_guards
from selection.actions.audit.partitions import guard_partitions, keep_partitions
from selection.models import AuditKind

AUDITORS: Final = "auditor"
# What an auditor sees: references, runs, decisions and events of all users, and the chain. Nothing of it holds content.
_SEEN: Final = ("sessioncontextreference", "selectionrun", "sessionroutingdecision", "traceevent", "auditentry")


def keep_audit(**_: Any) -> None:
    """Put up the guards, make the partitions, and see that the group of auditors may see what it is for. Does nothing while a migration is half way."""
    if ENTRIES not in connection.introspection.table_names():
        return
    put_up_guards()
    keep_partitions()
    guard_partitions()
    _keep_group()


def _keep_group() -> None:
    create_permissions(installed.get_app_config("selection"), verbosity=0)
    group, _ = Group.objects.get_or_create(name=AUDITORS)
    wanted = Permission.objects.filter(
        content_type__app_label="selection", codename__in=["audit", *(f"view_{name}" for name in _SEEN)]
    )
    group.permissions.set(wanted)


def note_sign_in(user: User, **_: Any) -> None:
    """Leave an entry that somebody signed in."""
    note(AuditKind.SIGN_IN, user, {})
