// The squares of a board, for every page that shows one: names, cells, outline, ways of moves.
const data = JSON.parse(document.getElementById("data").textContent);

const rowOf = (square) => Math.floor(square / data.columns);
const columnOf = (square) => square % data.columns;

function fileLetters(column) {
  const first = Math.floor(column / 26) - 1;
  return (first >= 0 ? fileLetters(first) : "") + String.fromCharCode(97 + (column % 26));
}

const nameOf = (square) => fileLetters(columnOf(square)) + (data.rows - rowOf(square));
const begin = (square) => `M${columnOf(square) + 0.5} ${rowOf(square) + 0.5}`;

// The rest of an SVG path from one square to the next, in two parts across a glued edge.
function wayTo(from, to) {
  const [row, column, toRow, toColumn] = [rowOf(from), columnOf(from), rowOf(to), columnOf(to)];
  const straight = `L${toColumn + 0.5} ${toRow + 0.5}`;
  const leads = ([down, right]) => row + down === toRow && column + right === toColumn;
  if (!data.jumps || data.jumps.some(leads)) return straight;
  const wraps = ([down, right]) =>
    (row + down - toRow) % data.rows === 0 && (column + right - toColumn) % data.columns === 0;
  const jump = data.jumps.find(wraps);
  if (!jump) return straight;
  const [down, right] = jump; // the board's edge cuts both parts off
  return `l${right} ${down}M${toColumn + 0.5 - right} ${toRow + 0.5 - down}${straight}`;
}

// An SVG element with the squares and the names of files and ranks. What is appended to `over` is
// cut off at the edge of the board.
function makeSquares() {
  const { rows, columns } = data;
  const named = Math.max(rows, columns) <= 26;
  const margin = named ? 0.6 : 0.1;
  const box = [-margin, -0.1, columns + margin + 0.1, rows + margin + 0.1];
  const svg = make("svg", { viewBox: box.join(" "), role: "img" });
  const cells = [];
  for (let square = 0; square < rows * columns; square++) {
    const place = { x: columnOf(square), y: rowOf(square), width: 1, height: 1 };
    const shade = (rows - 1 - rowOf(square) + columnOf(square)) % 2 ? "light" : "dark";
    cells.push(make("rect", { ...place, class: `square ${shade}` }));
  }
  const holes = new Set(data.holes);
  svg.append(...cells.filter((_, square) => !holes.has(square)));
  svg.append(make("path", { class: "outline", d: outline(holes) }));
  if (named) svg.append(...names());
  const over = make("svg", { width: columns, height: rows, viewBox: `0 0 ${columns} ${rows}` });
  svg.append(over);
  return { svg, cells, over };
}

// The sides between a square and a hole or the outside.
function outline(holes) {
  const has = (row, column) =>
    row >= 0 && row < data.rows && column >= 0 && column < data.columns && !holes.has(row * data.columns + column);
  let path = "";
  for (let row = 0; row <= data.rows; row++)
    for (let column = 0; column <= data.columns; column++) {
      if (has(row, column) !== has(row - 1, column)) path += `M${column} ${row}h1`;
      if (has(row, column) !== has(row, column - 1)) path += `M${column} ${row}v1`;
    }
  return path;
}

function names() {
  const texts = [];
  for (let column = 0; column < data.columns; column++)
    texts.push(make("text", { class: "name", x: column + 0.5, y: data.rows + 0.4 }, fileLetters(column)));
  for (let row = 0; row < data.rows; row++)
    texts.push(make("text", { class: "name", x: -0.3, y: row + 0.6 }, String(data.rows - row)));
  return texts;
}
