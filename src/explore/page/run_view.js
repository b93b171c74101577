// One run: its curve, what it promises, its files.
import { runChart } from "./charts.js";
import { element } from "./elements.js";
import { accuracyText, spentText } from "./runs_view.js";

let chart = null;

const points = (metrics, x, y) => metrics
  .filter((line) => typeof line[x] === "number" && typeof line[y] === "number")
  .map((line) => ({ x: line[x], y: line[y] }));

// Accuracy and ε where there are any; of generators, whatever they learn by.
function seriesOf(run) {
  const x = run.metrics.some((line) => typeof line.epoch === "number") ? "epoch" : "step";
  const series = (key, title, percent = false) => {
    const found = points(run.metrics, x, key);
    return found.length ? { title, percent, points: found } : null;
  };
  const promised = run.private !== false && run.epsilon !== "Infinity";
  const right = promised ? series("epsilon", "ε") : null;
  const left = series("test_accuracy", "test accuracy", true) ?? series("distance", "distance of embeddings") ??
    series("generator_loss", "loss of the generator");
  return { x, left, right };
}

function chartPart(run) {
  chart?.destroy();
  chart = null;
  const data = seriesOf(run);
  if (!data.left && !data.right) return [element("p", { className: "fine" }, "No curve: metrics.jsonl is missing or empty.")];
  const canvas = element("canvas", { role: "img" });
  const keys = [["key-line", data.left], ["key-second", data.right]].filter(([, series]) => series);
  const legend = element("ul", { className: "legend", "aria-hidden": "true" },
    ...keys.map(([name, series]) => element("li", { className: name }, series.title)));
  setTimeout(() => {
    if (!canvas.isConnected) return;
    chart = runChart(canvas);
    chart.show(data);
  });
  return [legend, element("div", { className: "chart" }, canvas)];
}

function statementPart({ privacy }) {
  if (!privacy) {
    const text = "No privacy.json: the run was interrupted, or is still running, and promises nothing (yet). What its ledger charged is spent.";
    return [element("p", { className: "fine" }, text)];
  }
  const statement = typeof privacy.statement === "object" && privacy.statement ? privacy.statement : {};
  const parts = ["promise", "protects", "sampling", "noise"].map((key) => statement[key]).concat(privacy.shown_during_training);
  const warnings = Array.isArray(privacy.warnings) ? privacy.warnings : [];
  return [
    ...parts.filter((text) => typeof text === "string" && text !== "").map((text) => element("p", {}, text)),
    element("ul", { className: "warnings" }, ...warnings.map((text) => element("li", {}, text))),
  ];
}

const fileAddress = (run, file) => `runs/${[...run.name.split("/"), file].map(encodeURIComponent).join("/")}`;

export function filesPart(run) {
  const link = (file) => element("li", { className: file === "report.html" ? "main" : "" },
    element("a", { href: fileAddress(run, file), target: "_blank", rel: "noopener" }, file));
  const ordered = [...run.files].sort((a, b) => (b === "report.html") - (a === "report.html"));
  return element("ul", { className: "files" }, ...ordered.map(link));
}

function samplesPart(run) {
  const samples = run.files.filter((file) => /^samples-.*\.png$/.test(file)).sort().at(-1);
  return samples ? [element("img", { className: "picture", src: fileAddress(run, samples), alt: "Samples of the generator" })] : [];
}

function configPart({ config }) {
  if (!config) return [];
  const text = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  const rows = Object.entries(config).map(([key, value]) => element("tr", {},
    element("td", {}, key), element("td", { className: "text" }, text(value))));
  return [element("details", {}, element("summary", {}, "Settings of the run"), element("table", {}, element("tbody", {}, ...rows)))];
}

const fact = (label, value) => element("li", {}, element("b", {}, label), value);

export function showRun(place, run) {
  place.replaceChildren(
    element("h2", {}, run.name),
    element("ul", { className: "facts" },
      fact("ε", spentText(run)), fact("Accuracy", accuracyText(run.accuracy)),
      fact("Data set", run.dataset ?? "–"), fact("Model", run.model ?? "–"), fact("Epochs", run.epochs ?? "–")),
    ...run.problems.map((text) => element("p", { className: "alert" }, text)),
    ...chartPart(run), ...samplesPart(run), ...statementPart(run), filesPart(run), ...configPart(run));
}
