// Finds places for the texts of a drawn graph: beside their edges and vertices, where little else is
// drawn. Lengths are in the unit of the picture; a box is [left, top, right, bottom].
const GRAIN = 0.06; // the distance of the points that represent a box
const CELL = 0.25; // the side of a cell of the grid
const LETTER_WIDTHS = { time: 0.125, kind: 0.1 };
const LINE_HEIGHTS = { time: 0.2, kind: 0.18 };

// The parts of a picture that are drawn already, as points in the cells of a grid.
class Ink {
  constructor() {
    this.cells = new Map();
  }

  addPoint([x, y]) {
    const key = `${Math.floor(x / CELL)} ${Math.floor(y / CELL)}`;
    if (!this.cells.has(key)) this.cells.set(key, []);
    this.cells.get(key).push([x, y]);
  }

  addBox([left, top, right, bottom]) {
    for (let x = left; x <= right; x += GRAIN)
      for (let y = top; y <= bottom; y += GRAIN) this.addPoint([x, y]);
  }

  countWithin([left, top, right, bottom]) {
    const isWithin = ([x, y]) => left <= x && x <= right && top <= y && y <= bottom;
    let count = 0;
    for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column++)
      for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row++)
        count += (this.cells.get(`${column} ${row}`) ?? []).filter(isWithin).length;
    return count;
  }

  // Fill the box with the fewest points in it, the first of several, and return it.
  placeIn(boxes) {
    const counts = boxes.map((box) => this.countWithin(box));
    const best = boxes[counts.indexOf(Math.min(...counts))];
    this.addBox(best);
    return best;
  }
}

// Return the point of a Bezier curve at a parameter from 0 to 1, by de Casteljau's construction.
function pointOn(curve, part) {
  if (curve.length === 1) return curve[0];
  const between = curve.slice(1).map(([x, y], i) => {
    const [fromX, fromY] = curve[i];
    return [fromX + (x - fromX) * part, fromY + (y - fromY) * part];
  });
  return pointOn(between, part);
}

const boxAround = ([x, y], width, height) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];

// Return boxes for a text beside a curve, the best ones first: near its middle, on either side.
function boxesBeside(curve, width, height) {
  const boxes = [];
  for (const gap of [0.04, 0.12])
    for (const part of [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]) {
      const [x, y] = pointOn(curve, part);
      const [nextX, nextY] = pointOn(curve, part + 0.01);
      const length = Math.hypot(nextX - x, nextY - y);
      const normal = [(y - nextY) / length, (nextX - x) / length];
      const distance = gap + (Math.abs(normal[0]) * width + Math.abs(normal[1]) * height) / 2;
      for (const side of [distance, -distance])
        boxes.push(boxAround([x + side * normal[0], y + side * normal[1]], width, height));
    }
  return boxes;
}

// Return boxes for a text beside a vertex, the best ones first.
function boxesAround([x, y], radius, width, height) {
  const right = radius + 0.04 + width / 2;
  const beside = [-0.25, 0.25, 0].flatMap((down) => [[right, down], [-right, down]]);
  const offsets = [...beside, [0, 0.5], [0, -0.5]];
  return offsets.map(([across, down]) => boxAround([x + across, y + down], width, height));
}

// Return boxes for the times of vertices { at, text } and for the kinds of edges { curve, text }.
function placeLabels(vertices, edges, radius) {
  const ink = new Ink();
  for (const { at } of vertices) ink.addBox(boxAround(at, 2 * radius, 2 * radius));
  for (const { curve } of edges)
    for (let part = 0; part <= 1; part += 1 / 32) ink.addPoint(pointOn(curve, part));
  const ofVertices = vertices.map(({ at, text }) =>
    ink.placeIn(boxesAround(at, radius, LETTER_WIDTHS.time * text.length, LINE_HEIGHTS.time)),
  );
  const ofEdges = edges.map(({ curve, text }) =>
    ink.placeIn(boxesBeside(curve, LETTER_WIDTHS.kind * text.length, LINE_HEIGHTS.kind)),
  );
  return { ofVertices, ofEdges };
}
