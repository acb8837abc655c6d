"""Seal a plain session: every content in an envelope of its own, and beside it in clear what classification and routing read ("Sealed history" in domain.md).

What stays in clear: the title, roles, models, times, names and paths, flags, the policy, the classified intent, the paths that the diff touches, and what is
remembered of the user, which belongs to no session.
"""

import secrets
from base64 import b64encode
from dataclasses import replace
from typing import Final, TypeVar

from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt as encrypt

from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionBundle
from selection.documents.envelopes import ALGORITHM, MOST_PLAIN_BYTES, NONCE_BYTES, VERSION
from selection.engine.classify import classify
from selection.engine.diffs import diff_paths
from selection.engine.values import Attachments, Content, Envelope, TurnInput, UserInput, Workspace
from selection.keyholder.keys import SessionKey

_Held = TypeVar("_Held", BundleMessage, BundleMemory)
_LISTS: Final = ("files", "instructions", "invoked_skills", "available_skills")


def seal_text(text: str, key: SessionKey) -> Envelope:
    """Seal a text under a fresh random nonce of 24 bytes: two texts never share one. Raises `ValueError` for more than 8 MiB."""
    data = text.encode()
    if len(data) > MOST_PLAIN_BYTES:
        raise ValueError(f"is larger than {MOST_PLAIN_BYTES:,} bytes, and a sealed row is opened in one piece")
    nonce = secrets.token_bytes(NONCE_BYTES)
    return Envelope(
        version=VERSION,
        algorithm=ALGORITHM,
        key_id=key.key_id,
        nonce=b64encode(nonce).decode(),
        ciphertext=b64encode(encrypt(data, None, nonce, key.data)).decode(),
    )


def seal_bundle(bundle: SessionBundle, key: SessionKey) -> SessionBundle:
    """Give a plain bundle with every content sealed. Raises `ValueError`, with the place, for one that is sealed already or holds too large a text."""
    if bundle.session.key_id is not None:
        raise ValueError("session.key_id: the session is sealed already")
    sealer = _Sealer(key)
    return replace(
        bundle,
        session=replace(bundle.session, key_id=key.key_id),
        messages=sealer.each("messages", bundle.messages),
        context_memory=sealer.each("context_memory", bundle.context_memory),
        turns=tuple(sealer.turn(turn, f"turns[{place}]") for place, turn in enumerate(bundle.turns)),
    )


class _Sealer:
    """Seals one bundle, and names the place of what cannot be."""

    def __init__(self, key: SessionKey) -> None:
        self._key = key

    def each(self, name: str, rows: tuple[_Held, ...]) -> tuple[_Held, ...]:
        return tuple(
            replace(row, content=self._seal(row.content, f"{name}[{place}].content")) for place, row in enumerate(rows)
        )

    def turn(self, turn: BundleTurn, spot: str) -> BundleTurn:
        return replace(
            turn,
            input=self._input(turn, spot),
            workspace=self._workspace(turn.workspace, f"{spot}.workspace"),
            attachments=self._attachments(turn.attachments, f"{spot}.attachments"),
        )

    def _input(self, turn: BundleTurn, spot: str) -> UserInput:
        """Seal the prompt; the intent that its words gave stays beside it."""
        known = classify(TurnInput(input=turn.input, workspace=turn.workspace, policy=turn.policy))
        intent = known.intent if turn.input.command is None else None
        return replace(turn.input, text=self._seal(turn.input.text, f"{spot}.input.text"), classified_intent=intent)

    def _workspace(self, workspace: Workspace, spot: str) -> Workspace:
        diff = workspace.git_diff
        if not isinstance(diff, str):
            return workspace
        sealed = self._seal(diff, f"{spot}.git_diff") if diff else None
        return replace(workspace, git_diff=sealed, diff_paths=diff_paths(diff))

    def _attachments(self, attachments: Attachments, spot: str) -> Attachments:
        """Seal what is attached. The hash of a file's content goes: beside the sealed content it would tell which text that is."""
        changed = {
            name: tuple(
                replace(item, content=self._seal(item.content, f"{spot}.{name}[{place}].content"))
                for place, item in enumerate(getattr(attachments, name))
            )
            for name in _LISTS
        }
        sealed = replace(attachments, **changed)
        return replace(sealed, files=tuple(replace(file, content_hash=None) for file in sealed.files))

    def _seal(self, content: Content, spot: str) -> Envelope:
        if not isinstance(content, str):
            raise ValueError(f"{spot}: is sealed already")  # noqa: TRY004 - a fault of the document, as the others
        try:
            return seal_text(content, self._key)
        except ValueError as error:
            raise ValueError(f"{spot}: {error}") from None
