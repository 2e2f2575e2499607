// The lists beside a replayed picture: the legend, facts with their values, and the stack.
const MAX_LISTED = 40; // items of a stack

// Return an entry of a legend: a sign, drawn in a box, and what it means.
const legendEntry = (viewBox, sign, text) =>
  htmlElement("span", {}, svgElement("svg", { class: "key", viewBox }, sign), ` ${text}`);

// Return entries for lines and for squares of a class.
const lineEntry = (name, text) => legendEntry("0 0 2 1", svgElement("path", { class: name, d: "M0 .5H2" }), text);
const squareEntry = (name, text) =>
  legendEntry("0 0 2 1", svgElement("rect", { class: name, x: 0.5, width: 1, height: 1 }), text);

// Return a list of named facts, and a function that sets their values.
function makeFacts(names) {
  const values = names.map(() => htmlElement("dd"));
  const list = htmlElement("dl", {}, ...names.flatMap((name, i) => [htmlElement("dt", {}, name), values[i]]));
  const setValues = (...numbers) => numbers.forEach((number, i) => (values[i].textContent = formatNumber(number)));
  return [list, setValues];
}

// Return a list of the items of a stack, the latest first, and a function that sets the items. They
// are numbered from `first`; of a deep stack only the top is listed.
function makeStackList(label, first = 1) {
  const list = htmlElement("ol", { class: "stack", "aria-label": label, tabindex: "0" });

  function setNames(names) {
    const hidden = Math.max(0, names.length - MAX_LISTED);
    const items = names.slice(hidden).map((name, i) => htmlElement("li", {}, `${hidden + i + first}. ${name}`));
    items.reverse();
    if (hidden > 0) items.push(htmlElement("li", {}, `… and ${hidden} below`));
    list.replaceChildren(...items);
  }
  return [list, setNames];
}
