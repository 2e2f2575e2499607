"""The English words of the puzzle player, as data, so that a page can speak another language.

A word in braces stands for a value: the script of the page fills it in. A translation has the same
keys, and in each text the same words in braces, in any order.
"""

from __future__ import annotations

PLAYER_WORDS = {
    # the names of the controls and what they do
    "hint": "Hint",
    "hint title": "Show one number, and why",
    "check": "Check",
    "check title": "Mark the numbers that are wrong",
    "undo": "Undo",
    "undo title": "Undo (Ctrl+Z)",
    "redo": "Redo",
    "redo title": "Do it again (Ctrl+Y)",
    "pencil": "Pencil",
    "pencil title": "Write small notes instead of numbers (P)",
    "direction title": "Count up or down from the number with the ring",
    "up": "Counting up",
    "down": "Counting down",
    "tools": "Tools",
    "keypad": "Keypad",
    "erase": "erase",
    "enter": "enter",
    "share": "Share",
    "restart": "Begin again",
    "restart title": "Erase what you wrote",
    "reveal": "Show the solution",
    "reveal title": "Fill in every number",
    "more": "How to play, solution",
    "how to play": (
        "Tap a number: it gets a ring, and dots show the squares one move away. A tap on a dot "
        "writes the next number. Or choose a square and type its number. Arrows move, Delete "
        "erases, Ctrl+Z undoes, P switches to small notes."
    ),
    # the accessible names of the board and of a square, whose parts are joined by commas
    "board": "board {rows}x{columns}",
    "clue": "clue",
    "empty": "empty",
    "notes": "notes {numbers}",
    "in conflict": "in conflict",
    # what the status says
    "number on square": "{number} on {square}",
    "and": "{first} and {last}",
    "list": "{first}, {last}",
    "written": "{number} on {square}.",
    "erased": "{square} is empty.",
    "noted": "Noted {number} on {square}.",
    "chosen": "{square} is chosen: type its number, or tap a number first.",
    "current": "{number} on {square}. The next tap writes {next}.",
    "complete": "{number} on {square}. The numbers before and after it are on the board.",
    "clue stays": "{square} is a clue, which stays.",
    "undone": "Undone.",
    "redone": "Done again.",
    "restarted": "Begun again.",
    "notes on": "Taps and digits write small notes now.",
    "notes off": "Taps and digits write numbers now.",
    "counts up": "Taps count up from the number with the ring.",
    "counts down": "Taps count down from the number with the ring.",
    "right so far": "All right so far, {left} to go.",
    "wrong": "{count} wrong: {numbers}.",
    "welcome back": "Welcome back: {left} to go.",
    "but": "{said} But {conflict}.",
    # conflicts, as parts of a sentence
    "twice": "{number} is on {first} and on {last}",
    "apart": "{one} and {other} are not one {move} apart",
    "must join": "the tour moves between {one} and {other}",
    "must not join": "the tour makes no move between {one} and {other}",
    # how a puzzle was solved
    "solved": "Solved in {facts}",
    "revealed": "The solution is shown",
    "hints": "{count} hints",
    "one hint": "1 hint",
    "no hints": "no hints",
    "result": "{result}.",
    "shared": "{title}: {result}. {address}",
    "copied": "{result}. Copied: {text}",
    "copy this": "Copy this: {text}",
    # hints: the number, its square and the reason; the premises follow as a list
    "is on": "{number} is on {square}: {why}.",
    "is on, since": "{number} is on {square}: {why}, since",
    "erase first": "{number} on {square} is wrong: erase it first.",
    "only empty from both": "it is the only empty square one {move} from both {one} and {other}",
    "only left from both": "it is the only square left one {move} from both {one} and {other}",
    "only empty from one": "it is the only empty square one {move} from {one}",
    "forced": "a move that must be made joins it with {one}",
    "others too far": (
        "of the squares one {move} from {one}, the others do not lead to {target} in time"
    ),
    "others named too far": (
        "of the squares one {move} from {one}, the others ({others}) do not lead to {target} in "
        "time"
    ),
    "others cut off": (
        "of the squares one {move} from {one}, the others leave some square out of reach"
    ),
    "others named cut off": (
        "of the squares one {move} from {one}, the others ({others}) leave some square out of reach"
    ),
    "no other square": "no other square can have {number}",
    "no other square, counting": (
        "no other square can have {number}, counting moves from {numbers}"
    ),
    "no other number": "no other number can be here",
    "no other number, counting": "no other number can be here, counting moves from {numbers}",
    "begin anywhere": "without numbers, the tour may begin anywhere",
    "by trying": "this must be found by trying",
    # the list of several puzzles
    "puzzles": "Puzzles",
    "puzzle": "Puzzle {number}",
}
"""Each text by its key; the keys in quotes are those of the scripts ``puzzle.js`` and its kin."""
