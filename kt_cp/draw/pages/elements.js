// The data of a page, and functions that make elements of SVG and HTML.

// Return the data that the page was made with.
const readData = () => JSON.parse(document.getElementById("data").textContent);

// Return a number as text with thousands separators, as in 1,600.
const formatNumber = (number) => number.toLocaleString("en-US");

// Return a new SVG element with attributes and children: elements or text.
const svgElement = (name, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

// Return a new HTML element with attributes and children: elements or text.
const htmlElement = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

function fill(element, attributes, children) {
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

// Set the attributes of an element from an object of names and values.
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
