"""On PostgreSQL the references are partitioned by month; and on both the indexes of the questions."""

import django.db.models.deletion
import django.db.models.functions.text
from django.db import migrations, models

from selection.actions.audit.partitions import partition_table


def partition(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            partition_table(cursor)


class Migration(migrations.Migration):

    dependencies = [('selection', '0015_audit_destinations')]

    operations = [
        migrations.RunPython(partition),
        migrations.AlterField(
            model_name='traceevent',
            name='run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trace_events', to='selection.selectionrun'),
        ),
        migrations.AddIndex(
            model_name='sessioncontextreference',
            index=models.Index(fields=['created_at', 'id'], name='context_reference_newest'),
        ),
        migrations.AddIndex(
            model_name='sessioncontextreference',
            index=models.Index(fields=['user', 'created_at', 'id'], name='context_reference_of_user'),
        ),
        migrations.AddIndex(
            model_name='sessioncontextreference',
            index=models.Index(fields=['session', 'created_at', 'id'], name='context_reference_of_session'),
        ),
        migrations.AddIndex(
            model_name='sessioncontextreference',
            index=models.Index(condition=models.Q(('destination__isnull', False)), fields=['model', 'created_at', 'id'], name='context_reference_of_model'),
        ),
        migrations.AddIndex(
            model_name='sessioncontextreference',
            index=models.Index(django.db.models.functions.text.Left('path', 256), models.F('created_at'), models.F('id'), condition=models.Q(('path__isnull', False)), name='context_reference_of_path'),
        ),
        migrations.AddIndex(
            model_name='sessioncontextreference',
            index=models.Index(django.db.models.functions.text.Left('path', 256), models.F('created_at'), models.F('id'), condition=models.Q(('destination', 'remote'), ('path__isnull', False)), name='context_reference_path_remote'),
        ),
        migrations.AddIndex(
            model_name='sessioncontextreference',
            index=models.Index(condition=models.Q(('restricted', True)), fields=['created_at', 'id'], name='context_reference_restricted'),
        ),
        migrations.AddConstraint(
            model_name='sessioncontextreference',
            constraint=models.UniqueConstraint(fields=('run', 'position', 'created_at'), name='context_reference_once'),
        ),
        migrations.AddConstraint(
            model_name='sessioncontextreference',
            constraint=models.CheckConstraint(condition=models.Q(('destination__in', ['local', 'remote']), ('destination__isnull', True), _connector='OR'), name='context_reference_destination'),
        ),
    ]
