"""Read the boards and methods of a comparison as people type them."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from glob import escape, glob
from pathlib import Path
from typing import Any

from kt_cp.board import Board
from kt_cp.files import is_size, open_size_or_map
from kt_cp.messages import InputError, as_items, pluralize
from kt_cp.methods.table import METHODS, AnyMethod, Method, load_method, method_of

AnyMethods = Mapping[str, AnyMethod] | Iterable[AnyMethod]
"""Methods by name, or as a list whose names are those of the strategies and functions."""

_PATTERN_CHARACTERS = "*?["

# At most 9,999 boards: a larger number is a typing error.
_RANGE = re.compile(r"(\d{1,4})[xX×](\d{1,4})\.\.(\d{1,4})[xX×](\d{1,4})", re.ASCII)
_RANDOM = re.compile(r"random:([\dxX×]+)((?::(?:holes|seed)=\d{1,9}|:count=\d{1,4})*)", re.ASCII)

_RANDOM_BOARD = re.compile(r"random:([\dxX×]+):holes=(\d+):seed=(\d+)", re.ASCII)  # the name of one


def named_boards(
    words: Iterable[Board | str], piece: str | None = None, topology: str | None = None
) -> dict[str, Board]:
    """Return boards by name.

    A word is one that `board_names` reads, ``-`` for standard input, or one for boards with random
    holes, such as ``random:8x8:holes=6:count=20:seed=1``. The name of a `Board` is its title,
    followed by its place in the list if it has holes. Raises `InputError` for anything else.

    >>> list(named_boards(["5x5..6x6", "3x4", "random:4x4:holes=2:count=2"]))
    ['5x5', '6x6', '3x4', 'random:4x4:holes=2:seed=0', 'random:4x4:holes=2:seed=1']
    """
    boards: dict[str, Board] = {}
    for place, word in enumerate(words, start=1):
        if isinstance(word, Board):
            boards[f"{word.title} #{place}" if word.holes else word.title] = word
        elif word.startswith("random:"):
            boards |= _random_boards(word, piece, topology)
        else:
            for name in board_names(word):
                with open_size_or_map(name) as text:
                    boards[name] = Board.parse(text, piece, topology)
    return boards


def _random_boards(word: str, piece: str | None, topology: str | None) -> dict[str, Board]:
    """Return the boards with random holes that a word such as ``random:8x8:holes=6`` asks for."""
    parts = _RANDOM.fullmatch(word)
    if parts is None:
        raise InputError(f"boards {word!r}: give random:8x8:holes=6:count=20:seed=1")
    size = parts[1]
    options = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", parts[2])}
    hole_count, first_seed = options.get("holes", 0), options.get("seed", 0)
    whole = Board.parse(size, piece, topology)
    if hole_count >= whole.area:
        raise InputError(f"boards {word!r}: {size} has room for {whole.area - 1} holes")
    boards: dict[str, Board] = {}
    for seed in range(first_seed, first_seed + options.get("count", 1)):
        holes = random.Random(seed).sample(range(whole.area), hole_count)
        boards[f"random:{size}:holes={hole_count}:seed={seed}"] = replace(whole, holes=tuple(holes))
    return boards


def board_label(name: str) -> str:
    """Return the name of a board for readers, who need not know how random boards are asked for.

    >>> board_label("random:8x8:holes=6:seed=1"), board_label("8x8")
    ('8x8 with 6 holes (seed 1)', '8x8')
    """
    parts = _RANDOM_BOARD.fullmatch(name)
    if parts is None:
        return name
    size, holes, seed = parts.groups()
    return f"{size} with {pluralize(int(holes), 'hole')} (seed {seed})"


def board_names(word: str) -> list[str]:
    """Return the sizes or files that a word stands for.

    The word is a size (``8x8``), a range of sizes (``5x5..8x8``), a file with a map, a folder of
    such files, or a pattern (``maps/*.txt``). In a range, the sides that differ grow together.
    Raises `InputError` for any other range, and for a pattern that no file matches.
    """
    ends = _RANGE.fullmatch(word)
    if ends is not None:
        rows, columns, last_rows, last_columns = map(int, ends.groups())
        sizes = _sizes_between((rows, columns), (last_rows, last_columns))
        if not sizes:
            alike = "the sides that differ must grow alike, as in 5x5..8x8 or 3x4..3x10"
            raise InputError(f"boards {word!r}: {alike}")
        return sizes
    pattern = str(Path(escape(word), "*")) if Path(word).is_dir() else word
    if not any(character in pattern for character in _PATTERN_CHARACTERS):
        return [word]
    names = sorted(filter(os.path.isfile, glob(pattern, recursive=True)))
    if not names:
        raise InputError(f"boards {word!r}: there is no such file; give maps or sizes such as 8x8")
    return names


def _sizes_between(first: tuple[int, int], last: tuple[int, int]) -> list[str]:
    """Return the sizes from the first to the last (rows, columns); the sides grow together.

    Empty if both sides grow by different lengths, or if one shrinks.
    """
    rows, columns = first
    taller, wider = last[0] - rows, last[1] - columns
    length = max(taller, wider)
    grows_alike = taller in (0, length) and wider in (0, length)
    if length < 0 or not grows_alike:
        return []
    steps = range(length + 1)
    return [f"{rows + min(step, taller)}x{columns + min(step, wider)}" for step in steps]


def is_name_of(
    word: str, board: Board, piece: str | None = None, topology: str | None = None
) -> bool:
    """Return whether `named_boards` would read exactly this board from the word, in a list.

    A file is not read: any file of that name counts.
    """
    if is_size(word) or word.startswith("random:"):
        try:
            return named_boards([word], piece, topology) == {word: board}
        except InputError:
            return False
    special = any(character in word for character in f",{_PATTERN_CHARACTERS}")
    return not special and word == word.strip() and Path(word).is_file()


def named_methods(methods: AnyMethods) -> dict[str, Method]:
    """Return methods by name.

    The keys of a mapping are the names; otherwise the name is that of the strategy or function.
    Raises `InputError` for two methods of one name.
    """
    loaded: list[Method] = []
    if isinstance(methods, Mapping):
        loaded = [replace(_loaded(method), name=name) for name, method in methods.items()]
    else:
        loaded = [_loaded(method) for method in methods]
    named: dict[str, Method] = {}
    for method in loaded:
        namesake = METHODS.get(method.name) or named.get(method.name)
        if namesake not in (None, method):
            wanted = "there are two; give names, as in {'mine': method}"
            raise InputError(f"method {method.name!r}: {wanted}")
        named[method.name] = method
    return named


def _loaded(method: AnyMethod) -> Method:
    """Return the `Method` that is given by name, or as a strategy or function."""
    if isinstance(method, str):
        method = load_method(method)
    return method_of(method)


def split_words(name: str, given: Any) -> list[Any]:
    """Return the words of a list, which may be typed as one string with commas.

    ``name`` is the name of the option. Raises `InputError` for a value that is not a list.
    """
    if isinstance(given, str):
        return [word.strip() for word in given.split(",") if word.strip()]
    return list(as_items(name, given, "…"))
