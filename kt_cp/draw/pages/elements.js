// The data of the page, and elements of it.
const readData = () => JSON.parse(document.getElementById("data").textContent);

const shown = (number) => number.toLocaleString("en-US");

// An element with attributes and children, in the SVG namespace unless `html`.
function make(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
