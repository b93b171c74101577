// Curves, with Chart.js. Colours come from the style sheet, so that they follow light and dark.
/* global Chart */
import { percent, plain, roundedUp } from "./numbers.js";

const charts = new Set();

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// 1, 2, 5, 10, 20 ... on logarithmic axes; more would run into each other.
function logarithmicTick(value) {
  const mantissa = Number(value.toExponential().split("e")[0]);
  return [1, 2, 5].includes(mantissa) ? plain(value) : null;
}

// Titles stand beside the axis only where they are words: a turned ε cannot be read.
function axis(title, { logarithmic = false, position, percent = false, grid = true, tint = "soft" } = {}) {
  const made = {
    type: logarithmic ? "logarithmic" : "linear",
    position,
    title: { display: title !== "", text: title, color: colour("soft") },
    grid: { color: colour("line"), borderColor: colour("line"), drawOnChartArea: grid },
    ticks: { color: colour(tint), maxRotation: 0, autoSkipPadding: 12 },
  };
  if (logarithmic) made.ticks.callback = logarithmicTick;
  else if (percent) made.ticks.callback = (value) => `${Number((value * 100).toPrecision(4))} %`;
  else made.ticks.callback = (value) => plain(Number(value.toPrecision(6)));
  return made;
}

const line = (points, name, more = {}) => ({
  data: points, showLine: true, borderColor: colour(name), backgroundColor: colour(name),
  borderWidth: 2.5, pointRadius: 0, pointHitRadius: 8, cubicInterpolationMode: "monotone", ...more,
});

// A chart that can be told new data. `describe(data)` gives {datasets, scales, tooltip, label}.
class LiveChart {
  constructor(canvas, describe) {
    this.canvas = canvas;
    this.describe = describe;
    charts.add(this);
  }

  show(data) {
    this.data = data;
    const { datasets, scales, tooltip, label } = this.describe(data);
    this.canvas.setAttribute("aria-label", label);
    const options = {
      animation: false, maintainAspectRatio: false, scales,
      interaction: { mode: "nearest", intersect: false },
      plugins: { legend: { display: false }, tooltip: { callbacks: { title: () => "", label: tooltip }, displayColors: false } },
    };
    if (!this.chart) {
      this.chart = new Chart(this.canvas, { type: "scatter", data: { datasets }, options });
      return;
    }
    this.chart.data.datasets = datasets;
    this.chart.options = options;
    this.chart.update("none");
  }

  destroy() {
    this.chart?.destroy();
    charts.delete(this);
  }
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const chart of charts) if (chart.data) chart.show(chart.data);
});

// ε along a setting. data: {points: [[x, ε or null]], present: {x, epsilon} or null, target}
export function epsilonChart(canvas, { title, logarithmic }) {
  return new LiveChart(canvas, ({ points, present, target }) => {
    const curve = points.map(([x, y]) => ({ x, y }));
    const xs = curve.map((point) => point.x);
    const ends = [Math.min(...xs), Math.max(...xs)];
    const highest = Math.max(...curve.map((point) => point.y ?? 0));
    const datasets = [line(curve, "accent")];
    if (present && Number.isFinite(present.epsilon)) {
      datasets.unshift({
        data: [{ x: present.x, y: present.epsilon }], pointRadius: 7, pointHoverRadius: 8,
        borderColor: colour("card"), borderWidth: 2, backgroundColor: colour("second"),
      });
    }
    // A target far from the curve would press it flat.
    const lowest = Math.min(...curve.map((point) => point.y ?? Infinity));
    const near = logarithmic ? target <= 30 * highest && target >= lowest / 30 : target <= 2 * highest;
    if (near) {
      datasets.push(line(ends.map((x) => ({ x, y: target })), "target", { borderWidth: 1.5, borderDash: [6, 5], pointHitRadius: 0 }));
    }
    const scales = { x: { ...axis(title, { logarithmic }), min: ends[0], max: ends[1] }, y: axis("", { logarithmic }) };
    if (!logarithmic) scales.y.min = 0;
    const shown = curve.filter((point) => point.y !== null);
    const words = ({ x, y }) => `${roundedUp(y, 3)} at ${plain(Number(x.toPrecision(3)))}`;
    return {
      datasets, scales,
      tooltip: ({ parsed }) => `${title} ${plain(Number(parsed.x.toPrecision(4)))}: ε ≤ ${roundedUp(parsed.y, 4)}`,
      label: shown.length ? `ε against ${title}: ${words(shown[0])}, ${words(shown.at(-1))}` : `ε against ${title}: no bound`,
    };
  });
}

// Some measures of a run by epoch or step. data: {x: title, left: series or null, right: series or null}; a
// series: {title, percent, points: [{x, y}]}
export function runChart(canvas) {
  return new LiveChart(canvas, ({ x, left, right }) => {
    const datasets = [];
    const scales = { x: axis(x) };
    if (left) {
      datasets.push(line(left.points, "accent", { yAxisID: "left", pointRadius: 3, cubicInterpolationMode: "default" }));
      scales.left = axis("", { percent: left.percent, position: "left", tint: "accent" });
    }
    if (right) {
      datasets.push(line(right.points, "second", { yAxisID: "right", pointRadius: 3, cubicInterpolationMode: "default" }));
      scales.right = { ...axis("", { position: "right", grid: !left, tint: "second" }), min: 0 };
    }
    const shown = [left, right].filter(Boolean);
    const value = (series, y) => (series.percent ? percent(y, 2) : roundedUp(y));
    return {
      datasets, scales,
      tooltip: ({ parsed, datasetIndex }) => `${x} ${parsed.x}: ${shown[datasetIndex].title} ${value(shown[datasetIndex], parsed.y)}`,
      label: shown.map((series) => `${series.title} by ${x}: ${value(series, series.points.at(-1).y)} at the end`).join("; "),
    };
  });
}

// Runs of a sweep. data: [{x: ε, y: accuracy, name}]
export function sweepChart(canvas) {
  return new LiveChart(canvas, (points) => ({
    datasets: [{ data: points, pointRadius: 5, pointHoverRadius: 7, backgroundColor: colour("accent"), borderColor: colour("card") }],
    scales: { x: axis("ε"), y: axis("accuracy", { percent: true }) },
    tooltip: ({ raw }) => `${raw.name}: ε ${roundedUp(raw.x)}, ${percent(raw.y, 2)}`,
    label: `accuracy against ε of ${points.length} runs`,
  }));
}
