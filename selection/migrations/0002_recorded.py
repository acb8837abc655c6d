"""What is recorded of turns: runs, references, routing decisions, traces."""

import django.db.models.deletion
import django.utils.timezone
import selection.models.base
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('selection', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='TraceEvent',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('position', models.PositiveIntegerField()),
                ('event_type', models.CharField(choices=[('message', 'message'), ('classification', 'classification'), ('routing_decision', 'routing_decision'), ('context_selection', 'context_selection'), ('tool_call', 'tool_call'), ('approval', 'approval'), ('cost', 'cost')], max_length=20)),
                ('task_type', models.CharField(max_length=16, null=True)),
                ('provider', models.TextField(null=True)),
                ('model', models.TextField(null=True)),
                ('matched_rule', models.TextField(null=True)),
            ],
            options={
                'db_table': 'trace_event',
                'ordering': ['run', 'position'],
            },
        ),
        migrations.CreateModel(
            name='SelectionRun',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('idempotency_key', models.UUIDField(editable=False)),
                ('status', models.CharField(choices=[('selected', 'selected'), ('awaiting_decrypt', 'awaiting_decrypt'), ('awaiting_approval', 'awaiting_approval'), ('error', 'error')], max_length=20)),
                ('error', models.CharField(choices=[('no_route', 'no_route'), ('override_not_allowed', 'override_not_allowed'), ('no_local_model', 'no_local_model'), ('context_window_exceeded', 'context_window_exceeded'), ('fallback_exhausted', 'fallback_exhausted'), ('unknown_model', 'unknown_model'), ('missing_provider_credentials', 'missing_provider_credentials'), ('missing_capability', 'missing_capability'), ('remote_forbidden', 'remote_forbidden')], max_length=40, null=True)),
                ('model', models.TextField(null=True)),
                ('window', models.BigIntegerField(null=True)),
                ('reply_reserve', models.BigIntegerField(null=True)),
                ('effective_budget', models.BigIntegerField(null=True)),
                ('required_tokens', models.BigIntegerField(null=True)),
                ('used_tokens', models.BigIntegerField(null=True)),
                ('attempts', models.JSONField(default=list)),
                ('policy_digest', models.CharField(max_length=64)),
                ('input_digest', models.CharField(max_length=64)),
                ('catalog_digest', models.CharField(max_length=64)),
                ('engine_version', models.CharField(max_length=20)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='selection.session')),
            ],
            options={
                'db_table': 'selection_run',
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='SessionContextReference',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('position', models.PositiveIntegerField()),
                ('rank', models.PositiveIntegerField(null=True)),
                ('path', models.TextField(null=True)),
                ('kind', models.CharField(choices=[('message', 'message'), ('file', 'file'), ('instruction', 'instruction'), ('skill', 'skill'), ('memory', 'memory'), ('diff', 'diff')], max_length=16)),
                ('included', models.BooleanField()),
                ('required', models.BooleanField()),
                ('restricted', models.BooleanField()),
                ('estimated_tokens', models.BigIntegerField()),
                ('score', models.IntegerField()),
                ('reason_code', models.CharField(choices=[('required', 'required'), ('fits', 'fits'), ('restricted_remote', 'restricted_remote'), ('over_budget', 'over_budget'), ('duplicate', 'duplicate')], max_length=20, null=True)),
                ('reason', models.TextField()),
                ('duplicate_of', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='selection.sessioncontextreference')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='references', to='selection.selectionrun')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='selection.session')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'session_context_reference',
                'ordering': ['run', 'position'],
            },
        ),
        migrations.CreateModel(
            name='SessionRoutingDecision',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('task_type', models.CharField(max_length=16)),
                ('provider', models.TextField(null=True)),
                ('model', models.TextField(null=True)),
                ('matched_rule', models.TextField(null=True)),
                ('fallback_used', models.BooleanField()),
                ('override_used', models.BooleanField()),
                ('reason', models.TextField()),
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='routing_decision', to='selection.selectionrun')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='selection.session')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'session_routing_decision',
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.AddField(
            model_name='selectionrun',
            name='run_input',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='selection.sessionruninput'),
        ),
        migrations.CreateModel(
            name='TraceEventContent',
            fields=[
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='content', serialize=False, to='selection.traceevent')),
                ('payload', models.JSONField()),
            ],
            options={
                'db_table': 'trace_event_content',
            },
        ),
        migrations.AddField(
            model_name='traceevent',
            name='run',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='trace_events', to='selection.selectionrun'),
        ),
        migrations.AddField(
            model_name='traceevent',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='selection.session'),
        ),
        migrations.AddField(
            model_name='traceevent',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='sessioncontextreference',
            index=models.Index(fields=['-created_at'], name='context_reference_by_time'),
        ),
        migrations.AddConstraint(
            model_name='sessioncontextreference',
            constraint=models.UniqueConstraint(fields=('run', 'position'), name='context_reference_place'),
        ),
        migrations.AddConstraint(
            model_name='sessioncontextreference',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['diff', 'file', 'instruction', 'memory', 'message', 'skill'])), name='context_reference_kind'),
        ),
        migrations.AddConstraint(
            model_name='sessioncontextreference',
            constraint=models.CheckConstraint(condition=models.Q(('reason_code__in', ['duplicate', 'fits', 'over_budget', 'required', 'restricted_remote']), ('reason_code__isnull', True), _connector='OR'), name='context_reference_reason'),
        ),
        migrations.AddIndex(
            model_name='selectionrun',
            index=models.Index(fields=['run_input', '-created_at'], name='selection_run_of_turn'),
        ),
        migrations.AddConstraint(
            model_name='selectionrun',
            constraint=models.UniqueConstraint(fields=('user', 'idempotency_key'), name='selection_run_once'),
        ),
        migrations.AddConstraint(
            model_name='selectionrun',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['awaiting_approval', 'awaiting_decrypt', 'error', 'selected'])), name='selection_run_status'),
        ),
        migrations.AddConstraint(
            model_name='selectionrun',
            constraint=models.CheckConstraint(condition=models.Q(('error__in', ['context_window_exceeded', 'fallback_exhausted', 'missing_capability', 'missing_provider_credentials', 'no_local_model', 'no_route', 'override_not_allowed', 'remote_forbidden', 'unknown_model']), ('error__isnull', True), _connector='OR'), name='selection_run_error'),
        ),
        migrations.AddConstraint(
            model_name='traceevent',
            constraint=models.UniqueConstraint(fields=('run', 'position'), name='trace_event_place'),
        ),
        migrations.AddConstraint(
            model_name='traceevent',
            constraint=models.CheckConstraint(condition=models.Q(('event_type__in', ['approval', 'classification', 'context_selection', 'cost', 'message', 'routing_decision', 'tool_call'])), name='trace_event_type'),
        ),
    ]
