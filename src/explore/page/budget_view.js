// The first tab: what the planned run costs. Follows every change at once with a quick answer and
// curves; when the settings rest it asks for the full precision of `sotto budget` and turns the question
// round.
import { changeAddress } from "./address.js";
import { epsilonChart } from "./charts.js";
import { byId, copyText, tableRow, element } from "./elements.js";
import { grouped, lessThanCertain, percent, percentDown, percentUp, plain, roundedUp } from "./numbers.js";
import { ask } from "./server.js";
import { currentSettings, markInvalid, setSetting, startSettings } from "./settings.js";

const kRest = 150;  // milliseconds without a change
const kCurves = {
  epochs: { title: "epochs", logarithmic: false },
  noise_multiplier: { title: "σ", logarithmic: true },
  batch_size: { title: "batch size", logarithmic: true },
};
const kShownPriors = [0.01, 0.1, 0.5, 0.9, 0.99];
const kShownRates = [0.0001, 0.001, 0.01, 0.1];

const charts = {};
let wanted = null;  // settings that wait for an answer
let busy = false;
let restTimer = 0;
let needed = {};  // what "use this" would set

const asNumber = (value) => (value === "Infinity" ? Infinity : value);

function showHeadline(answer) {
  const bounded = Number.isFinite(asNumber(answer.epsilon));
  byId("epsilon-relation").textContent = bounded ? "ε ≤" : "ε:";
  byId("epsilon").textContent = answer.epsilon_text;
  byId("epsilon").dataset.precision = answer.precision;
  byId("certified").textContent = `${answer.certified} At δ\u00a0=\u00a0${plain(answer.delta)}.`;
  const verdict = byId("verdict");
  verdict.className = `verdict ${!bounded ? "none" : answer.within_target ? "good" : "over"}`;
  verdict.textContent = !bounded ? "No privacy at all" : answer.within_target ? "Within your target" : "Above your target";
}

function showMeaning(answer) {
  const { statement, meaning } = answer;
  byId("promise").textContent = statement.promise;
  for (const part of ["protects", "sampling", "noise"]) byId(part).textContent = statement[part];
  byId("length").textContent = `Length: ${answer.length}.`;
  byId("warnings").replaceChildren(...answer.warnings.map((text) => element("li", {}, text.replace(/^[a-z]/, (letter) => letter.toUpperCase()))));
  byId("meaning-tables").hidden = meaning === null;
  if (meaning === null) return;
  byId("beliefs").replaceChildren(...meaning.beliefs.filter(({ prior }) => kShownPriors.includes(prior))
    .map(({ prior, lowest, highest }) => tableRow([percent(prior), percentDown(lowest), percentUp(highest)])));
  byId("tests").replaceChildren(...meaning.membership_tests.filter((test) => kShownRates.includes(test.false_positive_rate))
    .map((test) => tableRow([percent(test.false_positive_rate, 2), percentUp(lessThanCertain(test.true_positive_rate), 2), percent(test.by_guessing, 2)])));
}

function showCommand(answer, settings) {
  // Lines break between words only: "1e-05" is one.
  byId("train-line").replaceChildren(...answer.train.split(/(?<= )/).map((word) => element("span", {}, word)));
  byId("copy-train").disabled = answer.train.startsWith("#");
  const own = answer.train.includes("your-data");
  byId("train-note").textContent = own
    ? `Name your own data; this ε holds if ${grouped(Number(settings.dataset_size))} rows are trained on.`
    : "The run writes its own proof beside the model.";
}

function showCurve(along, answer, settings, epsilon) {
  const x = Number(settings[along]);
  charts[along].show({
    points: answer.points, target: Number(settings.target_epsilon),
    present: x > 0 ? { x, epsilon } : null,
  });
}

function showError(message) {
  byId("settings-error").hidden = message === "";
  byId("settings-error").textContent = message;
  byId("results").classList.toggle("invalid", message !== "");
  markInvalid(message);
}

function markStale(stale) {
  for (const id of ["need-noise", "need-epochs"]) byId(id).classList.toggle("stale", stale);
  for (const id of ["use-noise", "use-epochs"]) byId(id).disabled = stale || needed[id] === undefined;
}

// A quick answer, and a better one if the time was too short for it.
async function search(address, settings, show) {
  const quick = await ask(address, { ...settings, precision: "quick" });
  show(quick, settings);
  if (!quick.complete && !wanted) show(await ask(address, { ...settings, precision: "full" }), settings);
}

function showNoiseNeeded({ noise_multiplier: noise, reason }, settings) {
  needed["use-noise"] = noise === null ? undefined : Number(roundedUp(noise));
  byId("need-noise").textContent = noise === null ? "not found" : `σ = ${roundedUp(noise)}`;
  byId("need-noise-text").textContent = reason ??
    `or more, for ε ≤ ${plain(Number(settings.target_epsilon))} after ${grouped(Number(settings.epochs))} ${Number(settings.epochs) === 1 ? "epoch" : "epochs"}`;
}

function showEpochsAffordable({ epochs, reason, at_limit: atLimit }, settings) {
  needed["use-epochs"] = epochs > 0 ? epochs : undefined;
  byId("need-epochs").textContent = epochs === null ? "not found" : `${atLimit ? "over " : ""}${grouped(epochs)} ${epochs === 1 ? "epoch" : "epochs"}`;
  byId("need-epochs-text").textContent = reason ??
    `or fewer, for ε ≤ ${plain(Number(settings.target_epsilon))} with σ = ${plain(Number(settings.noise_multiplier))}`;
}

function chartsNote(excesses) {
  const known = excesses.every((excess) => excess !== null && excess < 1);
  return known
    ? `Headline and curves are tight accounting, by privacy-loss distributions. Points of the curves are upper bounds, at most ${percentUp(Math.max(...excesses))} above the true ε.`
    : "Headline and curves are upper bounds. At these settings some points may lie far above the true ε.";
}

// One change: the quick headline and the curves.
async function follow(settings) {
  const headline = ask("api/budget", { ...settings, precision: "quick" });
  const curves = Object.keys(kCurves).map((along) => [along, ask("api/curve", { ...settings, along, precision: "quick" })]);
  curves.forEach(([, curve]) => curve.catch(() => {}));  // the headline says what is wrong
  const answer = await headline;
  showHeadline(answer);
  showMeaning(answer);
  showCommand(answer, settings);
  const excesses = [];
  for (const [along, curve] of curves) {
    const found = await curve;
    showCurve(along, found, settings, asNumber(answer.epsilon));
    excesses.push(found.excess);
  }
  byId("charts-note").textContent = chartsNote(excesses);
}

// No change for a while: the numbers as exact as they get.
async function settle(settings) {
  const answer = await ask("api/budget", { ...settings, precision: "full" });
  if (wanted) return;
  showHeadline(answer);
  showMeaning(answer);
  await search("api/noise", settings, showNoiseNeeded);
  if (!wanted) await search("api/epochs", settings, showEpochsAffordable);
  if (!wanted) markStale(false);
  // Now the curves may take the time for all their points.
  for (const along of Object.keys(kCurves)) {
    if (wanted) return;
    showCurve(along, await ask("api/curve", { ...settings, along, precision: "full" }), settings, asNumber(answer.epsilon));
  }
}

// One question at a time, and always the newest next.
async function work(task) {
  if (busy) return;
  busy = true;
  try {
    await task();
  } catch (error) {
    showError(error.message);
  }
  busy = false;
  if (wanted) followNewest();
}

function followNewest() {
  work(async () => {
    const settings = wanted;
    wanted = null;
    await follow(settings);
    showError("");
    clearTimeout(restTimer);
    restTimer = setTimeout(() => work(() => settle(settings)), kRest);
  });
}

export function settingsChanged() {
  clearTimeout(restTimer);
  wanted = currentSettings();
  changeAddress(wanted);
  markStale(true);
  followNewest();
}

export function startBudget() {
  for (const [along, options] of Object.entries(kCurves)) {
    charts[along] = epsilonChart(byId(`chart-${along}`), options);
  }
  startSettings(settingsChanged);
  byId("copy-train").addEventListener("click", () => copyText(byId("train-line").textContent, byId("copy-train")));
  byId("copy-address").addEventListener("click", () => copyText(location.href, byId("copy-address")));
  const use = (button, name) => byId(button).addEventListener("click", () => {
    setSetting(name, needed[button]);
    settingsChanged();
  });
  use("use-noise", "noise_multiplier");
  use("use-epochs", "epochs");
}
