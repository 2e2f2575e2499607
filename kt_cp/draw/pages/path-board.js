// A board with the path of a search or a tour, and the piece at its end.
const MAX_NUMBERED_SIDE = 20; // of a board whose squares show their numbers

// Return an SVG path that crosses out a square.
const crossAt = ({ columnOf, rowOf }, square) =>
  `M${columnOf(square) + 0.25} ${rowOf(square) + 0.25}l0.5 0.5m0 -0.5l-0.5 0.5`;

// Return an SVG path through the centers of squares.
const pathThrough = ({ pathFrom, pathTo }, squares) =>
  squares.map((square, i) => (i === 0 ? pathFrom(square) : pathTo(squares[i - 1], square))).join("");

// `shape` is that of the board, `glyph` the sign of the piece, `name` that of the run. The squares of
// the path are numbered from `firstStep`.
class PathBoard {
  constructor(shape, glyph, name, firstStep) {
    const { svg, cells, clipped } = shape.makeBoardElement();
    this.shape = shape;
    this.name = name;
    this.firstStep = firstStep;
    this.element = svg;
    this.cells = cells;
    this.isNumbered = Math.max(shape.rows, shape.columns) <= MAX_NUMBERED_SIDE;
    this.path = svgElement("path", { class: "path" });
    this.backtrack = svgElement("path", { class: "backtrack" });
    this.cross = svgElement("path", { class: "crossed-out" });
    clipped.append(this.path, this.backtrack, this.cross);
    this.labels = this.isNumbered ? cells.map((_, square) => this.makeLabel(square)) : [];
    this.makePiece(glyph);
    svg.append(...this.labels, this.piece);
    this.positions = new Int32Array(cells.length); // of squares on the path, from 1; otherwise 0
    this.shownPositions = new Int32Array(cells.length);
  }

  // The number of a square on a disc, which keeps the line of the path off it.
  makeLabel(square) {
    const disc = svgElement("circle", { r: 0.27 });
    const group = svgElement("g", { class: "square-step" }, disc, svgElement("text", { y: 0.11 }));
    const [x, y] = [this.shape.columnOf(square) + 0.5, this.shape.rowOf(square) + 0.5];
    group.setAttribute("transform", `translate(${x} ${y})`);
    group.style.display = "none";
    return group;
  }

  makePiece(glyph) {
    this.pieceStep = svgElement("text", { class: "piece-step", y: 0.36 });
    const sign = svgElement("text", { class: "glyph", y: this.isNumbered ? 0.1 : 0.2 }, glyph);
    this.piece = svgElement("g", { class: "here" }, svgElement("circle", { r: 0.45 }), sign, this.pieceStep);
  }

  // Show a path, closed to a cycle if `isClosed`. `backtrackedFrom` is the square that the search has
  // just left, or null; `sentence` describes the step.
  show(squares, backtrackedFrom, isClosed, sentence) {
    const { pathFrom, pathTo, rows, columns } = this.shape;
    const last = squares.at(-1);
    this.showVisited(squares);
    this.showPiece(squares, backtrackedFrom !== null);
    const closing = isClosed ? pathTo(last, squares[0]) : "";
    this.path.setAttribute("d", pathThrough(this.shape, squares) + closing);
    const isMoveBack = backtrackedFrom !== null && last !== undefined;
    this.backtrack.setAttribute("d", isMoveBack ? pathFrom(backtrackedFrom) + pathTo(backtrackedFrom, last) : "");
    this.cross.setAttribute("d", backtrackedFrom === null ? "" : crossAt(this.shape, backtrackedFrom));
    this.element.setAttribute("aria-label", `board ${rows}x${columns}, ${this.name}: ${sentence}`);
  }

  // Color and number the squares of the path; only squares that have changed are touched.
  showVisited(squares) {
    this.positions.fill(0);
    squares.forEach((square, i) => (this.positions[square] = i + 1));
    this.cells.forEach((cell, square) => {
      const position = this.positions[square];
      if (position === this.shownPositions[square]) return;
      this.shownPositions[square] = position;
      cell.classList.toggle("visited", position > 0);
      if (!this.isNumbered) return;
      this.labels[square].style.display = position > 0 ? "" : "none";
      this.labels[square].lastChild.textContent = position - 1 + this.firstStep;
    });
  }

  showPiece(squares, isBack) {
    const { rowOf, columnOf } = this.shape;
    const last = squares.at(-1);
    this.piece.style.display = last === undefined ? "none" : "";
    this.piece.classList.toggle("back", isBack);
    if (this.isNumbered) this.pieceStep.textContent = squares.length - 1 + this.firstStep;
    if (last !== undefined)
      this.piece.style.transform = `translate(${columnOf(last) + 0.5}px, ${rowOf(last) + 0.5}px)`;
  }
}
