// Copy the address of a state, or a file: buttons that do nothing without script stay hidden without it.
import { say } from "./rows.js";

function show(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll?.("[data-copy], [data-copy-address]") ?? []) button.hidden = false;
}

show(document);
document.addEventListener("htmx:load", (event) => show(event.target));

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy], [data-copy-address]");
  if (!button) return;
  try {
    const text = button.dataset.copy ? await (await fetch(button.dataset.copy)).text() : location.href;
    await navigator.clipboard.writeText(text);
    say("Copied.");
    button.textContent = "copied";
  } catch {
    say("Could not copy.");
    button.textContent = "could not copy";
  }
});
