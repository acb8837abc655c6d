// Show times as the clock on the reader's wall does, with the zone; days are those of that calendar, and one may have 23 or 25 hours.
const DAY = 86_400_000;

function dayOf(moment) {
  return Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate());
}

function told(moment) {
  const days = Math.round((dayOf(new Date()) - dayOf(moment)) / DAY);
  const date = moment.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
  const time = moment.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
  return `${days === 0 ? "today" : days === 1 ? "yesterday" : date}, ${time}`;
}

function show(root) {
  for (const element of root.querySelectorAll?.("time[data-moment]") ?? []) {
    const moment = new Date(element.getAttribute("datetime"));
    if (Number.isNaN(moment.getTime())) continue;
    element.title = element.textContent;
    element.textContent = told(moment);
    delete element.dataset.moment;
  }
}

show(document);
document.addEventListener("htmx:load", (event) => show(event.target));
