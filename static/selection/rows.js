// Rows of the ledger: a click fetches the why panel alone, and keys walk the rows. Without this script every row is a plain link.
const rows = () => [...document.querySelectorAll(".ledger a.name")];

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-row]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  open(link);
}, true);

function open(link) {
  const why = document.getElementById("why");
  const url = new URL(link.href);
  url.searchParams.delete("row");
  why.setAttribute("aria-busy", "true");
  htmx.ajax("GET", `${url.pathname}candidates/${link.dataset.row}/why/${url.search}`, { target: why, swap: "innerHTML" }).then(() => {
    why.removeAttribute("aria-busy");
    select(link.dataset.row);
    if (url.hash) document.querySelector(url.hash)?.scrollIntoView({ block: "nearest" });
    if (!link.isConnected || !link.closest(".ledger")) document.getElementById("why-heading")?.focus({ preventScroll: false });
    say(document.getElementById("why-heading")?.parentElement?.textContent.replace(/\s+/g, " ").trim() ?? "");
  });
}

function select(position) {
  for (const row of document.querySelectorAll("tr.sel")) if (row.closest(".ledger")) row.classList.remove("sel");
  for (const name of document.querySelectorAll("a.name[aria-current]")) name.removeAttribute("aria-current");
  document.getElementById(`row-${position}`)?.classList.add("sel");
  document.getElementById(`open-${position}`)?.setAttribute("aria-current", "true");
}

export function say(text) {
  const said = document.getElementById("said");
  if (said) said.textContent = text;
}

// What is open beside the ledger stays open when a knob, a filter or a tab answers.
document.addEventListener("htmx:configRequest", (event) => {
  const row = new URLSearchParams(location.search).get("row");
  if (event.detail.target?.id !== "answer" || row === null || event.target.closest?.("[data-row], #flips")) return;
  const asked = new URL(event.detail.path, location.href);
  if (asked.searchParams.has("row") || "row" in event.detail.parameters) {
    if ("row" in event.detail.parameters) event.detail.parameters.row = row;
    return;
  }
  event.detail.parameters.row = row;
});

function walk(step) {
  const all = rows();
  const here = all.indexOf(document.activeElement);
  const current = here >= 0 ? here : all.findIndex((row) => row.hasAttribute("aria-current"));
  const next = all[Math.min(all.length - 1, Math.max(0, current + (here >= 0 || current < 0 ? step : 0)))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const KEYS = {
  j: () => walk(1),
  ArrowDown: () => walk(1),
  k: () => walk(-1),
  ArrowUp: () => walk(-1),
  "/": () => document.getElementById("find")?.focus(),
  "?": () => document.getElementById("keys")?.showModal(),
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable], dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrows = event.key.startsWith("Arrow");
  if (arrows && !event.target.closest?.(".ledger a.name")) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
