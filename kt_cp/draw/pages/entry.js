// @ts-check
// A number that is being typed. Its digits are written as a number when no digit can follow, at
// Enter, when another square is chosen, and after a while, after which a digit still extends it.
const ENTRY_TIME = 1200; // milliseconds

// An entry `isOpen` while its digits are not written. Until it is forgotten, a digit can still extend
// a number that was written; `hasChanged` tells whether writing it has changed anything.
export class NumberEntry {
  // `write(square, number)` writes a complete number and returns whether that changed anything;
  // `takeBack()` undoes such a change. Numbers go up to `count`.
  constructor(count, { write, takeBack }) {
    this.count = count;
    this.write = write;
    this.takeBack = takeBack;
    this.forget();
  }

  forget() {
    clearTimeout(this.timer);
    this.square = null;
    this.digits = "";
    this.isOpen = false;
    this.hasChanged = false;
  }

  // Append a digit to the number on a square. Where the number gets too large, drop it if it was
  // still being typed, and else begin another one.
  type(square, digit) {
    const longer = this.square === square ? this.digits + digit : "";
    const isExtended = longer !== "" && Number(longer) <= this.count;
    if (this.isOpen && longer !== "" && !isExtended) return this.forget();
    const digits = isExtended ? longer : digit;
    if (Number(digits) === 0) return;
    if (isExtended && this.hasChanged) this.takeBack();
    this.forget();
    Object.assign(this, { square, digits, isOpen: true });
    const isComplete = Number(digits) * 10 > this.count;
    if (isComplete) this.finish();
    else this.finishLater();
  }

  finishLater() {
    this.timer = setTimeout(() => this.finish(), ENTRY_TIME);
  }

  finish() {
    if (!this.isOpen) return;
    clearTimeout(this.timer);
    this.isOpen = false;
    const hasChanged = this.write(this.square, Number(this.digits));
    const isForgotten = this.square === null; // by what `write` has called
    this.hasChanged = hasChanged && !isForgotten;
  }

  // Write the number; no further digit extends it.
  end() {
    this.finish();
    this.forget();
  }

  eraseDigit() {
    this.digits = this.digits.slice(0, -1);
    if (this.digits === "") this.forget();
  }
}
