// Show the line that the address points at: the editor scrolls to it and selects it. Its text also stands above, for those without script.
function point(root) {
  const editor = root.querySelector?.("#policy-text[data-line]");
  if (!editor || editor.dataset.shown) return;
  editor.dataset.shown = "yes";
  const lines = editor.value.split("\n");
  const line = Number(editor.dataset.line) - 1;
  const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
  editor.setSelectionRange(start, start + (lines[line] ?? "").length);
  editor.scrollTop = (editor.scrollHeight / lines.length) * Math.max(0, line - 4);
}

point(document);
document.addEventListener("htmx:load", (event) => point(event.target));
