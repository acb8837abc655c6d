// Draw the sweep from its table: tokens and candidates over the budget, as steps; a click follows the link of the nearest row.
function read(table) {
  const rows = [...table.tBodies[0].rows];
  const column = (name) => rows.map((row) => Number(row.dataset[name]));
  return { rows, data: [column("budget"), column("tokens"), column("candidates")] };
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// A custom property may hold light-dark(): an element that uses it says what it comes to.
function resolved(name) {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value || colour(name);
}

function mark(budget) {
  return {
    hooks: {
      draw: (chart) => {
        const x = chart.valToPos(budget, "x", true);
        const { ctx, bbox } = chart;
        ctx.save();
        ctx.strokeStyle = resolved("--lock");
        ctx.setLineDash([6, 4]);
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        ctx.restore();
      },
    },
  };
}

function draw(place) {
  const table = document.getElementById(place.dataset.sweep);
  if (!table || !window.uPlot || place.firstChild) return;
  const { rows, data } = read(table);
  const current = rows.find((row) => "current" in row.dataset);
  const steps = uPlot.paths.stepped({ align: 1 });
  const axis = { stroke: resolved("--muted"), grid: { stroke: resolved("--line") }, ticks: { stroke: resolved("--line") } };
  const chart = new uPlot({
    width: place.clientWidth || 400,
    height: 320,
    scales: { x: { time: false }, tokens: {}, candidates: {} },
    series: [
      { label: "budget" },
      { label: "tokens in", scale: "tokens", stroke: resolved("--req"), width: 2, paths: steps },
      { label: "candidates in", scale: "candidates", stroke: resolved("--move"), width: 2, dash: [5, 3], paths: steps },
    ],
    axes: [axis, { ...axis, scale: "tokens", size: 70 }, { ...axis, scale: "candidates", side: 1, grid: { show: false } }],
    cursor: { drag: { x: false, y: false } },
    plugins: current ? [mark(Number(current.dataset.budget))] : [],
  }, data, place);
  chart.over.addEventListener("click", () => {
    const row = rows[chart.cursor.idx ?? -1];
    row?.querySelector("a")?.click();
  });
  new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: 320 })).observe(place);
}

const drawAll = () => document.querySelectorAll("[data-sweep]").forEach(draw);
drawAll();
document.addEventListener("htmx:load", drawAll);
