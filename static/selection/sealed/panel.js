// The key's panel beside a sealed turn: take a key, open the rows that were selected, show the turn with them, and forget.
import { say } from "../rows.js";
import "./prompt.js";
import { answerFor, forgetAnswer, forgetKey, holdKey, isHeld, openRows, refusalOf, send, token } from "./pause.js";

const MOST_FAULTS = 20;
const panel = () => document.getElementById("key");
const part = (name) => document.getElementById(`key-${name}`);
const turn = () => panel().dataset.turn;
const keyId = () => panel().dataset.keyId;

function tell(text, { faults = [], bad = faults.length > 0 } = {}) {
  part("state").textContent = text;
  part("state").classList.toggle("error", bad);
  part("faults").replaceChildren(...faults.slice(0, MOST_FAULTS).map(({ label, why }) => {
    const item = document.createElement("li");
    item.textContent = `${label}: ${why}`;
    return item;
  }));
  if (faults.length > MOST_FAULTS) part("faults").append(`… ${faults.length} in all`);
}

function show() {
  if (!panel()) return;
  part("form").hidden = isHeld();
  part("held").hidden = !isHeld();
}

function progress(done, of) {
  const bar = part("progress");
  bar.hidden = false;
  bar.max = of;
  bar.value = done;
  part("state").textContent = `Opening ${done} of ${of} rows…`;
}

let opening = null; // one at a time: a later address waits for the earlier one, and asks again

async function open(url = location.href) {
  while (opening) await opening;
  opening = attempt(url);
  try {
    return await opening;
  } finally {
    opening = null;
  }
}

async function attempt(url) {
  if (answerFor(turn(), url)) return true;
  const { faults, refused, count, gone } = await openRows(turn(), url, keyId(), progress);
  part("progress").hidden = true;
  if (gone) return false;
  if (refused) tell(`Nothing was opened: ${refused.message}.`, { bad: true });
  else if (faults.length) tell(`${faults.length} of the rows did not open. Nothing was sent.`, { faults });
  else tell(`Opened ${count} rows in this tab.`);
  return !refused && !faults.length;
}

// Show the turn with its rows opened, where it waits for them.
async function showOpened() {
  const waits = document.querySelector("#sealed[data-waits]");
  if (!isHeld() || !waits || waits.dataset.tried) return;
  waits.dataset.tried = "yes";
  const url = location.href;
  if (!(await open(url)) || url !== location.href) return;
  await htmx.ajax("POST", url, { source: "#key", target: "#answer", values: { answer: answerFor(turn(), url) }, headers: { "X-CSRFToken": token() } });
}

async function take(text) {
  const why = await holdKey(text, keyId());
  if (why) {
    tell(why, { bad: true });
    return;
  }
  show();
  tell("The key is held in this tab.");
  part("forget").focus();
  await showOpened();
}

async function record(form) {
  if (!(await open(turn()))) return;
  const response = await send(form.action, { key: form.elements.key.value, answer: answerFor(turn(), turn()) });
  if (!response.ok) {
    tell(`Nothing was recorded: ${(await refusalOf(response)).message}.`, { bad: true });
    return;
  }
  const { said } = await response.json();
  await htmx.ajax("GET", `${turn()}?tab=recorded`, { source: "#key", target: "#answer" });
  tell(said);
  say(said);
}

document.addEventListener("submit", (event) => {
  if (event.target.id === "key-form") {
    event.preventDefault();
    const text = part("text").value;
    part("text").value = "";
    take(text);
  } else if (isHeld() && event.target.matches("form[data-record]")) {
    event.preventDefault();
    record(event.target);
  }
});

document.addEventListener("change", async (event) => {
  if (event.target.id !== "key-file" || !event.target.files[0]) return;
  const text = await event.target.files[0].slice(0, 4096).text();
  event.target.value = "";
  take(text);
});

document.addEventListener("click", (event) => {
  if (event.target.id !== "key-forget") return;
  forgetKey();
  show();
  tell("The key is forgotten.");
  part("text").focus();
  htmx.ajax("GET", location.href, { source: "#key", target: "#answer" });
});

// What is asked of an opened turn carries what was opened, in the body of a request.
document.addEventListener("htmx:configRequest", (event) => {
  const { detail } = event;
  if (!panel() || !isHeld() || detail.target?.id === "flips" || detail.formData.has("answer")) return;
  const asked = new URL(detail.path, location.href);
  if (asked.pathname.endsWith("/reproduce/")) {
    carry(detail, asked.pathname, answerFor(turn(), turn()));
    return;
  }
  if (!asked.pathname.startsWith(turn()) || asked.pathname.endsWith("/flips/") || asked.pathname.endsWith("/policy/")) return;
  if (detail.verb === "get") {
    for (const [name, value] of detail.formData) asked.searchParams.append(name, value);
  }
  carry(detail, asked.pathname + asked.search, answerFor(turn(), asked));
});

// Make a request bring an answer along: one that reads becomes one that posts, its address the same.
function carry(detail, path, answer) {
  if (!answer) return;
  if (detail.verb === "get") {
    detail.verb = "post";
    detail.useUrlParams = false;
    detail.headers["Content-Type"] = "application/x-www-form-urlencoded";
    detail.path = path;
    for (const name of [...detail.formData.keys()]) detail.formData.delete(name);
  }
  detail.formData.set("answer", answer);
  detail.headers["X-CSRFToken"] = token();
}

// An answer that was refused is not kept: the turn shows as it is without it.
document.addEventListener("htmx:responseError", (event) => {
  const { xhr, pathInfo } = event.detail;
  if (!panel() || !isHeld() || ![400, 409].includes(xhr.status)) return;
  forgetAnswer(turn(), pathInfo.requestPath);
  let told = "the server refused what was opened";
  try {
    told = JSON.parse(xhr.responseText).error.message;
  } catch { /* a proxy's own page */ }
  tell(`Not taken: ${told}.`, { bad: true });
});

document.addEventListener("htmx:load", () => {
  show();
  showOpened();
});
window.addEventListener("pagehide", forgetKey);
show();
