"""A sealed session selects as its plain one does, and nothing of its content is left in clear."""

import io
import json

import pytest

from selection.demo import story
from selection.documents.bundle import BundleTurn, SessionBundle, SessionInfo
from selection.documents.bundles import read_bundle, write_bundle
from selection.documents.envelopes import MOST_PLAIN_BYTES
from selection.engine import resume, sealed_records, select
from selection.engine.values import AttachedFile, Attachments, Envelope, Memory, Message, Recalled, TurnInput, UserInput
from selection.keyholder import SessionKey, open_records, seal_bundle

KEY = SessionKey.fresh()


def turn_of(bundle: SessionBundle, turn: BundleTurn) -> TurnInput:
    ids = [message.id for message in bundle.messages]
    count = ids.index(turn.after_message) + 1 if turn.after_message else 0
    return TurnInput(
        input=turn.input,
        workspace=turn.workspace,
        attachments=turn.attachments,
        recalled=Recalled(
            messages=tuple(
                Message(id=each.id or "", role=each.role, content=each.content, path=each.path)
                for each in bundle.messages[:count]
            ),
            user_memory=tuple(Memory(id=each.id or "", content=each.content) for each in bundle.user_memory),
            context_memory=tuple(Memory(id=each.id or "", content=each.content) for each in bundle.context_memory),
        ),
        policy=turn.policy,
        local_preferences=turn.local_preferences,
        models=bundle.models,
        credentials=turn.credentials,
    )


@pytest.mark.parametrize("number", range(len(story().turns)))
def test_a_sealed_turn_is_decided_as_the_plain_one(number: int) -> None:
    bundle = story()
    sealed = seal_bundle(bundle, KEY)
    plain, paused = (select(turn_of(each, each.turns[number])) for each in (bundle, sealed))
    assert (paused.classification.intent, paused.error, paused.model) == (
        plain.classification.intent,
        plain.error,
        plain.model,
    )
    if plain.candidates is None or plain.model is None:
        return
    # Sealed content equals nothing: what merges in plain by its text is asked for, and merges once it is opened.
    assert set(paused.included) <= {*plain.included, *plain.candidates.duplicates}
    resumed = resume(paused, open_records(sealed_records(paused), KEY.key_id, KEY))
    assert set(resumed.included) <= set(plain.included)
    assert resumed.text == bundle.turns[number].input.text
    assert resumed.turn is paused.turn


def test_nothing_of_the_content_is_left_in_clear() -> None:
    plain = story()
    out = io.BytesIO()
    write_bundle(seal_bundle(plain, KEY), out)
    written = out.getvalue().decode()
    texts: list[object] = [each.content for each in plain.messages]
    texts += [each.content for each in plain.context_memory]
    for turn in plain.turns:
        held = turn.attachments
        texts += [turn.input.text, turn.workspace.git_diff or "", *(file.content for file in held.files)]
        texts += [each.content for each in (*held.invoked_skills, *held.available_skills)]
        texts += [each.content for each in held.instructions]
    told = [str(text) for text in texts if len(str(text)) > 8]
    assert len(told) > 50
    assert not [text for text in told if json.dumps(text, ensure_ascii=False)[1:-1] in written]
    assert KEY.data.hex() not in written


def test_what_is_remembered_of_the_user_stays_plain() -> None:
    plain = story()
    assert seal_bundle(plain, KEY).user_memory == plain.user_memory


def test_a_sealed_bundle_reads_back_and_every_nonce_is_its_own() -> None:
    out = io.BytesIO()
    sealed = seal_bundle(story(), KEY)
    write_bundle(sealed, out)
    assert read_bundle(out.getvalue()) == sealed
    nonces = [each.content.nonce for each in sealed.messages if isinstance(each.content, Envelope)]
    assert len(set(nonces)) == len(nonces) > 10


def test_the_hash_of_a_sealed_file_goes() -> None:
    file = AttachedFile(path="a.py", content="x = 1", content_hash="sha256:0123")
    turn = BundleTurn(input=UserInput(text="go"), attachments=Attachments(files=(file,)))
    sealed = seal_bundle(SessionBundle(turns=(turn,)), KEY)
    assert sealed.turns[0].attachments.files[0].content_hash is None


def test_what_is_sealed_is_not_sealed_again() -> None:
    with pytest.raises(ValueError, match="sealed already"):
        seal_bundle(seal_bundle(story(), KEY), KEY)


def test_a_text_too_large_for_a_row_is_refused_with_its_place() -> None:
    turn = BundleTurn(input=UserInput(text="é" * (MOST_PLAIN_BYTES // 2 + 1)))
    with pytest.raises(ValueError, match=r"turns\[0\]\.input\.text: is larger than"):
        seal_bundle(SessionBundle(session=SessionInfo(title="large"), turns=(turn,)), KEY)
