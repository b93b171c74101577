// Tabs as ARIA describes them: one is in the order of Tab, arrows go from one to the next.
import { byId } from "./elements.js";

const kTabs = ["budget", "runs"];

export function selectTab(chosen, { focus = false } = {}) {
  for (const name of kTabs) {
    const selected = name === chosen;
    const tab = byId(`tab-${name}`);
    tab.setAttribute("aria-selected", String(selected));
    tab.tabIndex = selected ? 0 : -1;
    byId(`panel-${name}`).hidden = !selected;
    if (selected && focus) tab.focus();
  }
}

export function startTabs(onSelect) {
  kTabs.forEach((name, i) => {
    byId(`tab-${name}`).addEventListener("click", () => onSelect(name));
    byId(`tab-${name}`).addEventListener("keydown", (event) => {
      const last = kTabs.length - 1;
      const to = { ArrowRight: i === last ? 0 : i + 1, ArrowLeft: i === 0 ? last : i - 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      onSelect(kTabs[to], { focus: true });
    });
  });
}

export const tabFromName = (name) => (kTabs.includes(name) ? name : kTabs[0]);
