// The puzzle player: a board on which numbers are written by taps and keys, with pencil marks,
// undo, conflicts, hints and a clock. What was written is kept in the browser's localStorage.
//
// `makePuzzlePlayer(puzzle, word)` returns its three elements, `card` (the status), `board` and `panel`,
// for a page to place. All texts come from `word`; `onSolved` is called when the puzzle is solved or begun again.
const storageKey = (puzzle) =>
  `kt-puzzle ${puzzle.rows}x${puzzle.columns} ${JSON.stringify([puzzle.givens, puzzle.moves, puzzle.solution])}`;

// What was kept of a puzzle, or null.
function readSaved(puzzle) {
  try {
    return JSON.parse(localStorage.getItem(storageKey(puzzle)));
  } catch {
    return null; // where nothing may be kept
  }
}

const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;

// How a puzzle was solved, or an empty text.
function resultOf(puzzle, play, word) {
  if (!play.finished) return "";
  if (play.revealed) return word("revealed");
  const hints = { 0: "no hints", 1: "one hint" }[play.hints] ?? "hints";
  const facts = [clockText(play.seconds), puzzle.grade, word(hints, { count: play.hints })];
  return word("solved", { facts: joinWords(word, facts.filter(Boolean)) });
}

function makePuzzlePlayer(puzzle, word, onSolved = () => {}) {
  const shape = makeBoardShape(puzzle);
  const game = makeGame(puzzle, shape, word);
  const { nameOf, holes } = shape;
  const play = { seconds: 0, hints: 0, hinted: null, by: 1, finished: false, revealed: false };
  let current = null; // the square whose number goes on, with a ring
  let selected = puzzle.solution.reduce((one, other) => Math.min(one, other)); // where typing writes
  let entry = null; // digits that are being typed: { square, digits, written }
  let hint = null; // the last hint, until its number is written
  let faults = []; // squares that a check found wrong
  let pencil = false;

  // ----- what is seen
  const { svg, cells, over } = shape.makeSquares();
  const edge = (name) => ([a, b]) => make("path", { class: `edge ${name}`, d: shape.begin(a) + shape.wayTo(a, b) });
  const line = make("path", { class: "path" });
  const reasons = make("g");
  over.append(line, ...puzzle.moves.map(edge("settled")), ...puzzle.forbidden.map(edge("unused")), reasons);
  const middle = (square) => ({ cx: shape.columnOf(square) + 0.5, cy: shape.rowOf(square) + 0.5 });
  const ring = make("circle", { class: "ring", r: 0.42 });
  const dots = make("g", { class: "dots" });
  const texts = cells.map((_, square) =>
    make("text", { class: "entry", x: shape.columnOf(square) + 0.5, y: shape.rowOf(square) + 0.65 }),
  );
  const grounds = cells.map((_, square) => make("circle", { ...middle(square), r: 0.32 })); // no line crosses a number
  const pencils = make("g", { class: "pencils" });
  const cursor = make("rect", { class: "cursor", width: 0.92, height: 0.92 });
  svg.append(...grounds, cursor, ring, dots, ...texts, pencils);
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", word("board", puzzle));
  svg.style.setProperty("--columns", puzzle.columns);
  const board = html("div", { class: "picture puzzle" }, svg);

  const status = html("p", { class: "status", role: "status" });
  const clock = html("span", { class: "clock", role: "timer", "aria-live": "off" });
  const premises = html("ul", { class: "premises" });
  const share = html("button", { type: "button", class: "share filled" }, word("share"));
  const card = html("div", { class: "card" }, clock, share, status);
  const button = (name, action) => {
    const made = html("button", { type: "button", title: word(`${name} title`) }, word(name));
    made.onclick = action;
    return made;
  };
  const buttons = {
    hint: button("hint", showHint),
    check: button("check", check),
    undo: button("undo", () => step(game.undo, word("undone"))),
    redo: button("redo", () => step(game.redo, word("redone"))),
    pencil: button("pencil", togglePencil),
    direction: html("button", { type: "button", title: word("direction title") }),
  };
  buttons.direction.onclick = toggleDirection;
  buttons.hint.classList.add("filled");
  const tools = html("div", { class: "tools", role: "group", "aria-label": word("tools") }, ...Object.values(buttons));
  const keys = [..."12345", "erase", ..."67890", "enter"].map((name) => {
    const made = html("button", { type: "button" }, { erase: "⌫", enter: "✓" }[name] ?? name);
    made.setAttribute("aria-label", /\d/.test(name) ? name : word(name));
    made.onclick = () => press(name);
    return made;
  });
  const keypad = html("div", { class: "keypad", role: "group", "aria-label": word("keypad") }, ...keys);
  const restart = button("restart", () => (clearAll(), say(word("restarted"))));
  const reveal = button("reveal", showSolution);
  const more = html(
    "details",
    { class: "more" },
    html("summary", {}, word("more")),
    html("p", {}, puzzle.rules.join(" ")),
    html("p", {}, word("how to play")),
    html("div", { class: "tools two" }, restart, reveal),
  );
  const panel = html("div", { class: "panel" }, tools, keypad, premises, more);
  more.open = matchMedia("(min-width: 50.1rem)").matches;

  function say(text) {
    status.textContent = text;
    premises.replaceChildren();
  }

  const result = () => resultOf(puzzle, play, word);

  // The number that a tap on a dot writes: in the chosen direction, or the other if that one is
  // on the board already; 0 if both are.
  function nextNumber() {
    if (current === null) return 0;
    const both = [play.by, -play.by].map((by) => game.following(game.numberOf(current), by));
    return both.find((number) => number && game.squaresWith(number).length === 0) ?? 0;
  }

  const dotted = () => (nextNumber() ? puzzle.neighbors[current].filter(game.isEmpty) : []);

  function show() {
    const conflicts = game.conflicts();
    const conflicting = new Set(conflicts.flatMap(({ squares }) => squares));
    const about = new Set(hint ? hint.about : []);
    cells.forEach((cell, square) => {
      if (holes.has(square)) return;
      const isTyping = entry && !entry.written && entry.square === square;
      const number = game.numberOf(square);
      const isClue = game.clues.has(square);
      const marks = game.marksOf(square);
      const words = [nameOf(square), ...(isClue ? [word("clue")] : []), number ? String(number) : word("empty")];
      if (marks.length && !number) words.push(word("notes", { numbers: marks.join(" ") }));
      if (conflicting.has(square)) words.push(word("in conflict"));
      cell.setAttribute("aria-label", words.join(", "));
      cell.setAttribute("aria-pressed", String(square === current));
      cell.classList.toggle("clue", isClue);
      cell.classList.toggle("reason", about.has(square));
      cell.classList.toggle("hinted", hint?.square === square);
      const shades = [...cell.classList].filter((name) => name !== "square").join(" ");
      grounds[square].setAttribute("class", number ? `ground ${shades}` : "ground empty");
      const text = texts[square];
      text.textContent = isTyping ? `${entry.digits}_` : number || "";
      text.setAttribute("class", `entry ${isClue ? "given" : "own"}`);
      text.classList.toggle("typing", Boolean(isTyping));
      text.classList.toggle("fault", conflicting.has(square) || faults.includes(square));
    });
    cursor.setAttribute("x", shape.columnOf(selected) + 0.04);
    cursor.setAttribute("y", shape.rowOf(selected) + 0.04);
    cursor.style.display = play.finished ? "none" : "";
    ring.style.display = current === null || play.finished ? "none" : "";
    if (current !== null) for (const [name, value] of Object.entries(middle(current))) ring.setAttribute(name, value);
    dots.replaceChildren(...dotted().map((square) => make("circle", { ...middle(square), r: 0.12 })));
    pencils.replaceChildren(...puzzle.solution.filter(game.isEmpty).flatMap(notesAt));
    reasons.replaceChildren(...reasonLines());
    line.setAttribute("d", lineOf());
    buttons.undo.disabled = !game.canUndo() || play.finished;
    buttons.redo.disabled = !game.canRedo() || play.finished;
    buttons.hint.disabled = buttons.check.disabled = buttons.pencil.disabled = buttons.direction.disabled = play.finished;
    for (const each of keys) each.disabled = play.finished;
    buttons.pencil.setAttribute("aria-pressed", String(pencil));
    buttons.direction.textContent = directionText();
    buttons.direction.setAttribute("aria-label", word(play.by === 1 ? "up" : "down"));
    share.hidden = !play.finished || play.revealed;
    reveal.disabled = play.finished;
    restart.disabled = !game.canUndo() && !play.finished;
    clock.textContent = clockText(play.seconds);
    return conflicts;
  }

  // The number with the ring and the one that follows it, such as "6 → 7".
  function directionText() {
    const number = current === null ? 0 : game.numberOf(current);
    const next = number && game.following(number, play.by);
    if (next) return `${number} → ${next}`;
    return play.by === 1 ? "+1" : "−1";
  }

  // Notes in two columns.
  function notesAt(square) {
    return game.marksOf(square).slice(0, 6).map((number, i) => {
      const place = { x: shape.columnOf(square) + 0.27 + 0.46 * (i % 2), y: shape.rowOf(square) + 0.28 + 0.29 * Math.floor(i / 2) };
      return make("text", place, String(number));
    });
  }

  function reasonLines() {
    if (!hint) return [];
    const isOnBoard = (move) => move.every((square) => square < puzzle.neighbors.length);
    return hint.premises.flatMap(({ moves, used }) =>
      moves.filter(isOnBoard).map(edge(used ? "premise" : "unused")),
    );
  }

  // The line through numbers that follow each other.
  function lineOf() {
    const at = new Map([...game.numbers()].map(([square, number]) => [number, square]));
    let path = "";
    for (let number = 1; number <= puzzle.count; number++) {
      const next = at.get(game.following(number, 1));
      if (!at.has(number) || next === undefined || !game.isMove(at.get(number), next)) continue;
      path += shape.begin(at.get(number)) + shape.wayTo(at.get(number), next);
    }
    return path;
  }

  // ----- what is done
  function update(text) {
    const conflicts = show();
    if (!play.finished && game.isSolved()) return finish();
    if (text !== undefined) say(conflicts.length ? word("but", { said: text, conflict: conflicts[0].why }) : text);
    save();
  }

  function write(square, number) {
    if (pencil) {
      game.toggleMark(square, number);
      return update(word("noted", { number, square: nameOf(square) }));
    }
    if (!game.write(square, number)) return update();
    faults = [];
    if (hint && game.numberOf(hint.square)) hint = null;
    current = number ? endOfRun(square) : null;
    update(word(number ? "written" : "erased", { number, square: nameOf(square) }));
  }

  // From a number that was written go on along those that follow, which may be clues.
  function endOfRun(square) {
    const by = play.by;
    for (let at = square; ; ) {
      const [next, another] = game.squaresWith(game.following(game.numberOf(at), by));
      if (next === undefined || another !== undefined || !game.isMove(at, next) || next === square) return at;
      at = next;
    }
  }

  function tap(square) {
    leaveEntry();
    select(square);
    if (play.finished) return;
    if (hint?.square === square && game.isEmpty(square)) return write(square, hint.number);
    if (dotted().includes(square)) return write(square, nextNumber());
    const number = game.numberOf(square);
    current = number ? square : null;
    if (!number) return update(word("chosen", { square: nameOf(square) }));
    const next = nextNumber();
    update(word(next ? "current" : "complete", { number, square: nameOf(square), next }));
  }

  function select(square) {
    selected = square;
    for (const cell of cells) cell.setAttribute("tabindex", "-1");
    cells[square].setAttribute("tabindex", "0");
  }

  // A key of the keypad or the keyboard.
  function press(name) {
    if (play.finished) return;
    if (name === "enter") return leaveEntry();
    if (name === "erase") return erase();
    if (game.clues.has(selected)) return say(word("clue stays", { square: nameOf(selected) }));
    typeDigit(name);
  }

  function erase() {
    if (entry && !entry.written) {
      entry.digits = entry.digits.slice(0, -1);
      if (!entry.digits) entry = null;
      return show();
    }
    entry = null;
    if (game.clues.has(selected)) return say(word("clue stays", { square: nameOf(selected) }));
    write(selected, 0);
  }

  // A number is written when no digit can follow, at Enter, when another square is chosen, and
  // after a while; also then a further digit continues it.
  function typeDigit(digit) {
    const isSame = entry && entry.square === selected;
    const longer = isSame ? entry.digits + digit : digit;
    const digits = Number(longer) <= puzzle.count ? longer : digit;
    if (Number(digits) === 0) return;
    if (isSame && digits === longer && entry.written && !pencil) game.undo();
    clearTimeout(entry?.timer);
    entry = { square: selected, digits, written: false };
    if (Number(digits) * 10 > puzzle.count) return writeEntry();
    entry.timer = setTimeout(writeEntry, 1200);
    show();
  }

  function writeEntry() {
    if (!entry || entry.written) return;
    clearTimeout(entry.timer);
    entry.written = true;
    const { square, digits } = entry;
    if (pencil) entry = null;
    write(square, Number(digits));
  }

  function leaveEntry() {
    writeEntry();
    entry = null;
    show();
  }

  function step(travel, text) {
    leaveEntry();
    if (!travel()) return;
    faults = [];
    if (current !== null && !game.numberOf(current)) current = null;
    update(text);
  }

  function togglePencil() {
    leaveEntry();
    pencil = !pencil;
    update(word(pencil ? "notes on" : "notes off"));
  }

  function toggleDirection() {
    play.by = -play.by;
    update(word(play.by === 1 ? "counts up" : "counts down"));
  }

  function check() {
    leaveEntry();
    faults = game.wrongSquares();
    show();
    if (!faults.length) return say(word("right so far", { left: game.left() }));
    say(word("wrong", { count: faults.length, numbers: joinWords(word, faults.map(game.describe)) }));
  }

  // The same hint counts once, also after the page was closed and opened again.
  function countHint(square) {
    if (play.hinted !== square) play.hints++;
    play.hinted = square;
  }

  function showHint() {
    leaveEntry();
    const [wrong] = game.wrongSquares();
    if (wrong !== undefined) {
      faults = [wrong];
      countHint(wrong);
      hint = { square: wrong, about: [], premises: [] };
      show();
      return say(word("erase first", { number: game.numberOf(wrong), square: nameOf(wrong) }));
    }
    const found = findHint(puzzle, shape, game, word);
    countHint(found.square);
    hint = found;
    current = null;
    show();
    cells[found.square].scrollIntoView({ block: "nearest", inline: "nearest" });
    const { number, why } = found;
    say(word(found.premises.length ? "is on, since" : "is on", { number, square: nameOf(found.square), why }));
    premises.replaceChildren(...[...new Set(found.premises.map(({ why }) => why))].map((why) => html("li", {}, why)));
    save();
  }

  function showSolution() {
    leaveEntry();
    play.revealed = true;
    game.clear();
    game.fillIn(orderOf(game.solutionSteps()));
    finish();
  }

  const orderOf = (steps) => [...steps].sort(([, one], [, other]) => one - other).map(([square]) => square);

  function finish() {
    play.finished = true;
    current = hint = entry = null;
    faults = [];
    show();
    board.classList.add("solved");
    line.setAttribute("pathLength", "1");
    say(word("result", { result: result() }));
    save();
    onSolved();
  }

  function clearAll() {
    leaveEntry();
    game.clear();
    Object.assign(play, { seconds: 0, hints: 0, hinted: null, finished: false, revealed: false });
    board.classList.remove("solved");
    line.removeAttribute("pathLength");
    hint = current = null;
    faults = [];
    update();
    onSolved();
  }

  share.onclick = async () => {
    const address = location.protocol.startsWith("http") ? location.href : "";
    const text = word("shared", { title: puzzle.title, result: result(), address }).trim();
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ text });
      else await navigator.clipboard.writeText(text);
      say(word("copied", { result: result(), text }));
    } catch {
      say(word("copy this", { text })); // where the browser allows neither
    }
  };

  // ----- what is kept
  function save() {
    try {
      localStorage.setItem(storageKey(puzzle), JSON.stringify({ game: game.save(), play, current, selected, pencil }));
    } catch {
      // without storage the puzzle is played all the same
    }
  }

  function load() {
    const saved = readSaved(puzzle);
    if (!saved) return false;
    game.load(saved.game);
    Object.assign(play, saved.play);
    [current, selected, pencil] = [saved.current, saved.selected, saved.pencil];
    return true;
  }

  // ----- pointers, keys and time
  cells.forEach((cell, square) => {
    if (holes.has(square)) return;
    cell.setAttribute("role", "button");
    cell.setAttribute("tabindex", "-1");
    cell.addEventListener("click", () => {
      cell.focus();
      tap(square);
    });
    cell.addEventListener("focus", () => {
      if (square === selected) return;
      leaveEntry();
      select(square);
      show();
    });
  });

  function moveTo(name) {
    let to = squareAfter(name, selected, puzzle.rows, puzzle.columns);
    for (let before = selected; holes.has(to) && to !== before; )
      [before, to] = [to, squareAfter(name, to, puzzle.rows, puzzle.columns)];
    if (!holes.has(to)) cells[to].focus();
  }

  const isShown = () => board.isConnected && board.getClientRects().length > 0;

  function onKey(event) {
    const elsewhere = event.target.closest("input, textarea, select, summary, [contenteditable]");
    if (!isShown() || elsewhere || event.altKey) return;
    const name = event.key;
    if (event.ctrlKey || event.metaKey) {
      const isRedo = name === "y" || (event.shiftKey && name.toLowerCase() === "z");
      if (!isRedo && name !== "z") return;
      buttons[isRedo ? "redo" : "undo"].click();
    } else if (squareAfter(name, selected, puzzle.rows, puzzle.columns) !== null) moveTo(name);
    else if (/^[0-9]$/.test(name)) press(name);
    else if (name === "Delete" || name === "Backspace") press("erase");
    else if (name === "Escape") (current = null), leaveEntry();
    else if (name === "p" || name === "P") buttons.pencil.click();
    else if (name === "Enter" || name === " ") {
      if (!cells.includes(event.target)) return; // which presses a button
      if (entry && !entry.written) leaveEntry();
      else tap(selected);
    } else return;
    event.preventDefault();
  }

  function tick() {
    if (!isShown() || document.hidden || play.finished) return;
    play.seconds += 1;
    clock.textContent = clockText(play.seconds);
    save();
  }

  document.addEventListener("keydown", onKey);
  const timer = setInterval(tick, 1000);
  const isBack = load();
  select(selected);
  show();
  if (play.finished) {
    board.classList.add("solved", "still");
    line.setAttribute("pathLength", "1");
    say(word("result", { result: result() }));
  } else say(isBack && play.seconds ? word("welcome back", { left: game.left() }) : puzzle.rules[0]);

  function remove() {
    leaveEntry();
    document.removeEventListener("keydown", onKey);
    clearInterval(timer);
    for (const each of [card, board, panel]) each.remove();
  }

  return { card, board, panel, remove };
}
