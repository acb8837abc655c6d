"""Policies as objects: versions that are only ever added, and which of them is proposed and which is current."""

from hashlib import sha256

from django.db import IntegrityError, transaction
from django.db.models import Max

from selection.documents.canonical import digest
from selection.documents.policy import read_policy_toml, write_policy_toml
from selection.engine.values import Policy
from selection.models import NamedPolicy, Owner, PolicyStage, PolicyVersion, Stage
from selection.models.base import key_of

_TRIES = 3
_MOST_NOTE = 500


def save_version(user: Owner, name: str, text: str, note: str = "") -> PolicyVersion:
    """Add `text` as a version of the policy `name`; a text that is a version of it already is that version. Raises `InvalidDocument`."""
    policy = read_policy_toml(text).policy
    named, _ = NamedPolicy.objects.get_or_create(user_id=key_of(user), name=name)
    return _added(user, named, text, digest(policy), note)


def _added(user: Owner, named: NamedPolicy, text: str, policy_digest: str, note: str) -> PolicyVersion:
    """Two who add at once get a number each: whoever comes second takes the next one."""
    text_digest = sha256(text.encode()).hexdigest()
    for attempt in range(1, _TRIES + 1):
        known = named.versions.filter(text_digest=text_digest).first()
        if known is not None:
            return known
        last = named.versions.aggregate(last=Max("number"))["last"] or 0
        try:
            with transaction.atomic():
                return PolicyVersion.objects.create(
                    user_id=named.user_id,
                    policy=named,
                    number=last + 1,
                    text=text,
                    digest=policy_digest,
                    text_digest=text_digest,
                    author=user.get_username(),
                    note=note[:_MOST_NOTE],
                )
        except IntegrityError:
            if attempt == _TRIES:
                raise
    raise AssertionError("the last try returns or raises")


def version_of(user: Owner, policy: Policy) -> PolicyVersion:
    """Give the newest version that reads as `policy`; one that nobody saved becomes a version of the policy that its source names."""
    known = PolicyVersion.objects.owned_by(user).filter(digest=digest(policy)).order_by("-created_at", "-id").first()
    if known is not None:
        return known
    named, _ = NamedPolicy.objects.get_or_create(user_id=key_of(user), name=policy.source[:200] or "policy")
    return _added(user, named, write_policy_toml(policy), digest(policy), "as a turn brought it")


def set_stage(user: Owner, version: PolicyVersion, stage: Stage) -> None:
    """Propose a version, or make it the current one."""
    PolicyStage.objects.create(
        user_id=version.user_id, policy=version.policy, version=version, stage=stage.value, author=user.get_username()
    )
