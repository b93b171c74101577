// The second tab: past runs and sweeps. Everything in their files is shown as text, whatever it is.
import { changeAddress, parametersInAddress } from "./address.js";
import { byId, element } from "./elements.js";
import { percent, plain, roundedUp } from "./numbers.js";
import { showRun } from "./run_view.js";
import { ask } from "./server.js";
import { showSweep } from "./sweep_view.js";

export function epsilonText(value) {
  if (value === "Infinity") return "no bound";
  return typeof value === "number" ? roundedUp(value) : "–";
}
// Of an interrupted run: what its ledger has charged.
export function spentText(run) {
  if (run.private === true && run.epsilon === null) return "not proved";
  const interrupted = run.epsilon_spent !== null && run.epsilon_spent !== undefined;
  return interrupted ? `${epsilonText(run.epsilon_spent)} spent` : epsilonText(run.epsilon);
}
export const accuracyText = (value) => (typeof value === "number" ? percent(value, 2) : "–");
const valueText = (value) => (value === null || value === undefined || value === "" ? "–" : typeof value === "number" ? plain(value) : String(value));
const dateText = (value) => (typeof value === "string" ? value.slice(0, 16).replace("T", " ") : "–");

const kColumns = [
  ["Data set", (run) => valueText(run.dataset), true],
  ["Model", (run) => (run.kind === "gan" ? `generator, ${valueText(run.model)}` : valueText(run.model)), true],
  ["ε", spentText],
  ["δ", (run) => (run.epsilon !== "Infinity" && typeof run.delta === "number" ? plain(run.delta) : "–")],
  ["Accuracy", (run) => accuracyText(run.accuracy)],
  ["Date (UTC)", (run) => dateText(run.date)],
];

function linkTo(kind, name) {
  const link = element("a", { href: `#tab=runs&${kind}=${encodeURIComponent(name)}` }, name);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    choose({ [kind]: name });
  });
  return link;
}

function runRow(run) {
  const cells = kColumns.map(([label, text, isText]) => element("td", { "data-label": label, className: isText ? "text" : "number" }, text(run)));
  return element("tr", { "data-name": run.name }, element("td", {}, linkTo("run", run.name)), ...cells);
}

export function runsTable(runs) {
  const heads = ["Run", ...kColumns.map(([label]) => label)];
  const classes = ["text", ...kColumns.map(([, , isText]) => (isText ? "text" : ""))];
  return element("table", { className: "cards linked" },
    element("thead", {}, element("tr", {}, ...heads.map((head, i) => element("th", { scope: "col", className: classes[i] }, head)))),
    element("tbody", {}, ...runs.map(runRow)));
}

function sweepsTable(sweeps) {
  const row = (sweep) => element("tr", { "data-name": sweep.name },
    element("td", {}, linkTo("sweep", sweep.name)),
    element("td", { "data-label": "Runs" }, valueText(sweep.runs)),
    element("td", { "data-label": "Date (UTC)", className: "number" }, dateText(sweep.date)));
  return element("table", { className: "cards linked" },
    element("thead", {}, element("tr", {}, ...["Sweep", "Runs", "Date (UTC)"].map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...sweeps.map(row)));
}

let catalogue = { runs: [], sweeps: [] };

function showCatalogue() {
  const { folder, runs, sweeps } = catalogue;
  const single = runs.filter((run) => run.sweep === null);
  byId("runs-note").textContent = runs.length + sweeps.length === 0
    ? `There are no runs in the folder “${folder}” yet. sotto train makes one.`
    : `In the folder “${folder}”. Choose one to look at it.`;
  byId("runs-table").replaceChildren(...(single.length ? [runsTable(single)] : []));
  byId("sweeps-table").replaceChildren(...(sweeps.length ? [element("h3", {}, "Sweeps"), sweepsTable(sweeps)] : []));
}

function markChosen(name) {
  for (const row of document.querySelectorAll("tr[data-name]")) {
    row.classList.toggle("chosen-row", row.dataset.name === name);
  }
}

// {run: name}, {sweep: name} or {}
async function choose({ run = null, sweep = null }) {
  changeAddress({ run, sweep });
  markChosen(run ?? sweep);
  const place = byId("chosen");
  place.hidden = run === null && sweep === null;
  if (place.hidden) return;
  try {
    if (run !== null) showRun(place, await ask("api/run", { name: run }));
    else showSweep(place, await ask("api/sweep", { name: sweep }), catalogue.runs.filter((one) => one.sweep === sweep));
  } catch (error) {
    place.replaceChildren(element("p", { className: "alert", role: "alert" }, error.message));
  }
  place.scrollIntoView({ block: "nearest" });
}

// Reads the folder again and shows what the address names.
export async function loadRuns() {
  try {
    catalogue = await ask("api/runs");
    showCatalogue();
  } catch (error) {
    byId("runs-note").textContent = error.message;
    return;
  }
  const parameters = parametersInAddress();
  await choose({ run: parameters.get("run"), sweep: parameters.get("sweep") });
}

export function startRuns() {
  byId("reload-runs").addEventListener("click", loadRuns);
}
