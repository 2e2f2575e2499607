// The board of a puzzle as it is seen and named: numbers, pencil marks, the ring around the number
// that goes on, dots where it can go, and the lines of the path and of the reasons of a hint.
const MAX_NOTES = 6; // that are shown on a square

class PuzzleBoard {
  constructor(puzzle, shape, word) {
    this.puzzle = puzzle;
    this.shape = shape;
    this.word = word;
    const { svg, cells, over } = shape.makeSquares();
    this.cells = cells;
    this.line = make("path", { class: "path" });
    this.reasons = make("g");
    const given = puzzle.moves.map((move) => this.makeEdge("settled", move));
    const forbidden = puzzle.forbidden.map((move) => this.makeEdge("unused", move));
    over.append(this.line, ...given, ...forbidden, this.reasons);
    this.ring = make("circle", { class: "ring", r: 0.42 });
    this.dots = make("g", { class: "dots" });
    this.notes = make("g", { class: "pencils" });
    this.cursor = make("rect", { class: "cursor", width: 0.92, height: 0.92 });
    this.grounds = cells.map((_, square) => make("circle", { ...this.middleOf(square), r: 0.32 })); // no line crosses a number
    this.texts = cells.map((_, square) => this.makeText(square, 0.5, 0.65, { class: "entry" }));
    svg.append(...this.grounds, this.cursor, this.ring, this.dots, ...this.texts, this.notes);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", word("board", puzzle));
    svg.style.setProperty("--columns", puzzle.columns);
    this.svg = svg;
    this.element = html("div", { class: "picture puzzle" }, svg);
  }

  // Show the squares alone, for a page that writes the names of files and ranks itself.
  hideNames() {
    this.svg.setAttribute("viewBox", `0 0 ${this.puzzle.columns} ${this.puzzle.rows}`);
    this.svg.style.minWidth = "0";
  }

  // Call `onTap` and `onFocus` with a square when that happens to it.
  listen({ onTap, onFocus }) {
    this.cells.forEach((cell, square) => {
      if (this.shape.holes.has(square)) return;
      cell.setAttribute("role", "button");
      cell.setAttribute("tabindex", "-1");
      cell.addEventListener("click", () => {
        cell.focus();
        onTap(square);
      });
      cell.addEventListener("focus", () => onFocus(square));
    });
  }

  // Let the Tab key come to a square.
  select(square) {
    for (const cell of this.cells) cell.setAttribute("tabindex", "-1");
    this.cells[square].setAttribute("tabindex", "0");
  }

  // Show a game. Besides, `view` has the squares `current` (or null) and `selected`, those with a
  // dot, in conflict and found wrong (`dotted`, `conflicting`, `faults`), the `entry` that is typed,
  // the `hint` or null, and whether the puzzle `isFinished`.
  show(game, view) {
    this.cells.forEach((_, square) => {
      if (!this.shape.holes.has(square)) this.showSquare(square, game, view);
    });
    this.cursor.setAttribute("x", this.shape.columnOf(view.selected) + 0.04);
    this.cursor.setAttribute("y", this.shape.rowOf(view.selected) + 0.04);
    this.cursor.style.display = view.isFinished ? "none" : "";
    this.ring.style.display = view.current === null || view.isFinished ? "none" : "";
    if (view.current !== null) setAttributes(this.ring, this.middleOf(view.current));
    this.dots.replaceChildren(...view.dotted.map((square) => make("circle", { ...this.middleOf(square), r: 0.12 })));
    this.notes.replaceChildren(...this.puzzle.solution.filter(game.isEmpty).flatMap((square) => this.makeNotes(square, game)));
    this.reasons.replaceChildren(...(view.hint ? this.makeReasons(view.hint) : []));
    this.line.setAttribute("d", this.pathOf(game));
  }

  showSquare(square, game, { current, conflicting, faults, hint, entry }) {
    const number = game.numberOf(square);
    const isClue = game.clues.has(square);
    const isTyping = entry.isOpen && entry.square === square;
    const cell = this.cells[square];
    cell.setAttribute("aria-label", this.nameOf(square, game, conflicting));
    cell.setAttribute("aria-pressed", String(square === current));
    cell.classList.toggle("clue", isClue);
    cell.classList.toggle("reason", hint !== null && hint.about.includes(square));
    cell.classList.toggle("hinted", hint !== null && hint.square === square);
    const isFault = conflicting.has(square) || faults.includes(square);
    // Colored numbers can be read on plain squares only.
    const isTinted = isClue && !isFault;
    const shades = [...cell.classList].filter((name) => name !== "square");
    const ground = shades.filter((name) => isTinted || name === "light" || name === "dark");
    this.grounds[square].setAttribute("class", number ? `ground ${ground.join(" ")}` : "ground empty");
    const text = this.texts[square];
    text.textContent = isTyping ? `${entry.digits}_` : number || "";
    text.setAttribute("class", `entry ${isClue ? "given" : "own"}`);
    text.classList.toggle("typing", isTyping);
    text.classList.toggle("fault", isFault);
  }

  // The accessible name of a square, such as "b6, clue, 17".
  nameOf(square, game, conflicting) {
    const { word } = this;
    const number = game.numberOf(square);
    const notes = game.marksOf(square);
    const parts = [this.shape.nameOf(square)];
    if (game.clues.has(square)) parts.push(word("clue"));
    parts.push(number ? String(number) : word("empty"));
    if (notes.length && !number) parts.push(word("notes", { numbers: notes.join(" ") }));
    if (conflicting.has(square)) parts.push(word("in conflict"));
    return joinWords(word, parts);
  }

  // Draw the line from its beginning to its end, or without motion; or no longer.
  drawLine(isDrawn, isStill = false) {
    this.element.classList.toggle("solved", isDrawn);
    this.element.classList.toggle("still", isStill);
    if (isDrawn) this.line.setAttribute("pathLength", "1");
    else this.line.removeAttribute("pathLength");
  }

  get isShown() {
    return this.element.isConnected && this.element.getClientRects().length > 0;
  }

  // ----- parts of the picture
  middleOf(square) {
    return { cx: this.shape.columnOf(square) + 0.5, cy: this.shape.rowOf(square) + 0.5 };
  }

  makeText(square, right, down, attributes, ...children) {
    const place = { x: this.shape.columnOf(square) + right, y: this.shape.rowOf(square) + down };
    return make("text", { ...attributes, ...place }, ...children);
  }

  makeEdge(name, [from, to]) {
    return make("path", { class: `edge ${name}`, d: this.shape.begin(from) + this.shape.wayTo(from, to) });
  }

  // The pencil marks of a square, in two columns.
  makeNotes(square, game) {
    return game.marksOf(square).slice(0, MAX_NOTES).map((number, i) => {
      const [column, row] = [i % 2, Math.floor(i / 2)];
      return this.makeText(square, 0.27 + 0.46 * column, 0.28 + 0.29 * row, {}, String(number));
    });
  }

  // The moves on which a hint rests, but for those to the outside of the board.
  makeReasons(hint) {
    const isOnBoard = (move) => move.every((square) => square < this.puzzle.neighbors.length);
    return hint.premises.flatMap(({ moves, used }) =>
      moves.filter(isOnBoard).map((move) => this.makeEdge(used ? "premise" : "unused", move)),
    );
  }

  // The line through numbers that follow each other.
  pathOf(game) {
    const at = new Map([...game.numbers()].map(([square, number]) => [number, square]));
    let path = "";
    for (const [number, square] of at) {
      const next = at.get(game.following(number, 1));
      if (next === undefined || !game.isMove(square, next)) continue;
      path += this.shape.begin(square) + this.shape.wayTo(square, next);
    }
    return path;
  }
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
