"""Sessions: their history, memories, catalogs and turns."""

import django.db.models.deletion
import django.utils.timezone
import selection.models.base
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='RecalledUserMemory',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('position', models.PositiveIntegerField()),
                ('key', models.TextField(null=True)),
                ('recorded', models.JSONField(default=dict)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'recalled user memories',
                'db_table': 'recalled_user_memory',
                'ordering': ['session', 'position'],
            },
        ),
        migrations.CreateModel(
            name='SessionMessage',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('position', models.PositiveIntegerField()),
                ('recorded_id', models.TextField(null=True)),
                ('recorded_at', models.TextField(null=True)),
                ('role', models.CharField(choices=[('system', 'system'), ('user', 'user'), ('assistant', 'assistant'), ('tool', 'tool')], max_length=16)),
                ('provider', models.TextField(null=True)),
                ('model', models.TextField(null=True)),
                ('path', models.TextField(null=True)),
            ],
            options={
                'db_table': 'session_message',
                'ordering': ['session', 'position'],
            },
        ),
        migrations.CreateModel(
            name='SessionRunInput',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('position', models.PositiveIntegerField()),
                ('recorded_at', models.TextField(null=True)),
                ('policy', models.JSONField()),
                ('local_preferences', models.JSONField()),
                ('workspace', models.JSONField()),
                ('credentials', models.JSONField()),
            ],
            options={
                'db_table': 'session_run_input',
                'ordering': ['session', 'position'],
            },
        ),
        migrations.CreateModel(
            name='UserMemory',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('key', models.TextField(null=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'user memories',
                'db_table': 'user_memory',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='RecalledUserMemoryContent',
            fields=[
                ('memory', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='content', serialize=False, to='selection.recalledusermemory')),
                ('plaintext', models.TextField()),
            ],
            options={
                'db_table': 'recalled_user_memory_content',
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('title', models.CharField(max_length=500, null=True)),
                ('encrypted', models.BooleanField(default=False, editable=False)),
                ('key_id', models.CharField(editable=False, max_length=200, null=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
                ('recorded', models.JSONField(default=dict, editable=False)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'session',
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.AddField(
            model_name='recalledusermemory',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='selection.session'),
        ),
        migrations.CreateModel(
            name='ModelDescriptor',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('position', models.PositiveIntegerField()),
                ('provider', models.TextField()),
                ('model', models.TextField()),
                ('display_name', models.TextField(null=True)),
                ('local', models.BooleanField()),
                ('auth', models.CharField(choices=[('none', 'none'), ('api_key', 'api_key'), ('optional_api_key', 'optional_api_key')], max_length=20)),
                ('capabilities', models.JSONField(default=dict)),
                ('max_context_tokens', models.BigIntegerField()),
                ('max_output_tokens', models.BigIntegerField(null=True)),
                ('input_cost_per_million', models.TextField(null=True)),
                ('output_cost_per_million', models.TextField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='selection.session')),
            ],
            options={
                'db_table': 'model_descriptor',
                'ordering': ['session', 'position'],
            },
        ),
        migrations.CreateModel(
            name='ContextMemory',
            fields=[
                ('id', models.UUIDField(default=selection.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('position', models.PositiveIntegerField()),
                ('key', models.TextField(null=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('recorded', models.JSONField(default=dict)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='selection.session')),
            ],
            options={
                'verbose_name_plural': 'context memories',
                'db_table': 'context_memory',
                'ordering': ['session', 'position'],
            },
        ),
        migrations.CreateModel(
            name='SessionMessageContent',
            fields=[
                ('plaintext', models.TextField(null=True)),
                ('envelope', models.JSONField(null=True)),
                ('message', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='content', serialize=False, to='selection.sessionmessage')),
            ],
            options={
                'db_table': 'session_message_content',
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='sessionmessage',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='selection.session'),
        ),
        migrations.AddField(
            model_name='sessionmessage',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='SessionRunInputContent',
            fields=[
                ('run_input', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='content', serialize=False, to='selection.sessionruninput')),
                ('input', models.JSONField()),
                ('attachments', models.JSONField()),
                ('git_diff', models.JSONField(null=True)),
            ],
            options={
                'db_table': 'session_run_input_content',
            },
        ),
        migrations.AddField(
            model_name='sessionruninput',
            name='after_message',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='selection.sessionmessage'),
        ),
        migrations.AddField(
            model_name='sessionruninput',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='selection.session'),
        ),
        migrations.AddField(
            model_name='sessionruninput',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='UserMemoryContent',
            fields=[
                ('memory', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='content', serialize=False, to='selection.usermemory')),
                ('plaintext', models.TextField()),
            ],
            options={
                'db_table': 'user_memory_content',
            },
        ),
        migrations.CreateModel(
            name='ContextMemoryContent',
            fields=[
                ('plaintext', models.TextField(null=True)),
                ('envelope', models.JSONField(null=True)),
                ('memory', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='content', serialize=False, to='selection.contextmemory')),
            ],
            options={
                'db_table': 'context_memory_content',
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('envelope__isnull', True), ('plaintext__isnull', False)), models.Q(('envelope__isnull', False), ('plaintext__isnull', True)), _connector='OR'), name='contextmemorycontent_plain_or_sealed')],
            },
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(fields=['user', '-created_at'], name='session_of_user'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('encrypted', True), ('key_id__isnull', False)), models.Q(('encrypted', False), ('key_id__isnull', True)), _connector='OR'), name='session_key_exactly_when_encrypted'),
        ),
        migrations.AddConstraint(
            model_name='recalledusermemory',
            constraint=models.UniqueConstraint(condition=models.Q(('key__isnull', False)), fields=('session', 'key'), name='recalled_user_memory_key'),
        ),
        migrations.AddConstraint(
            model_name='recalledusermemory',
            constraint=models.UniqueConstraint(fields=('session', 'position'), name='recalled_user_memory_place'),
        ),
        migrations.AddConstraint(
            model_name='modeldescriptor',
            constraint=models.UniqueConstraint(fields=('session', 'provider', 'model'), name='model_descriptor_name'),
        ),
        migrations.AddConstraint(
            model_name='modeldescriptor',
            constraint=models.UniqueConstraint(fields=('session', 'position'), name='model_descriptor_place'),
        ),
        migrations.AddConstraint(
            model_name='modeldescriptor',
            constraint=models.CheckConstraint(condition=models.Q(('max_context_tokens__gte', 0)), name='model_descriptor_window'),
        ),
        migrations.AddConstraint(
            model_name='modeldescriptor',
            constraint=models.CheckConstraint(condition=models.Q(('auth__in', ['api_key', 'none', 'optional_api_key'])), name='model_descriptor_auth'),
        ),
        migrations.AddConstraint(
            model_name='contextmemory',
            constraint=models.UniqueConstraint(condition=models.Q(('key__isnull', False)), fields=('session', 'key'), name='context_memory_key'),
        ),
        migrations.AddConstraint(
            model_name='contextmemory',
            constraint=models.UniqueConstraint(fields=('session', 'position'), name='context_memory_place'),
        ),
        migrations.AddConstraint(
            model_name='sessionmessagecontent',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('envelope__isnull', True), ('plaintext__isnull', False)), models.Q(('envelope__isnull', False), ('plaintext__isnull', True)), _connector='OR'), name='sessionmessagecontent_plain_or_sealed'),
        ),
        migrations.AddConstraint(
            model_name='sessionmessage',
            constraint=models.UniqueConstraint(fields=('session', 'position'), name='session_message_place'),
        ),
        migrations.AddConstraint(
            model_name='sessionmessage',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['assistant', 'system', 'tool', 'user'])), name='session_message_role'),
        ),
        migrations.AddConstraint(
            model_name='sessionruninput',
            constraint=models.UniqueConstraint(fields=('session', 'position'), name='session_run_input_place'),
        ),
        migrations.AddConstraint(
            model_name='usermemory',
            constraint=models.UniqueConstraint(condition=models.Q(('key__isnull', False)), fields=('user', 'key'), name='user_memory_key'),
        ),
    ]
