// @ts-check
// A board for every page that shows one: names of squares, lines of moves, and an SVG element.
import { svgElement } from "./dom.js";

const MAX_NAMED_SIDE = 26; // of a board whose files and ranks are named
const [FEW_LINES, SOME_LINES] = [8, 12]; // files and ranks of boards whose squares are large
const MARGIN = 0.02; // around the squares, so that the outline is seen whole
const NAMES_MARGIN = 0.45; // at the left and at the bottom

// Return the shape of a board.
// `board` has rows, columns and holes, and of these the `enclosed` ones, which are shaded. If edges are
// glued, it also has the jumps of its piece; the left and right edges are glued then, and the top and
// bottom edges if `gluesRows`.
export function makeBoardShape(board) {
  const { rows, columns, jumps, gluesRows } = board;
  const holes = new Set(board.holes);
  const rowOf = (square) => Math.floor(square / columns);
  const columnOf = (square) => square % columns;
  const nameOf = (square) => fileLetters(columnOf(square)) + (rows - rowOf(square));
  const shadeOf = (square) => ((rows - 1 - rowOf(square) + columnOf(square)) % 2 ? "light" : "dark");

  // The beginning of an SVG path at a square; `pathTo` continues it.
  const pathFrom = (square) => `M${columnOf(square) + 0.5} ${rowOf(square) + 0.5}`;

  // The rest of an SVG path from one square to the next. Across a glued edge it has two parts, which
  // go beyond the edges and are clipped there.
  function pathTo(from, to) {
    const [row, column, toRow, toColumn] = [rowOf(from), columnOf(from), rowOf(to), columnOf(to)];
    const straight = `L${toColumn + 0.5} ${toRow + 0.5}`;
    const isDirect = ([down, right]) => row + down === toRow && column + right === toColumn;
    if (!jumps || jumps.some(isDirect)) return straight;
    const isToRow = (down) => (gluesRows ? (row + down - toRow) % rows === 0 : row + down === toRow);
    const isToColumn = (right) => (column + right - toColumn) % columns === 0;
    const jump = jumps.find(([down, right]) => isToRow(down) && isToColumn(right));
    if (!jump) return straight;
    const [down, right] = jump;
    return `l${right} ${down}M${toColumn + 0.5 - right} ${toRow + 0.5 - down}${straight}`;
  }

  // An SVG element with the squares and the names of files and ranks, and within it `clipped`, an
  // element for lines, which are clipped at the edge of the board.
  function makeBoardElement() {
    const hasNames = Math.max(rows, columns) <= MAX_NAMED_SIDE;
    const wide = hasNames ? NAMES_MARGIN : MARGIN;
    const box = [-wide, -MARGIN, wide + columns + MARGIN, MARGIN + rows + wide];
    const svg = svgElement("svg", { viewBox: box.join(" "), preserveAspectRatio: "xMinYMin", role: "img" });
    svg.style.setProperty("--ratio", String(box[2] / box[3]));
    svg.style.setProperty("--names", String(wide)); // with the margin, for pages that lay it over another board
    svg.style.setProperty("--margin", String(MARGIN));
    const cells = [];
    for (let square = 0; square < rows * columns; square++) {
      const place = { x: columnOf(square), y: rowOf(square), width: 1, height: 1 };
      cells.push(svgElement("rect", { ...place, class: `square ${shadeOf(square)}` }));
    }
    svg.append(...cells.filter((_, square) => !holes.has(square)));
    for (const square of board.enclosed) {
      cells[square].setAttribute("class", "hole");
      svg.append(cells[square]);
    }
    svg.append(svgElement("path", { class: "outline", d: outline() }));
    if (hasNames) svg.append(...makeNames());
    const clipped = svgElement("svg", { width: columns, height: rows, viewBox: `0 0 ${columns} ${rows}` });
    svg.append(clipped);
    return { svg, cells, clipped };
  }

  // An SVG path of the sides between a square and a hole or the outside.
  function outline() {
    const has = (row, column) =>
      row >= 0 && row < rows && column >= 0 && column < columns && !holes.has(row * columns + column);
    let path = "";
    for (let row = 0; row <= rows; row++)
      for (let column = 0; column <= columns; column++) {
        if (has(row, column) !== has(row - 1, column)) path += `M${column} ${row}h1`;
        if (has(row, column) !== has(row, column - 1)) path += `M${column} ${row}v1`;
      }
    return path;
  }

  // The names of files below the board, and of ranks at its left.
  function makeNames() {
    const lines = Math.max(rows, columns);
    const className = lines <= FEW_LINES ? "name few" : lines <= SOME_LINES ? "name some" : "name";
    const texts = [];
    for (let column = 0; column < columns; column++)
      texts.push(svgElement("text", { class: className, x: column + 0.5, y: rows + 0.09 }, fileLetters(column)));
    for (let row = 0; row < rows; row++)
      texts.push(svgElement("text", { class: `${className} rank`, x: -0.09, y: row + 0.5 }, String(rows - row)));
    return texts;
  }

  return { rows, columns, holes, rowOf, columnOf, nameOf, shadeOf, pathFrom, pathTo, makeBoardElement };
}

// The name of a file: a to z, then aa, ab and so on.
export function fileLetters(column) {
  const first = Math.floor(column / 26) - 1;
  return (first >= 0 ? fileLetters(first) : "") + String.fromCharCode(97 + (column % 26));
}

// Return an SVG path through the centers of squares.
export const pathThrough = ({ pathFrom, pathTo }, squares) =>
  squares.map((square, i) => (i === 0 ? pathFrom(square) : pathTo(squares[i - 1], square))).join("");

// The square to which a key moves the focus, or null for another key.
export function squareAfter(key, square, rows, columns) {
  const column = square % columns;
  const targets = {
    ArrowUp: square - columns,
    ArrowDown: square + columns,
    ArrowLeft: column > 0 ? square - 1 : square,
    ArrowRight: column < columns - 1 ? square + 1 : square,
    Home: square - column,
    End: square - column + columns - 1,
    PageUp: column,
    PageDown: (rows - 1) * columns + column,
  };
  if (!(key in targets)) return null;
  return targets[key] >= 0 && targets[key] < rows * columns ? targets[key] : square;
}

// What a key pressed with Ctrl means: "undo", "redo" or null.
export function commandOf(event) {
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) return "redo";
  return key === "z" ? "undo" : null;
}
