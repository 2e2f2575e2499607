// A board for every page that shows one: names of squares, lines of moves, and an SVG element.
// `shape` has rows, columns, holes and, unless the board is flat, the jumps of its piece.
function makeBoardShape(shape) {
  const { rows, columns } = shape;
  const holes = new Set(shape.holes);
  const rowOf = (square) => Math.floor(square / columns);
  const columnOf = (square) => square % columns;
  const nameOf = (square) => fileLetters(columnOf(square)) + (rows - rowOf(square));
  const shadeOf = (square) => ((rows - 1 - rowOf(square) + columnOf(square)) % 2 ? "light" : "dark");

  // The beginning of an SVG path at a square; `wayTo` continues it.
  const begin = (square) => `M${columnOf(square) + 0.5} ${rowOf(square) + 0.5}`;

  // The rest of an SVG path from one square to the next, in two parts across a glued edge.
  function wayTo(from, to) {
    const [row, column, toRow, toColumn] = [rowOf(from), columnOf(from), rowOf(to), columnOf(to)];
    const straight = `L${toColumn + 0.5} ${toRow + 0.5}`;
    const isDirect = ([down, right]) => row + down === toRow && column + right === toColumn;
    if (!shape.jumps || shape.jumps.some(isDirect)) return straight;
    const isAcrossEdge = ([down, right]) =>
      (row + down - toRow) % rows === 0 && (column + right - toColumn) % columns === 0;
    const jump = shape.jumps.find(isAcrossEdge);
    if (!jump) return straight;
    const [down, right] = jump; // the edge of the board cuts both parts off
    return `l${right} ${down}M${toColumn + 0.5 - right} ${toRow + 0.5 - down}${straight}`;
  }

  // An SVG element with the squares and the names of files and ranks. What is appended to `over`
  // is cut off at the edge of the board.
  function makeSquares() {
    const hasNames = Math.max(rows, columns) <= 26;
    const margin = hasNames ? 0.6 : 0.1;
    const box = [-margin, -0.1, columns + margin + 0.1, rows + margin + 0.1];
    const svg = svgElement("svg", { viewBox: box.join(" "), role: "img" });
    const cells = [];
    for (let square = 0; square < rows * columns; square++) {
      const place = { x: columnOf(square), y: rowOf(square), width: 1, height: 1 };
      cells.push(svgElement("rect", { ...place, class: `square ${shadeOf(square)}` }));
    }
    svg.append(...cells.filter((_, square) => !holes.has(square)));
    svg.append(svgElement("path", { class: "outline", d: outline() }));
    if (hasNames) svg.append(...makeNames());
    const over = svgElement("svg", { width: columns, height: rows, viewBox: `0 0 ${columns} ${rows}` });
    svg.append(over);
    return { svg, cells, over };
  }

  // The sides between a square and a hole or the outside.
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
    const texts = [];
    for (let column = 0; column < columns; column++)
      texts.push(svgElement("text", { class: "name", x: column + 0.5, y: rows + 0.4 }, fileLetters(column)));
    for (let row = 0; row < rows; row++)
      texts.push(svgElement("text", { class: "name", x: -0.3, y: row + 0.6 }, String(rows - row)));
    return texts;
  }

  return { rows, columns, holes, rowOf, columnOf, nameOf, shadeOf, begin, wayTo, makeSquares };
}

// The name of a file: a to z, then aa, ab and so on.
function fileLetters(column) {
  const first = Math.floor(column / 26) - 1;
  return (first >= 0 ? fileLetters(first) : "") + String.fromCharCode(97 + (column % 26));
}
