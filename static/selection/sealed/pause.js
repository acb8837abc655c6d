// Ask which rows of a turn are to be opened, open them, and keep the answer for as long as the key is held.
import { namesAnother, readKey } from "./key.js";
import { openRecords } from "./envelope.js";

// Parts of an address that choose what is shown; the others change what is selected.
const SHOWN = ["tab", "state", "mark", "kind", "search", "ask", "base", "place", "page", "row"];

let held = null; // { key, keyId }
const answers = new Map(); // what was opened, by turn and by what changes its selection; the oldest go first
const MOST_ANSWERS = 8;

export const isHeld = () => held !== null;

// The part of an address that what is asked for depends on.
function selecting(url) {
  const asked = new URL(url, location.href);
  for (const name of SHOWN) asked.searchParams.delete(name);
  return asked.search;
}

// Keep the key that a text holds, if it is the session's. Gives why not, or nothing.
export async function holdKey(text, keyId) {
  const key = readKey(text);
  if (!key) return "This is not a session key: 32 bytes as base64 or hex.";
  if (await namesAnother(keyId, key)) return `This is another key: the session is sealed with ${keyId}. Nothing was asked for or sent.`;
  held = { key, keyId };
  return "";
}

export function forgetKey() {
  held?.key.fill(0);
  held = null;
  answers.clear();
}

const slot = (turn, url) => `${turn}${selecting(url)}`;

// What was opened for an address, as the server takes it; undefined where nothing was.
export const answerFor = (turn, url) => answers.get(slot(turn, url));

export const forgetAnswer = (turn, url) => answers.delete(slot(turn, url));

export function token() {
  return document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";
}

// Send a request with what was opened in its body, never in its address.
export function send(url, fields = {}, headers = {}) {
  return fetch(url, { method: "POST", headers: { "X-CSRFToken": token(), ...headers }, body: new URLSearchParams(fields), cache: "no-store" });
}

export async function refusalOf(response) {
  try {
    return (await response.json()).error;
  } catch {
    return { message: `the server refused (${response.status})`, details: [] };
  }
}

// Open the rows that the turn at `url` waits for. Gives the rows that do not open, or what the server refused; nothing was sent then.
export async function openRows(turn, url, keyId, told) {
  const response = await send(`${turn}pause/${selecting(url)}`);
  if (!response.ok) return { refused: await refusalOf(response), faults: [] };
  const asked = await response.json();
  if (!held) return { faults: [], gone: true };
  if (asked.key_id !== keyId) return { refused: { message: "the rows are sealed with another key than the session's" }, faults: [] };
  const { opened, faults } = await openRecords(asked.records, keyId, held.key, (done) => told(done, asked.records.length));
  if (!held) return { faults: [], gone: true };
  if (answers.size >= MOST_ANSWERS) answers.delete(answers.keys().next().value);
  if (!faults.length) answers.set(slot(turn, url), JSON.stringify({ asked: asked.asked, records: opened }));
  return { faults, count: asked.records.length };
}
