// Numbers for the reader. Upper bounds are never shown smaller than they are, lower ones never larger.

// As few digits as say the same number: 60000, 0.0001, 1e-7.
export function plain(value) {
  if (value !== 0 && Math.abs(value) < 1e-4) {
    return value.toExponential().replace("e-0", "e-").replace("e+", "e");
  }
  return String(value);
}

// With thousands separated by thin spaces.
export function grouped(value) {
  return plain(value).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
}

function withDigits(value, digits, up) {
  if (!Number.isFinite(value)) return "no bound";
  if (value === 0) return "0";
  let shown = Number(value.toPrecision(digits));
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
  if (up ? shown < value : shown > value) shown = Number((shown + (up ? unit : -unit)).toPrecision(digits));
  return plain(shown);
}

export const roundedUp = (value, digits = 4) => withDigits(value, digits, true);

// Rounding of 0.1 % and the like must not turn 30.000000000000004 into 30.1.
const kSlack = 1e-9;
const kMoreDecimals = 3;

// Never 100 % for what is less than certain, nor 0 % for what is more than impossible: as
// src/core/percentage.h does it.
function percentage(share, decimals, rounded) {
  const open = share > 0 && share < 1;
  for (let places = decimals; places <= decimals + kMoreDecimals; ++places) {
    const unit = 10 ** places;
    const shown = rounded(share * 100 * unit) / unit + 0;
    if (!open || (shown > 0 && shown < 100)) return `${shown.toFixed(places)} %`;
  }
  const places = decimals + kMoreDecimals;
  const least = 10 ** -places;
  return share < 0.5 ? `less than ${least.toFixed(places)} %` : `more than ${(100 - least).toFixed(places)} %`;
}

// For what a finite ε keeps below 1, even where its number came out as 1.
export const lessThanCertain = (share) => Math.min(share, 1 - Number.EPSILON / 2);

export function percentUp(share, decimals = 1) {
  return percentage(share, decimals, (value) => Math.ceil(value - kSlack));
}
export function percentDown(share, decimals = 1) {
  return percentage(share, decimals, (value) => Math.floor(value + kSlack));
}
export function percent(share, decimals = 0) {
  return percentage(share, decimals, Math.round);
}
