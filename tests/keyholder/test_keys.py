"""Session keys: how they are written, what they are called, and who may read their file."""

import re
from base64 import b64encode, urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from selection.keyholder import InvalidKey, SessionKey, key_id_of, parse_key, read_key_file, write_key_file

DATA = bytes(range(223, 255))


@pytest.mark.parametrize(
    "text",
    [
        DATA.hex(),
        DATA.hex().upper(),
        b64encode(DATA).decode(),
        b64encode(DATA).decode().rstrip("="),
        urlsafe_b64encode(DATA).decode(),
        f"  {DATA.hex()}\n",
    ],
    ids=["hex", "upper hex", "base64", "unpadded", "url-safe", "space around"],
)
def test_a_key_is_read_however_it_is_spelled(text: str) -> None:
    assert parse_key(text) == SessionKey(DATA)


@pytest.mark.parametrize(
    "text",
    ["", "x", DATA.hex()[:-2], DATA.hex() + "00", b64encode(DATA[:-1]).decode(), b64encode(DATA).decode() + "=", "ключ" * 8, "z" * 64],
    ids=["nothing", "short", "31 bytes", "33 bytes", "31 bytes in base64", "padded too far", "not ascii", "not hex"],
)  # fmt: skip
def test_what_is_no_key_is_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(InvalidKey) as refused:
        parse_key(text)
    assert text == "" or text[:12] not in str(refused.value)[:12]


def test_the_key_id_is_a_fingerprint_under_its_own_prefix() -> None:
    assert key_id_of(DATA) == f"kf_{sha256(b'smista.session-key/1' + bytes(1) + DATA).hexdigest()[:16]}"
    assert re.fullmatch(r"kf_[0-9a-f]{16}", SessionKey.fresh().key_id)


def test_a_key_does_not_show_itself() -> None:
    assert DATA.hex() not in repr(SessionKey(DATA))
    assert repr(DATA) not in repr(SessionKey(DATA))


def test_a_key_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "one.key"
    write_key_file(path, SessionKey(DATA))
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert read_key_file(path) == SessionKey(DATA)


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "one.key"
    write_key_file(path, SessionKey(DATA))
    with pytest.raises(InvalidKey, match="never overwritten"):
        write_key_file(path, SessionKey.fresh())
    assert read_key_file(path) == SessionKey(DATA)


def test_a_folder_that_is_open_to_others_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    with pytest.raises(InvalidKey, match="open to others"):
        write_key_file(folder / "one.key", SessionKey(DATA))
    assert list(folder.iterdir()) == []


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "one.key"
    write_key_file(path, SessionKey(DATA))
    path.chmod(0o644)
    with pytest.raises(InvalidKey, match="can be read by others"):
        read_key_file(path)


def test_a_file_without_a_key_names_its_place_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("hunter2 hunter2 hunter2 hunter2")
    path.chmod(0o600)
    with pytest.raises(InvalidKey) as refused:
        read_key_file(path)
    assert "hunter2" not in str(refused.value)
    assert str(path) in str(refused.value)
