// Making pieces of the page. Texts go in as text, never as markup: a run's files may hold anything.

export const byId = (id) => document.getElementById(id);

// element("td", {className: "text"}, "words", otherElement)
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("data-") || name.startsWith("aria-") || name === "scope" || name === "role") {
      made.setAttribute(name, value);
    } else {
      made[name] = value;
    }
  }
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

export function tableRow(cells, properties = {}) {
  return element("tr", properties, ...cells.map((cell) => element("td", {}, cell)));
}

// Copies text and says so on the button for a moment.
export async function copyText(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => { button.textContent = label; }, 1200);
}
