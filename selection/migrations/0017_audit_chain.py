"""Chain what was recorded before there was a chain, and count it."""

from django.db import migrations

from selection.actions.audit.adopt import adopt_runs


def adopt(apps, _schema_editor):
    adopt_runs(lambda name: apps.get_model("selection", name))


class Migration(migrations.Migration):

    dependencies = [("selection", "0016_audit_partitions")]

    operations = [migrations.RunPython(adopt, migrations.RunPython.noop)]
