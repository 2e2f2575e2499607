"""Pieces and their jumps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from kt_cp.messages import InputError

Jump = tuple[int, int]

# The names are those of fairy chess (Dickins, A Guide to Fairy Chess, 1971).
_NAMED: dict[str, tuple[Jump, ...]] = {
    "knight": ((1, 2),),
    "wazir": ((0, 1),),
    "ferz": ((1, 1),),
    "king": ((0, 1), (1, 1)),
    "dabbaba": ((0, 2),),
    "alfil": ((2, 2),),
    "threeleaper": ((0, 3),),
    "camel": ((1, 3),),
    "zebra": ((2, 3),),
    "giraffe": ((1, 4),),
    "antelope": ((3, 4),),
    "fiveleaper": ((0, 5), (3, 4)),
}
HORSE = "horse"

_WANTED = (
    f"give a name ({', '.join([*_NAMED, HORSE])}), a leaper such as 2,3, or several joined: 3,4+0,5"
)
_LEAPER = re.compile(r"(\d{1,4})\s*,\s*(\d{1,4})", re.ASCII)


@dataclass(frozen=True)
class Piece:
    """A piece that jumps: a knight, another leaper, or several joined.

    ``sides`` holds the two sides of each kind of jump, the smaller first, in ascending order. The
    horse is ``blockable``: a hole beside it in the direction of the long side blocks it.

    >>> Piece.parse("2,3").name, Piece.parse("3,4+0,5").name, Piece.parse("ferz+camel").name
    ('zebra', 'fiveleaper', '1,1+1,3')
    """

    sides: tuple[Jump, ...]
    blockable: bool = False

    @classmethod
    def parse(cls, text: str) -> Piece:
        """Return the piece for a name, a leaper such as ``2,3``, or several joined by ``+``.

        Raises `InputError` for anything else.
        """
        if not isinstance(text, str):
            raise InputError(f"piece {text!r}: {_WANTED}")
        if text.strip().lower() == HORSE:
            return cls(_NAMED["knight"], blockable=True)
        sides: set[Jump] = set()
        for part in text.lower().split("+"):
            leaper = _LEAPER.fullmatch(part.strip())
            if leaper and leaper.groups() != ("0", "0"):
                small, large = sorted(map(int, leaper.groups()))
                sides.add((small, large))
            elif part.strip() in _NAMED:
                sides.update(_NAMED[part.strip()])
            else:
                raise InputError(f"piece {text!r}: {_WANTED}")
        return cls(tuple(sorted(sides)))

    @property
    def name(self) -> str:
        """The usual name, or else the sides of the jumps, such as ``2,5``."""
        if self.blockable:
            return HORSE
        names = [name for name, sides in _NAMED.items() if sides == self.sides]
        return names[0] if names else "+".join(f"{a},{b}" for a, b in self.sides)

    @property
    def move_name(self) -> str:
        """The name of its move, such as ``knight's move``."""
        return f"{self.name} leap" if self.name[0].isdigit() else f"{self.name}'s move"

    @cached_property
    def jumps(self) -> tuple[Jump, ...]:
        """The jumps as (rows down, columns right); those of the knight in the textbook's order."""
        jumps = []
        for short, long in self.sides:
            for sign in (-1, 1):  # up, then down
                for vertical, horizontal in ((short, long), (long, short)):
                    jumps += [(sign * vertical, -horizontal), (sign * vertical, horizontal)]
        return tuple(dict.fromkeys(jumps))


KNIGHT = Piece(_NAMED["knight"])
