// Run in the page by browser_test.py: returns what a reader would call broken, as sentences.
const faults = [];
const root = document.documentElement;
if (root.scrollWidth > root.clientWidth) faults.push(`the page scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);

const seen = [...document.querySelectorAll("body *")].filter((element) =>
  element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && element.getClientRects().length > 0);
const name = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""} "${element.textContent.trim().slice(0, 30)}"`;

for (const element of seen) {
  // Inline elements have no width of their own; sliders draw beyond theirs, and .wide scrolls by design.
  const style = getComputedStyle(element);
  if (style.display === "inline" || element.matches("[type=range], .wide, .wide *, canvas")) continue;
  if (element.scrollWidth > element.clientWidth + 1) faults.push(`clipped: ${name(element)} ${element.scrollWidth} > ${element.clientWidth}`);
}

// The boxes of the texts themselves, line by line.
const boxes = [];
for (const element of seen) {
  for (const node of element.childNodes) {
    if (node.nodeType !== Node.TEXT_NODE || node.textContent.trim() === "") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width > 1 && box.height > 1) boxes.push({ node, element, box });
    }
  }
  if (element.matches("input[type=number]")) boxes.push({ node: element, element, box: element.getBoundingClientRect() });
}
const kSlack = 3;  // line boxes are a little taller than letters
for (let i = 0; i < boxes.length; ++i) {
  for (let j = i + 1; j < boxes.length; ++j) {
    const [a, b] = [boxes[i], boxes[j]];
    if (a.node === b.node) continue;
    const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
    const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
    if (wide > kSlack && high > kSlack) faults.push(`overlap: ${name(a.element)} and ${name(b.element)}`);
  }
}
return faults;
