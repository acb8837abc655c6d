"""Say of what was recorded before where its prompts went. A model that is no longer known counts as remote: nothing is called unsent that may have been sent.

What people revealed stands in the chain from here on, no longer in the trace.
"""

from django.db import migrations

from selection.actions.audit.adopt import reveals_into_entries


def fill(apps, _schema_editor):
    runs = apps.get_model("selection", "SelectionRun")
    references = apps.get_model("selection", "SessionContextReference")
    for run in runs.objects.filter(model__isnull=False).only("id", "status", "model", "session").iterator():
        destination = _destination(apps, run)
        if destination:
            runs.objects.filter(pk=run.pk).update(destination=destination)
        rows = references.objects.filter(run_id=run.pk)
        rows.update(model=run.model)
        if destination:
            rows.filter(included=True).update(destination=destination)
            _follow(rows, destination)


def _destination(apps, run):
    allowed = apps.get_model("selection", "TraceEventContent").objects.filter(
        event__run_id=run.pk, event__event_type="approval", payload={"decision": "allow"}
    )
    if run.status != "selected" and not allowed.exists():
        return None
    provider, _, model = run.model.partition("/")
    known = apps.get_model("selection", "ModelDescriptor").objects.filter(
        session_id=run.session_id, provider=provider, model=model
    )
    return "local" if known.filter(local=True).exists() else "remote"


def _follow(rows, destination):
    """A duplicate went where its survivor went, and that may be a duplicate itself."""
    while rows.filter(destination__isnull=True, duplicate_of__destination=destination).exists():
        went = rows.filter(destination=destination).values_list("pk", flat=True)
        rows.filter(destination__isnull=True, duplicate_of__in=list(went)).update(destination=destination)


def reveals(apps, _schema_editor):
    reveals_into_entries(lambda name: apps.get_model("selection", name))


class Migration(migrations.Migration):

    dependencies = [("selection", "0014_audit")]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunPython(reveals, migrations.RunPython.noop),
    ]
