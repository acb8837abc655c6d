// A slider and its number are one knob: the slider writes the number, and the number is what the form sends.
document.addEventListener("input", (event) => {
  const from = event.target;
  const partner = document.getElementById(from.dataset?.partner ?? "");
  if (partner && partner.value !== from.value) {
    partner.value = from.value;
    if (from.type === "range") partner.dispatchEvent(new Event("input", { bubbles: true }));
  }
});
