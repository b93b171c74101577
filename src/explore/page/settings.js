// The six settings: a slider and a number field each, and their place in the page's address.
import { byId } from "./elements.js";
import { plain } from "./numbers.js";

const decades = (low, high, mantissas) => {
  const values = [];
  for (let exponent = Math.floor(Math.log10(low)); 10 ** exponent <= high; ++exponent) {
    for (const mantissa of mantissas) {
      const value = Number(`${mantissa}e${exponent}`);
      if (value >= low && value <= high) values.push(value);
    }
  }
  return values;
};
const steps = (low, high, count) =>
  Array.from({ length: count }, (_, i) => Number((low + ((high - low) * i) / count).toPrecision(6)));

const kFine = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
const kPowers = Array.from({ length: 17 }, (_, i) => 2 ** i);

// What a slider steps through; the field takes any number that the server accepts.
const kSettings = {
  dataset_size: { initial: 60000, stops: decades(100, 1e7, kFine) },
  batch_size: {
    initial: 1024,
    stops: kPowers.flatMap((power) => (power >= 4 ? [power, power * 1.25, power * 1.5, power * 1.75] : [power]))
      .filter((value) => value <= 65536),
  },
  noise_multiplier: {
    initial: 1,
    stops: [0, ...steps(0.3, 2, 68), ...steps(2, 4, 40), ...steps(4, 10, 30), ...steps(10, 20, 10), 20],
  },
  epochs: {
    initial: 10,
    stops: [...steps(1, 30, 29), ...steps(30, 100, 14), ...steps(100, 1000, 36), 1000],
  },
  delta: { initial: 1e-5, stops: decades(1e-10, 1e-2, [1, 2, 5]) },
  target_epsilon: {
    initial: 3,
    stops: [...steps(0.1, 2, 38), ...steps(2, 10, 80), ...steps(10, 20, 20), 20],
  },
};
export const kNames = Object.keys(kSettings);

const field = (name) => byId(name);
const slider = (name) => byId(`${name}-slider`);

function nearestStop(stops, value) {
  let best = 0;
  stops.forEach((stop, i) => {
    if (Math.abs(stop - value) < Math.abs(stops[best] - value)) best = i;
  });
  return best;
}

function moveSlider(name, value) {
  slider(name).value = nearestStop(kSettings[name].stops, value);
  slider(name).setAttribute("aria-valuetext", plain(value));
}

// The texts in the fields, by name: what is asked of the server.
export function currentSettings() {
  return Object.fromEntries(kNames.map((name) => [name, field(name).value]));
}

export function setSetting(name, value) {
  field(name).value = plain(value);
  moveSlider(name, value);
}

// Marks the field that an error of the server's begins with.
export function markInvalid(message) {
  for (const name of kNames) {
    field(name).setAttribute("aria-invalid", String(message !== "" && message.startsWith(name)));
  }
}

// Takes what an address says; the rest becomes what it was in the beginning.
export function restoreSettings(parameters) {
  for (const name of kNames) {
    const text = parameters.get(name);
    const value = text === null || text.trim() === "" ? NaN : Number(text);
    setSetting(name, Number.isFinite(value) ? value : kSettings[name].initial);
  }
}

export function startSettings(onChange) {
  for (const name of kNames) {
    const { stops } = kSettings[name];
    Object.assign(slider(name), { min: 0, max: stops.length - 1, step: 1 });
    slider(name).addEventListener("input", () => {
      setSetting(name, stops[Number(slider(name).value)]);
      onChange();
    });
    field(name).addEventListener("input", () => {
      const value = Number(field(name).value);
      if (field(name).value !== "" && Number.isFinite(value)) moveSlider(name, value);
      onChange();
    });
  }
}
