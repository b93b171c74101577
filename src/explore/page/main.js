// Starts the page, and again whenever its address changes.
import { changeAddress, parametersInAddress } from "./address.js";
import { settingsChanged, startBudget } from "./budget_view.js";
import { loadRuns, startRuns } from "./runs_view.js";
import { restoreSettings } from "./settings.js";
import { selectTab, startTabs, tabFromName } from "./tabs.js";

function openTab(name, options) {
  changeAddress({ tab: name });
  selectTab(name, options);
  if (name === "runs") loadRuns();
}

function restore() {
  const parameters = parametersInAddress();
  restoreSettings(parameters);
  openTab(tabFromName(parameters.get("tab")));
  settingsChanged();
}

startTabs(openTab);
startBudget();
startRuns();
restore();
addEventListener("hashchange", restore);
