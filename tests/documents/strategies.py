"""Values of every kind that a document can hold, read off the dataclasses, so that a new field is drawn without a word here."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from datetime import UTC
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from selection.documents.bundle import BundleTurn, SessionBundle
from selection.documents.limits import CHECKS, LEAST, MOST_NUMBER, Spot, check_price, check_time
from selection.engine.values import Content, Envelope, Policy, TurnInput

KEY: Final = "kf_1"
Strategy = st.SearchStrategy[Any]

_TEXT: Final = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
_TIMES: Final = st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.isoformat())
_PRICES: Final = st.decimals(0, 10**6, places=2).map(lambda price: f"{price:f}")
_WRITTEN: Final[Mapping[Callable[[str], str], Strategy]] = {check_time: _TIMES, check_price: _PRICES}
_ENVELOPES: Final = st.builds(
    Envelope,
    version=st.just(1),
    algorithm=st.just("xchacha20poly1305"),
    key_id=st.just(KEY),
    nonce=st.sampled_from(["A" * 32, "-_" * 16, "+/" * 16]),
    ciphertext=st.sampled_from(["A" * 22, "A" * 22 + "==", "_" * 40]),
)


def values_of(kind: Any, *, sealed: bool | None = None) -> Strategy:
    """Draw values of `kind`; all content sealed, none, or (None) as it comes."""
    contents = {True: _ENVELOPES, False: _TEXT, None: _TEXT | _ENVELOPES}[sealed]
    return _drawn(kind, contents)


def _drawn(kind: Any, contents: Strategy, spot: Spot | None = None) -> Strategy:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        kinds = tuple(argument for argument in arguments if argument is not NoneType)
        inner = contents if set(kinds) == set(get_args(Content)) else _drawn(kinds[0], contents, spot)
        return st.none() | inner if NoneType in arguments else inner
    if origin is tuple:
        return st.lists(_drawn(arguments[0], contents), max_size=2).map(tuple)
    if origin is Mapping:
        return st.dictionaries(_drawn(arguments[0], contents), _drawn(arguments[1], contents), max_size=2)
    return _plain(kind, contents, spot)


def _plain(kind: Any, contents: Strategy, spot: Spot | None) -> Strategy:
    if kind is str:
        check = CHECKS.get(spot) if spot else None
        return _WRITTEN[check] if check else _TEXT
    if kind is bool:
        return st.booleans()
    if kind is int:
        return st.integers(LEAST.get(spot, -MOST_NUMBER) if spot else -MOST_NUMBER, MOST_NUMBER)
    if issubclass(kind, Enum):
        return st.sampled_from(kind)
    hints = get_type_hints(kind)
    return st.builds(
        kind, **{field.name: _drawn(hints[field.name], contents, (kind.__name__, field.name)) for field in fields(kind)}
    )


TURNS: Final = values_of(TurnInput)
POLICIES: Final = values_of(Policy)


@st.composite
def bundles(draw: st.DrawFn) -> SessionBundle:
    """Draw bundles that keep the rules across their parts."""
    sealed = draw(st.booleans())
    drawn: SessionBundle = draw(values_of(SessionBundle, sealed=sealed))
    messages = _named(drawn.messages)
    return replace(
        drawn,
        format="smista.session/1",
        session=replace(drawn.session, key_id=KEY if sealed else None),
        messages=messages,
        user_memory=tuple(replace(memory, content="plain") for memory in _named(drawn.user_memory, key=True)),
        context_memory=_named(drawn.context_memory, key=True),
        models=tuple(replace(model, model=f"m{place}") for place, model in enumerate(drawn.models)),
        turns=tuple(_placed(draw, turn, messages) for turn in drawn.turns),
    )


def _named(items: tuple[Any, ...], *, key: bool = False) -> tuple[Any, ...]:
    """Give each item that has an id, or a key, one of its own."""
    named = [item if item.id is None else replace(item, id=f"i{place}") for place, item in enumerate(items)]
    if key:
        named = [item if item.key is None else replace(item, key=f"k{place}") for place, item in enumerate(named)]
    return tuple(named)


def _placed(draw: st.DrawFn, turn: BundleTurn, messages: tuple[Any, ...]) -> BundleTurn:
    known = [message.id for message in messages if message.id is not None]
    return replace(turn, after_message=draw(st.sampled_from([None, *known])))
