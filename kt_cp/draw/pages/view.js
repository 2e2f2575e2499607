// @ts-check
// The picture of a puzzle, with accessible names: numbers and notes, a ring around the current number,
// dots on the squares for the next one, and lines for the path and for the reasons of a hint.
import { htmlElement, joinSentences, joinWords, setAttributes, svgElement } from "./dom.js";
import { clockText } from "./game.js";

const MAX_NOTES = 6; // shown on a square

export class PuzzleBoard {
  constructor(puzzle, shape, word) {
    this.puzzle = puzzle;
    this.squares = puzzle.solution; // all of them, without the holes
    this.shape = shape;
    this.word = word;
    const { svg, cells, clipped } = shape.makeBoardElement();
    this.cells = cells;
    clipped.append(...this.makeLines());
    svg.append(...this.makeMarks());
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", word("board", puzzle));
    svg.style.setProperty("--columns", puzzle.columns);
    svg.classList.toggle("long", puzzle.count > 99); // numbers of three digits
    this.svg = svg;
    this.element = htmlElement("div", { class: "picture puzzle still" }, svg);
    this.element.addEventListener("scroll", () => this.showEdges());
    new ResizeObserver(() => this.showEdges()).observe(this.element);
  }

  // Fade the board at the edges beyond which it is scrolled.
  showEdges() {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = this.element;
    const beyond = {
      left: scrollLeft,
      right: scrollWidth - clientWidth - scrollLeft,
      top: scrollTop,
      bottom: scrollHeight - clientHeight - scrollTop,
    };
    for (const [side, length] of Object.entries(beyond))
      this.element.style.setProperty(`--fade-${side}`, length > 2 ? "2.5rem" : "0px");
  }

  // The lines between squares. Given and forbidden moves have the colors of proofs.
  makeLines() {
    this.line = svgElement("path", { class: "path", pathLength: 1 });
    this.reasons = svgElement("g");
    const given = this.puzzle.moves.map((move) => this.makeEdge("given", move));
    const forbidden = this.puzzle.forbidden.map((move) => this.makeEdge("excluded", move));
    return [this.line, ...given, ...forbidden, this.reasons];
  }

  // What is on squares. Discs below the numbers hide the lines; those of squares in order are
  // larger and have an outline.
  makeMarks() {
    this.ring = svgElement("circle", { class: "ring", r: 0.42 });
    this.dots = svgElement("g", { class: "dots" });
    this.notes = svgElement("g", { class: "notes" });
    this.cursor = svgElement("rect", { class: "cursor", width: 0.92, height: 0.92 });
    const radiusOf = (square) => (this.puzzle.order.includes(square) ? 0.32 : 0.36);
    this.discs = this.cells.map((_, square) => svgElement("circle", { ...this.middleOf(square), r: radiusOf(square) }));
    this.texts = this.cells.map((_, square) => this.makeText(square, 0.5, 0.65, { class: "entry" }));
    this.positions = new Map(this.puzzle.order.map((square, i) => [square, svgElement("text", {}, String(i + 1))]));
    const positions = [...this.positions.values()];
    const onSquares = (marks) => this.squares.map((square) => marks[square]);
    const below = [...onSquares(this.discs), this.cursor, this.ring, this.dots];
    return [...below, ...positions, ...onSquares(this.texts), this.notes];
  }

  listen({ onTap, onFocus }) {
    for (const square of this.squares) {
      const cell = this.cells[square];
      cell.setAttribute("role", "button");
      cell.setAttribute("tabindex", "-1");
      cell.addEventListener("click", () => {
        cell.focus();
        onTap(square);
      });
      cell.addEventListener("focus", () => onFocus(square));
    }
  }

  select(square) {
    for (const cell of this.cells) cell.setAttribute("tabindex", "-1");
    this.cells[square].setAttribute("tabindex", "0");
  }

  // Show a game. `view` has the squares `current` (or null) and `selected`, which is marked if there is
  // a cursor (`hasCursor`), the squares that are
  // `dotted`, `conflicting` and found wrong (`faults`), the number `entry`, the `hint` or null, and
  // whether the puzzle `isFinished`, and `isRevealed` rather than solved.
  show(game, view) {
    for (const square of this.squares) this.showSquare(square, game, view);
    this.element.classList.toggle("finished", view.isFinished);
    this.element.classList.toggle("solved", view.isFinished && !view.isRevealed);
    this.cursor.setAttribute("x", this.shape.columnOf(view.selected) + 0.04);
    this.cursor.setAttribute("y", this.shape.rowOf(view.selected) + 0.04);
    this.cursor.style.display = view.hasCursor && !view.isFinished ? "" : "none";
    this.ring.style.display = view.current === null || view.isFinished ? "none" : "";
    if (view.current !== null) setAttributes(this.ring, this.middleOf(view.current));
    const dots = view.dotted.map((square) => svgElement("circle", { ...this.middleOf(square), r: 0.12 }));
    this.dots.replaceChildren(...dots);
    this.notes.replaceChildren(...game.emptySquares.flatMap((square) => this.makeNotes(square, game)));
    this.reasons.replaceChildren(...(view.hint ? this.makeReasons(view.hint) : []));
    this.line.setAttribute("d", this.pathOf(game));
  }

  showSquare(square, game, view) {
    const cell = this.cells[square];
    cell.setAttribute("aria-label", this.nameOf(square, game, view.conflicting));
    cell.setAttribute("aria-pressed", String(square === view.current));
    cell.setAttribute("class", `square ${this.shadesOf(square, game, view.hint).join(" ")}`);
    this.showNumber(square, game, view);
    if (this.positions.has(square)) this.showPosition(square, game, view);
  }

  // The classes that color a square: that of the empty board, then those that cover it.
  shadesOf(square, game, hint) {
    const shades = [this.shape.shadeOf(square)];
    if (game.clues.has(square)) shades.push("clue");
    if (hint !== null && hint.about.includes(square)) shades.push("reason");
    if (hint !== null && hint.square === square) shades.push("hinted");
    return shades;
  }

  // Show a number on a disc of the color of its square. Only the numbers of clues are legible on
  // other colors than those of the empty board.
  showNumber(square, game, { conflicting, faults, entry, hint }) {
    const number = game.numberOf(square);
    const isClue = game.clues.has(square);
    const isFault = conflicting.has(square) || faults.includes(square);
    const isTyping = entry.isOpen && entry.square === square;
    const shades = isClue && !isFault ? this.shadesOf(square, game, hint) : [this.shape.shadeOf(square)];
    this.discs[square].setAttribute("class", number ? `disc ${shades.join(" ")}` : "disc empty");
    this.discs[square].classList.toggle("in-order", this.positions.has(square));
    this.discs[square].classList.toggle("noted", game.notesOf(square).length > 0);
    const text = this.texts[square];
    text.textContent = isTyping ? `${entry.digits}_` : number || "";
    text.setAttribute("class", `entry ${isClue ? "clue" : "own"}`);
    text.classList.toggle("typing", isTyping);
    text.classList.toggle("fault", isFault);
  }

  // Show the position of a square in the order: on its disc, or in the corner if the disc is used.
  showPosition(square, game, { dotted, entry }) {
    const isTyping = entry.isOpen && entry.square === square;
    const isNoted = game.notesOf(square).length > 0;
    const isUsed = game.numberOf(square) > 0 || isNoted || isTyping || dotted.includes(square);
    const [right, down] = isUsed ? [0.05, 0.2] : [0.5, 0.65];
    const place = { x: this.shape.columnOf(square) + right, y: this.shape.rowOf(square) + down };
    setAttributes(this.positions.get(square), { ...place, class: isUsed ? "position small" : "position" });
  }

  // The accessible name of a square, such as "b6, clue, 17" or "c3, disc 2, empty".
  nameOf(square, game, conflicting) {
    const { word } = this;
    const number = game.numberOf(square);
    const notes = game.notesOf(square);
    const parts = [this.shape.nameOf(square)];
    if (game.positions.has(square)) parts.push(word("disc", { position: game.positions.get(square) }));
    if (game.clues.has(square)) parts.push(word("clue"));
    parts.push(number ? String(number) : word("empty"));
    if (notes.length && !number) parts.push(word("notes", { numbers: notes.join(" ") }));
    if (conflicting.has(square)) parts.push(word("in conflict"));
    return joinWords(word, parts);
  }

  // Draw the line of a solved puzzle from its beginning to its end; one that is solved already is still.
  celebrate() {
    this.element.classList.remove("still");
  }

  get isShown() {
    return this.element.isConnected && this.element.getClientRects().length > 0;
  }

  middleOf(square) {
    return { cx: this.shape.columnOf(square) + 0.5, cy: this.shape.rowOf(square) + 0.5 };
  }

  // A text on a square; `right` and `down` are distances from its corner, in squares.
  makeText(square, right, down, attributes, ...children) {
    const place = { x: this.shape.columnOf(square) + right, y: this.shape.rowOf(square) + down };
    return svgElement("text", { ...attributes, ...place }, ...children);
  }

  makeEdge(name, [from, to]) {
    return svgElement("path", { class: `edge ${name}`, d: this.shape.pathFrom(from) + this.shape.pathTo(from, to) });
  }

  // The notes of a square, in two columns. The first place is left to the position in the order.
  makeNotes(square, game) {
    const first = this.positions.has(square) ? 1 : 0;
    return game.notesOf(square).slice(0, MAX_NOTES - first).map((number, i) => {
      const [column, row] = [(first + i) % 2, Math.floor((first + i) / 2)];
      return this.makeText(square, 0.27 + 0.46 * column, 0.28 + 0.29 * row, {}, String(number));
    });
  }

  // The moves on which a hint rests, except those to the outside of the board.
  makeReasons(hint) {
    const isOnBoard = (move) => move.every((square) => square < this.puzzle.neighbors.length);
    return hint.premises.flatMap(({ moves, used }) =>
      moves.filter(isOnBoard).map((move) => this.makeEdge(used ? "premise" : "excluded", move)),
    );
  }

  pathOf(game) {
    const squareOf = new Map([...game.numbers].map(([square, number]) => [number, square]));
    let path = "";
    for (const [number, square] of squareOf) {
      const next = squareOf.get(game.nextNumber(number, 1));
      if (next === undefined || !game.isMove(square, next)) continue;
      path += this.shape.pathFrom(square) + this.shape.pathTo(square, next);
    }
    return path;
  }
}

// The controls of a puzzle: the card with its status and clock, the buttons, and the keypad.
const TOOLS = ["hint", "check", "undo", "redo", "pencil", "direction"];
const MORE_TOOLS = ["restart", "reveal"];
const TOOLS_WHILE_PLAYING = ["hint", "pencil", "direction", "reveal"];
const KEYS = [..."12345", "erase", ..."67890", "enter"];
const SIGNS = { erase: "⌫", enter: "✓" };

export class PuzzleControls {
  // `actions` has a function for each button by its name, and `key(name)` for the keypad.
  constructor(rules, word, actions) {
    this.word = word;
    this.status = htmlElement("p", { class: "status", role: "status" });
    this.clock = htmlElement("span", { class: "clock", role: "timer", "aria-live": "off" });
    this.endings = htmlElement("div", { class: "endings" });
    this.next = this.makeEnding("next puzzle", actions.next);
    this.share = this.makeEnding("share", actions.share);
    this.again = this.makeEnding("restart", actions.restart);
    this.premises = htmlElement("ul", { class: "premises" });
    this.tip = htmlElement("p", { class: "tip" });
    const lines = [this.clock, this.status, this.premises, this.tip, this.endings];
    this.card = htmlElement("div", { class: "card" }, ...lines);
    this.buttons = {};
    for (const name of [...TOOLS, ...MORE_TOOLS]) this.buttons[name] = this.makeButton(name, actions[name]);
    this.buttons.check.classList.add("filled");
    this.buttons.direction.classList.add("direction");
    const tools = this.makeGroup("tools", ...this.buttonsOf(TOOLS));
    this.keys = KEYS.map((name) => this.makeKey(name, actions.key));
    const more = htmlElement(
      "details",
      { class: "more" },
      htmlElement("summary", {}, word("more")),
      htmlElement("p", {}, joinSentences(word, rules)),
      htmlElement("p", {}, word("how to play")),
      htmlElement("div", { class: "tools two" }, ...this.buttonsOf(MORE_TOOLS)),
    );
    more.open = matchMedia("(min-width: 50.1rem)").matches; // where puzzle.css puts it beside the board
    const keypad = this.makeGroup("keypad", ...this.keys);
    this.panel = htmlElement("div", { class: "panel" }, tools, keypad, more);
  }

  buttonsOf(names) {
    return names.map((name) => this.buttons[name]);
  }

  makeButton(name, action) {
    const attributes = { type: "button", title: this.word(`${name} title`) };
    const button = htmlElement("button", attributes);
    if (name !== "direction") button.append(this.word(name));
    button.onclick = action;
    return button;
  }

  // A button of the card, for when the puzzle is finished.
  makeEnding(key, action) {
    const button = htmlElement("button", { type: "button" }, this.word(key));
    button.onclick = action;
    return button;
  }

  makeKey(name, action) {
    const isDigit = name.length === 1;
    const label = isDigit ? name : this.word(name);
    const key = htmlElement("button", { type: "button", "aria-label": label }, isDigit ? name : SIGNS[name]);
    key.onclick = () => action(name);
    return key;
  }

  makeGroup(name, ...children) {
    return htmlElement("div", { class: name, role: "group", "aria-label": this.word(name) }, ...children);
  }

  // Say a sentence, with the premises on which it rests as a list below, and what to do then.
  say(text, premises = [], tip = "") {
    this.status.textContent = text;
    this.tip.textContent = tip;
    this.premises.replaceChildren(...premises.map((premise) => htmlElement("li", {}, premise)));
  }

  showClock(seconds) {
    this.clock.textContent = clockText(seconds);
  }

  // Enable what can be done in a game. `progress` is that of the player, `directionText` the text of
  // the switch between counting up and down.
  show(game, progress, { isPencil, directionText }) {
    const { check, undo, redo, pencil, direction, restart } = this.buttons;
    const { finished: isFinished, revealed: isRevealed } = progress;
    for (const each of [...this.buttonsOf(TOOLS_WHILE_PLAYING), ...this.keys]) each.disabled = isFinished;
    check.disabled = !game.hasOwnNumbers || isFinished;
    undo.disabled = !game.canUndo || isFinished;
    redo.disabled = !game.canRedo || isFinished;
    restart.disabled = !game.canUndo && !isFinished;
    pencil.setAttribute("aria-pressed", String(isPencil));
    direction.textContent = directionText;
    direction.setAttribute("aria-label", this.word(progress.direction === 1 ? "counting up" : "counting down"));
    const endings = [this.next.onclick && this.next, !isRevealed && this.share, this.again];
    this.endings.replaceChildren(...(isFinished ? endings.filter(Boolean) : []));
    for (const each of [this.card, this.panel]) each.classList.toggle("finished", isFinished);
    this.card.classList.toggle("solved", isFinished && !isRevealed);
    this.showClock(progress.seconds);
  }

  remove() {
    this.card.remove();
    this.panel.remove();
  }
}
