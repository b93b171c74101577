// One sweep: its table, whatever columns it has, and accuracy against ε.
import { sweepChart } from "./charts.js";
import { element } from "./elements.js";
import { percent, plain, roundedUp } from "./numbers.js";
import { filesPart } from "./run_view.js";
import { runsTable } from "./runs_view.js";

let chart = null;

function cellText(column, value) {
  if (value === null) return "–";
  if (value === "Infinity") return "no bound";
  if (typeof value !== "number") return String(value);
  if (column.includes("epsilon")) return roundedUp(value);
  if (column.includes("accuracy") && value <= 1) return percent(value, 2);
  return plain(Number(value.toPrecision(6)));
}

const columnOf = (sweep, names) => names.map((name) => sweep.columns.indexOf(name)).find((i) => i >= 0) ?? -1;

function scatterPoints(sweep) {
  const x = columnOf(sweep, ["epsilon", "eps", "ε"]);
  const y = columnOf(sweep, ["accuracy", "test_accuracy"]);
  if (x < 0 || y < 0) return [];
  return sweep.rows
    .map((row, i) => ({ x: row[x], y: row[y], name: typeof row[0] === "string" ? row[0] : `run ${i + 1}` }))
    .filter((point) => typeof point.x === "number" && typeof point.y === "number");
}

function chartPart(sweep) {
  chart?.destroy();
  chart = null;
  const points = scatterPoints(sweep);
  if (points.length === 0) return [];
  const canvas = element("canvas", { role: "img" });
  setTimeout(() => {
    if (!canvas.isConnected) return;
    chart = sweepChart(canvas);
    chart.show(points);
  });
  return [element("p", { className: "fine" }, "Accuracy against ε, a point a run"), element("div", { className: "chart" }, canvas)];
}

function tablePart({ columns, rows }) {
  if (rows.length === 0) return [element("p", { className: "fine" }, "No runs are listed in this sweep.")];
  const cell = (row, column, i) => element("td", { "data-label": column, className: typeof row[i] === "string" ? "text" : "number" }, cellText(column, row[i]));
  return [element("div", { className: "wide", tabIndex: 0, role: "region", "aria-label": "Runs of the sweep" },
    element("table", { className: "cards" },
      element("thead", {}, element("tr", {}, ...columns.map((column) => element("th", { scope: "col" }, column)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...columns.map((column, i) => cell(row, column, i)))))))];
}

function summaryPart({ summary }) {
  if (!summary) return [];
  const text = (key, value) => (value !== null && typeof value === "object" ? JSON.stringify(value) : cellText(key, value));
  return [element("ul", { className: "facts" }, ...Object.entries(summary)
    .map(([key, value]) => element("li", {}, element("b", {}, key.replaceAll("_", " ")), text(key, value))))];
}

export function showSweep(place, sweep, runs) {
  place.replaceChildren(
    element("h2", {}, sweep.name), ...summaryPart(sweep),
    ...sweep.problems.map((problem) => element("p", { className: "alert" }, problem)),
    ...chartPart(sweep), ...tablePart(sweep),
    ...(runs.length ? [element("h3", {}, "Folders of its runs"), runsTable(runs)] : []),
    filesPart(sweep));
}
