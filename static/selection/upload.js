// Show how much of a file has been sent; once all is sent, the bar runs on without a figure until the server answers.
document.addEventListener("htmx:xhr:progress", (event) => {
  const bar = event.target.closest?.("[data-upload]")?.querySelector("progress");
  if (!bar || !event.detail.lengthComputable) return;
  if (event.detail.loaded < event.detail.total) bar.value = (event.detail.loaded / event.detail.total) * 100;
  else bar.removeAttribute("value");
});
