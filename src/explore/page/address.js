// The page's address holds everything that is shown, so that it can be shared: behind the #.

export const parametersInAddress = () => new URLSearchParams(location.hash.slice(1));

// Changes some parameters, removes those set to null. Nothing is added to the history.
export function changeAddress(changes) {
  const parameters = parametersInAddress();
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) parameters.delete(name);
    else parameters.set(name, value);
  }
  history.replaceState(null, "", `#${parameters}`);
}
