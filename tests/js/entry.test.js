// Numbers that are typed digit by digit.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { NumberEntry } from "../../kt_cp/draw/pages/entry.js";

function typing(count, ...digits) {
  const log = [];
  const entry = new NumberEntry(count, {
    write: (square, number) => log.push(`${square}: ${number}`) > 0,
    takeBack: () => log.push("back"),
  });
  for (const digit of digits) entry.type(7, digit);
  return { entry, log };
}

test("a number is written when no digit can follow", () => {
  mock.timers.enable();
  assert.deepEqual(typing(36, "1", "7").log, ["7: 17"]);
  assert.deepEqual(typing(36, "4").log, ["7: 4"]);
  assert.deepEqual(typing(400, "1", "7").log, []);
  mock.timers.reset();
});

test("a pause writes it, and a late digit extends it", () => {
  mock.timers.enable();
  const { entry, log } = typing(36, "1");
  assert.deepEqual(log, []);
  mock.timers.tick(1200);
  assert.deepEqual(log, ["7: 1"]);
  entry.type(7, "7");
  assert.deepEqual(log, ["7: 1", "back", "7: 17"]);
  mock.timers.reset();
});

test("a late digit takes nothing back that it has not written", () => {
  mock.timers.enable();
  const log = [];
  const entry = new NumberEntry(36, { write: () => false, takeBack: () => log.push("back") });
  entry.type(7, "1");
  entry.end();
  entry.type(7, "7");
  assert.deepEqual(log, []);
  mock.timers.reset();
});

test("a number that is too large is dropped, and after a complete one another begins", () => {
  mock.timers.enable();
  const { entry, log } = typing(25, "2", "6");
  assert.deepEqual([log, entry.isOpen], [[], false]);
  assert.deepEqual(typing(25, "2", "5", "7").log, ["7: 25", "7: 7"]);
  mock.timers.reset();
});

test("another square, zero and erasing", () => {
  mock.timers.enable();
  const { entry, log } = typing(36, "0");
  assert.equal(entry.isOpen, false);
  entry.type(7, "1");
  entry.type(8, "2");
  entry.eraseDigit();
  assert.deepEqual([entry.isOpen, log], [false, []]);
  mock.timers.reset();
});
