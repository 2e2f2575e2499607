// @ts-check
// The data of a page, and functions that make elements of SVG and HTML.

// Return the data that the page was made with.
export const readData = () => JSON.parse(document.getElementById("data").textContent);

/** The first element that a selector matches. @type {(selector: string) => any} */
export const find = (selector) => document.querySelector(selector);

/** All elements that a selector matches. @type {(selector: string) => any[]} */
export const findAll = (selector) => [...document.querySelectorAll(selector)];

// Return a number as text with thousands separators, as in 1,600.
export const formatNumber = (number) => number.toLocaleString("en-US");

// Return a new SVG element with attributes and children: elements or text.
export const svgElement = (name, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

// Return a new HTML element with attributes and children: elements or text.
export const htmlElement = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

function fill(element, attributes, children) {
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

// Set the attributes of an element from an object of names and values.
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

// The words of a page in the reader's language. `makeWords(texts)` returns a function that fills
// the braces of a text: with { "written": "{number} on {square}." },
// word("written", { number: 7, square: "a1" }) is "7 on a1.".
export function makeWords(texts) {
  return (key, values = {}) => {
    if (!(key in texts)) throw new Error(`no words for ${key}`);
    return texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  };
}

// Return words, of which there is at least one, as a list in a sentence. `lastKey` is the key of the
// text before the last of them: with "and" the list is "a, b and c".
export function joinWords(word, words, lastKey = "list") {
  const last = words.length - 1;
  return words.reduce((joined, next, i) => word(i === last ? lastKey : "list", { first: joined, last: next }));
}

// Return sentences as one text, with blanks between them where a language has any.
export function joinSentences(word, sentences) {
  return sentences.reduce((joined, next) => word("sentences", { first: joined, last: next }));
}

// The lists beside a replayed picture: the legend, facts with their values, and the stack.
const MAX_LISTED = 40; // items of a stack

// Return an entry of a legend: a sign, drawn in a box, and what it means.
export const legendEntry = (viewBox, sign, text) =>
  htmlElement("span", {}, svgElement("svg", { class: "key", viewBox }, sign), ` ${text}`);

// Return entries for lines and for squares of a class.
export const lineEntry = (name, text) => legendEntry("0 0 2 1", svgElement("path", { class: name, d: "M0 .5H2" }), text);
export const squareEntry = (name, text) =>
  legendEntry("0 0 2 1", svgElement("rect", { class: name, x: 0.5, width: 1, height: 1 }), text);

// Return a list of named facts, and a function that sets their values.
export function makeFacts(names) {
  const values = names.map(() => htmlElement("dd"));
  const list = htmlElement("dl", {}, ...names.flatMap((name, i) => [htmlElement("dt", {}, name), values[i]]));
  const setValues = (...numbers) => numbers.forEach((number, i) => (values[i].textContent = formatNumber(number)));
  return [list, setValues];
}

// Return a list of the items of a stack, the latest first, and a function that sets the items. They
// are numbered from `first`; of a deep stack only the top is listed.
export function makeStackList(label, first = 1) {
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
