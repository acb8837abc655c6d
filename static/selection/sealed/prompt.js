// Copy or save the prompt of an opened turn: the server builds it from what this tab sends along, and keeps nothing.
import { say } from "../rows.js";
import { answerFor, send } from "./pause.js";

const turn = () => document.getElementById("key")?.dataset.turn;

async function fetchPrompt(url, answer) {
  const response = await send(url, { answer });
  if (!response.ok) throw new Error(String(response.status));
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  return { blob: await response.blob(), name: name ?? "prompt.json" };
}

function save({ blob, name }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function act(event, url, done) {
  const answer = url && turn() && url.startsWith(turn()) && answerFor(turn(), url);
  if (!answer) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  try {
    say(await done(await fetchPrompt(url, answer)));
  } catch {
    say("Could not.");
  }
}

const pathOf = (url) => {
  const asked = new URL(url, location.href);
  return asked.pathname + asked.search;
};

document.addEventListener("click", (event) => {
  const copy = event.target.closest?.("[data-copy]");
  const link = event.target.closest?.("a[download]");
  if (copy) {
    act(event, pathOf(copy.dataset.copy), async ({ blob }) => {
      await navigator.clipboard.writeText(await blob.text());
      copy.textContent = "copied";
      return "Copied.";
    });
  } else if (link?.href.startsWith(location.origin)) {
    act(event, pathOf(link.href), (file) => { save(file); return "Saved."; });
  }
}, true);

document.addEventListener("submit", (event) => {
  if (/\/prompt\/$/.test(new URL(event.target.action, location.href).pathname)) {
    act(event, pathOf(event.target.action), (file) => { save(file); return "Saved."; });
  }
}, true);
