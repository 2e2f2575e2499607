// The controls of a puzzle: the card with its status and clock, the buttons, and the keypad.
const TOOLS = ["hint", "check", "undo", "redo", "pencil", "direction"];
const MORE_TOOLS = ["restart", "reveal"];
const TOOLS_WHILE_PLAYING = ["hint", "check", "pencil", "direction", "reveal"];
const KEYS = [..."12345", "erase", ..."67890", "enter"];
const SIGNS = { erase: "⌫", enter: "✓" };

class PuzzleControls {
  // `actions` has a function for each button by its name, and `key(name)` for the keypad.
  constructor(rules, word, actions) {
    this.word = word;
    this.makeCard(actions);
    this.buttons = {};
    for (const name of [...TOOLS, ...MORE_TOOLS]) this.buttons[name] = this.makeButton(name, actions[name]);
    this.buttons.hint.classList.add("filled");
    this.buttons.direction.classList.add("direction");
    const tools = this.makeGroup("tools", ...this.buttonsOf(TOOLS));
    this.keys = KEYS.map((name) => this.makeKey(name, actions.key));
    this.premises = htmlElement("ul", { class: "premises" });
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
    this.panel = htmlElement("div", { class: "panel" }, tools, keypad, this.premises, more);
  }

  makeCard(actions) {
    this.status = htmlElement("p", { class: "status", role: "status" });
    this.clock = htmlElement("span", { class: "clock", role: "timer", "aria-live": "off" });
    this.share = htmlElement("button", { type: "button", class: "share filled" }, this.word("share"));
    this.share.onclick = actions.share;
    this.card = htmlElement("div", { class: "card" }, this.clock, this.share, this.status);
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

  // Say a sentence, with the premises on which it rests as a list below.
  say(text, premises = []) {
    this.status.textContent = text;
    this.premises.replaceChildren(...premises.map((premise) => htmlElement("li", {}, premise)));
  }

  showClock(seconds) {
    this.clock.textContent = clockText(seconds);
  }

  // Enable what can be done in a game. `progress` is that of the player, `directionText` the text of
  // the switch between counting up and down.
  show(game, progress, { isPencil, directionText }) {
    const { undo, redo, pencil, direction, restart } = this.buttons;
    const isFinished = progress.finished;
    for (const each of [...this.buttonsOf(TOOLS_WHILE_PLAYING), ...this.keys]) each.disabled = isFinished;
    undo.disabled = !game.canUndo || isFinished;
    redo.disabled = !game.canRedo || isFinished;
    restart.disabled = !game.canUndo && !isFinished;
    pencil.setAttribute("aria-pressed", String(isPencil));
    direction.textContent = directionText;
    direction.setAttribute("aria-label", this.word(progress.direction === 1 ? "counting up" : "counting down"));
    this.share.hidden = !isFinished || progress.revealed;
    this.showClock(progress.seconds);
  }

  remove() {
    this.card.remove();
    this.panel.remove();
  }
}
