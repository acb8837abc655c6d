"""A sealed session in a real browser: the key never leaves the tab, nothing that was opened stays anywhere, and both libraries agree."""

import json
import logging
import re
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt as decrypt
from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt as encrypt
from playwright.sync_api import BrowserContext, Page, Playwright, Request, expect

from selection.keyholder import SessionKey
from selection.models import SelectionRun, SessionMessageContent, SessionRunInput
from smista_site.discreet import DiscreetFormatter
from tests.browser.conftest import ARGUMENTS, Opens, World, assert_accessible, signed_in
from tests.browser.sealed import KEPT_KEY, MARKS, ROWS
from tests.leaks import found_at_rest, spellings_of_key, spellings_of_text
from tools.chromium import find_chromium

pytestmark = pytest.mark.browser
WRITTEN = b64encode(KEPT_KEY.data).decode()


@pytest.fixture
def logs() -> Iterator[StringIO]:
    """Hear every logger, as the server writes it, whatever its level is."""
    heard = StringIO()
    handler = logging.StreamHandler(heard)
    handler.setFormatter(DiscreetFormatter("%(name)s %(message)s"))
    loggers = [logging.getLogger(name) for name in ("", "django", "django.server", "django.request", "selection")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    yield heard
    for logger, level in zip(loggers, levels, strict=True):
        logger.removeHandler(handler)
        logger.setLevel(level)


@pytest.fixture
def profile(playwright: Playwright, world: World, tmp_path: Path) -> Iterator[tuple[BrowserContext, Path]]:
    """A fresh profile of the browser, kept in files that can be looked through."""
    folder = tmp_path / "profile"
    context = playwright.chromium.launch_persistent_context(
        folder, executable_path=find_chromium(), args=ARGUMENTS, base_url=world.url
    )
    context.set_default_timeout(10_000)
    context.add_cookies([{"name": "sessionid", "value": signed_in(world.owner), "url": world.url}])
    yield context, folder
    context.close()


def give_key(page: Page, text: str) -> None:
    page.get_by_label("Key, 32 bytes as base64 or hex").fill(text)
    page.get_by_role("button", name="Open the rows").click()


def sent(request: Request) -> str:
    return "\n".join([request.url, json.dumps(request.headers), (request.post_data_buffer or b"").decode("latin-1")])


STORED = """async () => JSON.stringify({
  local: {...localStorage}, session: {...sessionStorage}, cookie: document.cookie, history: history.state,
  databases: indexedDB.databases ? await indexedDB.databases() : [], caches: await caches.keys(), name: window.name,
  workers: (await navigator.serviceWorker.getRegistrations()).length,
})"""


def test_from_a_fresh_profile_nothing_that_was_opened_stays_anywhere(
    profile: tuple[BrowserContext, Path], world: World, logs: StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    context, folder = profile
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(sent(request)))
    page.goto(world.turn("kept 3"))
    expect(page.get_by_role("link", name=re.compile(r"would be opened: \d+ of \d+ sealed"))).to_be_visible()
    expect(page.locator(".ledger .silhouette", has_text="would be opened").first).to_be_visible()
    page.get_by_text("Which, and why").click()
    expect(page.locator("#sealed details li").first).to_contain_text(re.compile("Fits|Required"))

    page.wait_for_load_state("networkidle")
    before = len(requests)
    give_key(page, SessionKey.fresh().data.hex())
    expect(page.locator("#key-state")).to_contain_text("This is another key")
    give_key(page, "not a key at all")
    expect(page.locator("#key-state")).to_contain_text("not a session key")
    assert len(requests) == before

    give_key(page, WRITTEN)
    expect(page.locator("#sealed")).to_contain_text("opened by the key in this tab")
    expect(page.locator(".ledger .chip.ok", has_text="opened").first).to_be_visible()
    assert any(mark in page.content() for mark in MARKS)
    page.locator("#tab-prompt").click()
    expect(page.get_by_text("the exact text that selection was about")).to_be_visible()
    opened = [mark for mark in MARKS if mark in page.content()]
    assert len(opened) > 10
    page.get_by_role("button", name="Record this turn").click()
    expect(page.locator("#key-state")).to_have_text(re.compile("Recorded: 22 references."))
    run = SelectionRun.objects.filter(session__title="Kept").latest("created_at")
    assert run.opened

    key = spellings_of_key(KEPT_KEY.data)
    texts = {way for mark in opened for way in spellings_of_text(mark)}
    assert [each[:40] for each in requests if any(way in each for way in key)] == []
    stored = page.evaluate(STORED) + json.dumps(context.storage_state())
    assert page.request.get(f"{world.turn('kept 3')}nowhere/").status == 404
    at_rest = {"storage": stored, "log": logs.getvalue(), "output": "".join(capfd.readouterr())}
    assert [name for name, text in at_rest.items() if any(way in text for way in key | texts)] == []
    assert found_at_rest(key | texts) == []
    assert "/turns/" in logs.getvalue()
    context.close()
    assert found_in_files(folder, key | texts) == []


def found_in_files(folder: Path, spellings: set[str]) -> list[str]:
    """Look through all that a browser wrote, as bytes of UTF-8 and of UTF-16."""
    wanted = [way.encode(code) for way in spellings if len(way) > 7 for code in ("utf-8", "utf-16-le")]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 10
    return [path.name for path in files if any(way in path.read_bytes() for way in wanted)]


def test_the_key_opens_turn_after_turn_until_it_is_forgotten(page: Page, world: World, tmp_path: Path) -> None:
    page.goto(world.turn("kept 3"))
    file = tmp_path / "one.key"
    file.write_text(f"{KEPT_KEY.data.hex()}\n")
    page.get_by_label("… or a key file").set_input_files(file)
    expect(page.locator("#sealed")).to_contain_text("opened by the key in this tab")
    expect(page.get_by_role("button", name="Forget the key")).to_be_focused()
    assert_accessible(page)
    page.locator(".ledger tr", has_text="AGENTS.md").locator(".name").click()
    expect(page.locator("#why")).to_contain_text("Opened by the key in this tab")
    page.get_by_role("link", name="Show the content").click()
    expect(page.locator("#content")).to_contain_text("Keep functions small")
    page.get_by_label("Window, tokens").fill("4200")
    expect(page.get_by_label("What-if", exact=True)).to_be_visible()
    expect(page.locator("#sealed")).to_contain_text("opened by the key in this tab")
    expect(page.get_by_label("Window, tokens")).to_be_focused()
    page.get_by_role("link", name=re.compile("^Turn 4 ")).click()
    expect(page).to_have_title(re.compile("^Turn 4"))
    expect(page.locator("#sealed")).to_contain_text("opened by the key in this tab")
    page.locator("#tab-prompt").click()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download").click()
    assert "zażółć" in Path(waiting.value.path()).read_text()
    page.get_by_role("button", name="Forget the key").click()
    expect(page.get_by_text(re.compile(r"would be opened: \d+ of"))).to_be_visible()
    assert "zażółć" not in page.content()
    page.reload()
    expect(page.get_by_label("Key, 32 bytes as base64 or hex")).to_be_visible()
    assert_accessible(page)


def test_a_recorded_turn_is_proved_with_the_key_alone(page: Page, world: World) -> None:
    page.goto(world.turn("kept 2"))
    give_key(page, WRITTEN)
    expect(page.locator("#sealed")).to_contain_text("opened by the key in this tab")
    page.get_by_role("button", name="Record this turn").click()
    expect(page.locator("#key-state")).to_contain_text("Recorded:")
    page.get_by_role("link", name="reproduce").first.click()
    expect(page.get_by_text("Recomputed: identical, row for row.")).to_be_visible()
    page.get_by_role("button", name="Forget the key").click()
    page.get_by_role("link", name="reproduce").first.click()
    expect(page.get_by_text("the key is with the client")).to_be_visible()


def test_rows_that_were_changed_are_named_and_nothing_is_sent(page: Page, world: World) -> None:
    turn = SessionRunInput.objects.get(pk=world.turn("kept 12").strip("/").split("/")[-1])
    said = SessionMessageContent.objects.filter(message__session_id=turn.session_id, message__path=None)
    contents = said.order_by("message__position")
    [first, second] = contents.reverse()[3:5]
    kept = first.envelope, second.envelope
    first.envelope = changed(kept[0], "ciphertext")
    second.envelope = changed(kept[1], "nonce")
    contents.bulk_update([first, second], ["envelope"])
    page.goto(f"{world.turn('kept 12')}?window=900000")
    posted: list[str] = []
    page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    give_key(page, WRITTEN)
    expect(page.locator("#key-state")).to_contain_text("2 of the rows did not open. Nothing was sent.")
    expect(page.locator("#key-faults li")).to_have_count(2)
    expect(page.locator("#key-faults li").first).to_contain_text(re.compile(r"message \d+ of \d+: .* was changed"))
    assert [url.split("?")[0].rsplit("/", 2)[-2] for url in posted] == ["pause"]
    assert_accessible(page)
    first.envelope, second.envelope = kept
    contents.bulk_update([first, second], ["envelope"])


def changed(envelope: object, name: str) -> dict[str, str]:
    assert isinstance(envelope, dict)
    data = bytearray(b64decode(envelope[name]))
    data[-1] ^= 1
    return {**envelope, name: b64encode(data).decode()}


WATCH = """() => {
  window.seen = []; window.beats = 0;
  new MutationObserver(() => { const bar = document.getElementById("key-progress"); if (!bar.hidden) window.seen.push([bar.value, bar.max]); })
    .observe(document.getElementById("key-progress"), { attributes: true });
  const beat = () => { window.beats += 1; setTimeout(beat); };
  beat();
}"""


def test_opening_many_rows_shows_how_far_it_is_and_leaves_the_page_alive(page: Page, world: World) -> None:
    page.goto(world.turn("rows 1"))
    page.evaluate(WATCH)
    give_key(page, WRITTEN)
    expect(page.locator("#sealed")).to_contain_text(f"{ROWS} of {ROWS} sealed rows and the prompt opened")
    seen = [tuple(each) for each in page.evaluate("window.seen")]
    assert {most for _, most in seen} == {ROWS + 1}
    assert len({value for value, _ in seen}) > 2, "the bar moved once: the rows were opened in one go"
    assert page.evaluate("window.beats") > len({value for value, _ in seen})


def test_without_script_the_page_says_how_to_open_a_turn(world: World, open_browser: Opens) -> None:
    page = open_browser(world.owner, java_script_enabled=False)
    page.goto(world.turn("kept 3"))
    told = page.locator("#key noscript .note")
    expect(told).to_be_visible()
    expect(told).to_contain_text(f"manage.py open_turn {world.turn('kept 3').split('/')[2]} --key FILE")
    expect(page.get_by_label("Key, 32 bytes as base64 or hex")).to_be_hidden()
    expect(page.get_by_role("link", name=re.compile("would be opened"))).to_be_visible()


def test_to_a_stranger_the_sealed_turn_does_not_exist(world: World, open_browser: Opens) -> None:
    stranger = open_browser(world.stranger)
    assert isinstance(world.stranger, User)
    assert stranger.request.get(world.turn("kept 3")).status == 404


NUMBER, MEGABYTE = 1_000, 1_000_000
IN_THE_BROWSER = """async ([key, rows]) => {
  const { xchacha20poly1305 } = await import("/static/vendor/noble-ciphers/chacha.js");
  const { fromBase64 } = await import("/static/selection/sealed/key.js");
  const { openEnvelope } = await import("/static/selection/sealed/envelope.js");
  const bytes = fromBase64(key);
  const written = (data) => {
    let text = "";
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    return btoa(text);
  };
  return rows.map((row) => {
    const { text, why } = openEnvelope(row, row.key_id, bytes);
    const nonce = crypto.getRandomValues(new Uint8Array(24));
    return { text, why, nonce: written(nonce), ciphertext: written(xchacha20poly1305(bytes, nonce).encrypt(new TextEncoder().encode(text ?? ""))) };
  });
}"""


def random_texts() -> Iterator[str]:
    yield ""
    yield "\ufeffa mark at the start stays"
    yield "é漢😀" * (MEGABYTE // 9)
    alphabet = 'abc \n\t"\\</script>é漢😀\u2028\u202e\x00'
    for _ in range(NUMBER - 3):
        yield "".join(secrets.choice(alphabet) for _ in range(secrets.randbelow(400)))


def test_the_browser_and_libsodium_open_each_others_rows(page: Page, world: World) -> None:
    page.goto(world.turn("kept 3"))
    texts = list(random_texts())
    assert len(texts) == NUMBER
    rows = [
        {"version": 1, "algorithm": "xchacha20poly1305", "key_id": KEPT_KEY.key_id, **sealed(text)} for text in texts
    ]
    back = page.evaluate(IN_THE_BROWSER, [WRITTEN, rows])
    assert [each.get("why") for each in back if each.get("why")] == []
    assert [each["text"] for each in back] == texts
    for text, each in zip(texts, back, strict=True):
        assert decrypt(b64decode(each["ciphertext"]), None, b64decode(each["nonce"]), KEPT_KEY.data).decode() == text


def sealed(text: str) -> dict[str, str]:
    nonce = secrets.token_bytes(24)
    ciphertext = encrypt(text.encode(), None, nonce, KEPT_KEY.data)
    return {"nonce": b64encode(nonce).decode(), "ciphertext": b64encode(ciphertext).decode()}


REFUSED = """async ([key, rows]) => {
  const { fromBase64, readKey, keyIdOf } = await import("/static/selection/sealed/key.js");
  const { openEnvelope } = await import("/static/selection/sealed/envelope.js");
  const bytes = fromBase64(key);
  return { whys: rows.map((row) => openEnvelope(row, "KEY", bytes).why ?? "opened"), id: await keyIdOf(bytes),
    keys: ["", "x", "AAAA", "z".repeat(64), key + "=", key.slice(1)].map((text) => readKey(text) === null) };
}"""


def test_the_browser_refuses_whatever_is_not_as_it_was_sealed(page: Page, world: World) -> None:
    page.goto(world.turn("kept 3"))
    good = {"version": 1, "algorithm": "xchacha20poly1305", "key_id": "KEY", **sealed("only the holder")}
    flips = [
        {
            **good,
            name: b64encode(bytes(byte ^ (1 << bit % 8) * (at == bit // 8) for at, byte in enumerate(data))).decode(),
        }
        for name in ("nonce", "ciphertext")
        for data in [b64decode(str(good[name]))]
        for bit in range(len(data) * 8)
    ]
    others = [
        {**good, "version": 2}, {**good, "version": "1"}, {**good, "algorithm": "aes"}, {**good, "key_id": "kf_0"},
        {**good, "nonce": "!!!!"}, {**good, "nonce": "AAAA"}, {**good, "ciphertext": "%"}, {**good, "ciphertext": "AAAA"},
        {**good, "ciphertext": str(good["ciphertext"])[:-4]}, {**good, "ciphertext": str(good["ciphertext"]) + "AAAA"},
    ]  # fmt: skip
    told = page.evaluate(REFUSED, [WRITTEN, [good, *flips, *others]])
    assert told["whys"][0] == "opened"
    assert "opened" not in told["whys"][1:]
    assert len(told["whys"]) == len(flips) + len(others) + 1 > 400
    assert told["id"] == KEPT_KEY.key_id
    assert all(told["keys"])
