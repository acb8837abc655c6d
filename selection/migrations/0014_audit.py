"""The audit: the chain, its tallies, and where each prompt went."""

import django.db.models.deletion
import django.utils.timezone
import selection.models.base
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('selection', '0013_policies_and_replays'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('sequence', models.BigIntegerField(primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('run', 'run'), ('sign_in', 'sign_in'), ('read_restricted', 'read_restricted'), ('reveal', 'reveal'), ('policy_preview', 'policy_preview'), ('export', 'export'), ('export_ended', 'export_ended'), ('retention', 'retention'), ('verification', 'verification')], max_length=20)),
                ('created_at', models.DateTimeField()),
                ('actor', models.CharField(blank=True, max_length=150)),
                ('run', models.UUIDField(null=True, unique=True)),
                ('session', models.UUIDField(null=True)),
                ('rows', models.PositiveIntegerField(default=0)),
                ('rows_digest', models.CharField(blank=True, max_length=64)),
                ('leaves', models.BinaryField(default=bytes)),
                ('payload', models.JSONField(default=dict)),
                ('previous', models.CharField(max_length=64)),
                ('digest', models.CharField(max_length=64)),
            ],
            options={
                'verbose_name_plural': 'audit entries',
                'db_table': 'audit_entry',
                'ordering': ['-sequence'],
                'permissions': [('audit', 'Can audit: see what was recorded of all users, by reference'), ('retain', 'Can apply retention to what was recorded')],
                'default_permissions': ('view',),
            },
        ),
        migrations.CreateModel(
            name='AuditTally',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('day', models.DateField()),
                ('user_id', models.BigIntegerField()),
                ('model', models.TextField(blank=True)),
                ('destination', models.CharField(blank=True, max_length=8)),
                ('kind', models.CharField(max_length=16)),
                ('included', models.BooleanField()),
                ('reason_code', models.CharField(blank=True, max_length=20)),
                ('restricted', models.BooleanField()),
                ('references', models.BigIntegerField()),
                ('tokens', models.BigIntegerField()),
                ('paths', models.BigIntegerField()),
            ],
            options={
                'db_table': 'audit_tally',
                'ordering': ['day'],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='AuditView',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('name', models.CharField(max_length=120)),
                ('query', models.CharField(blank=True, max_length=4000)),
            ],
            options={
                'db_table': 'audit_view',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='RecordedPath',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('path', models.TextField()),
            ],
            options={
                'db_table': 'recorded_path',
                'ordering': ['path'],
                'default_permissions': (),
            },
        ),
        migrations.AlterModelOptions(
            name='selectionrun',
            options={'default_permissions': ('view',), 'ordering': ['-created_at', '-id']},
        ),
        migrations.AlterModelOptions(
            name='sessioncontextreference',
            options={'default_permissions': ('view',), 'ordering': ['run', 'position']},
        ),
        migrations.AlterModelOptions(
            name='sessionroutingdecision',
            options={'default_permissions': ('view',), 'ordering': ['-created_at', '-id']},
        ),
        migrations.AlterModelOptions(
            name='traceevent',
            options={'default_permissions': ('view',), 'ordering': ['run', 'position']},
        ),
        migrations.AlterModelOptions(
            name='traceeventcontent',
            options={'default_permissions': ('view',)},
        ),
        migrations.RemoveConstraint(
            model_name='sessioncontextreference',
            name='context_reference_place',
        ),
        migrations.RemoveIndex(
            model_name='sessioncontextreference',
            name='context_reference_by_time',
        ),
        migrations.AddField(
            model_name='selectionrun',
            name='destination',
            field=models.CharField(choices=[('local', 'local'), ('remote', 'remote')], max_length=8, null=True),
        ),
        migrations.AddField(
            model_name='sessioncontextreference',
            name='destination',
            field=models.CharField(choices=[('local', 'local'), ('remote', 'remote')], max_length=8, null=True),
        ),
        migrations.AddField(
            model_name='sessioncontextreference',
            name='model',
            field=models.TextField(null=True),
        ),
        migrations.AlterField(
            model_name='sessioncontextreference',
            name='duplicate_of',
            field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='selection.sessioncontextreference'),
        ),
        migrations.AlterField(
            model_name='sessioncontextreference',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='references', to='selection.selectionrun'),
        ),
        migrations.AlterField(
            model_name='sessioncontextreference',
            name='session',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='selection.session'),
        ),
        migrations.AlterField(
            model_name='sessioncontextreference',
            name='user',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='selectionrun',
            index=models.Index(fields=['created_at', 'id'], name='selection_run_newest'),
        ),
        migrations.AddIndex(
            model_name='selectionrun',
            index=models.Index(fields=['policy_version', 'created_at', 'id'], name='selection_run_of_version'),
        ),
        migrations.AddIndex(
            model_name='selectionrun',
            index=models.Index(fields=['model', 'created_at', 'id'], name='selection_run_of_model'),
        ),
        migrations.AddConstraint(
            model_name='selectionrun',
            constraint=models.CheckConstraint(condition=models.Q(('destination__in', ['local', 'remote']), ('destination__isnull', True), _connector='OR'), name='selection_run_destination'),
        ),
        migrations.AddField(
            model_name='auditentry',
            name='user',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='audittally',
            index=models.Index(fields=['user_id', 'day'], name='audit_tally_of_day'),
        ),
        migrations.AddField(
            model_name='auditview',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['kind', 'sequence'], name='audit_entry_of_kind'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['user', 'sequence'], name='audit_entry_of_user'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['session', 'sequence'], name='audit_entry_of_session'),
        ),
        migrations.AddConstraint(
            model_name='auditentry',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['export', 'export_ended', 'policy_preview', 'read_restricted', 'retention', 'reveal', 'run', 'sign_in', 'verification'])), name='audit_entry_kind'),
        ),
        migrations.AddConstraint(
            model_name='auditentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'run'), ('run__isnull', False)), models.Q(models.Q(('kind', 'run'), _negated=True), ('run__isnull', True)), _connector='OR'), name='audit_entry_of_a_run'),
        ),
        migrations.AddConstraint(
            model_name='auditview',
            constraint=models.UniqueConstraint(fields=('user', 'name'), name='audit_view_name'),
        ),
    ]
