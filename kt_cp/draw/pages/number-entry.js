// A number that is being typed. Its digits are written as a number when no digit can follow, at
// Enter, when another square is chosen, and after a while; even then a further digit extends it.
const ENTRY_TIME = 1200; // milliseconds

class NumberEntry {
  // `write(square, number)` writes a complete number and returns whether that changed anything;
  // `takeBack()` undoes such a change. Numbers go up to `count`.
  constructor(count, { write, takeBack }) {
    this.count = count;
    this.write = write;
    this.takeBack = takeBack;
    this.forget();
  }

  // Whether there are digits that are not written yet.
  get isOpen() {
    return this.digits !== "" && !this.isWritten;
  }

  forget() {
    clearTimeout(this.timer);
    this.square = null;
    this.digits = "";
    this.isWritten = false;
    this.hasChanged = false; // whether writing it has changed anything
  }

  type(square, digit) {
    const longer = this.square === square ? this.digits + digit : digit;
    const continues = longer.length > 1 && Number(longer) <= this.count;
    const digits = continues ? longer : digit;
    if (Number(digits) === 0) return;
    if (continues && this.hasChanged) this.takeBack();
    this.forget();
    this.square = square;
    this.digits = digits;
    if (Number(digits) * 10 > this.count) this.finish();
    else this.timer = setTimeout(() => this.finish(), ENTRY_TIME);
  }

  // Write the number, unless it is written already.
  finish() {
    if (!this.isOpen) return;
    clearTimeout(this.timer);
    this.isWritten = true;
    this.hasChanged = this.write(this.square, Number(this.digits));
  }

  // Write the number; no further digit continues it.
  end() {
    this.finish();
    this.forget();
  }

  eraseDigit() {
    this.digits = this.digits.slice(0, -1);
    if (this.digits === "") this.forget();
  }
}
