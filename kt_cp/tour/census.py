"""What is known of the features of all tours of a board, beside those of one tour.

D. E. Knuth counts all closed 8x8 tours by these features in The Art of Computer Programming,
pre-fascicle 8A (December 2025); those of 6x6 are few enough to be enumerated
(``scripts/make_census.py``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files

from kt_cp.board import Board
from kt_cp.tour.feature_table import SLOPES
from kt_cp.tour.tour import Tour

CENSUS_8X8: Mapping[str, tuple[int | None, int | None]] = {
    "straight": (None, 19),
    "angle-37": (4, 29),
    "angle-90": (2, 39),
    "angle-143": (None, 25),
    "acute": (4, 42),
    "right": (2, 39),
    "obtuse": (4, 46),  # Knuth has 47, with straight angles; without them 46, by CP-SAT and by SAT
    "crossings": (69, 126),
    "uncrossed": (None, 16),
    **dict.fromkeys(SLOPES, (2, 34)),
}
"""The least and the most of a feature among all closed 8x8 tours, as far as published (Knuth)."""


def standings(tour: Tour, values: Mapping[str, int]) -> dict[str, str]:
    """Return by feature how a tour's value compares with all tours', as far as that is known.

    >>> from kt_cp import features, solve
    >>> tour = solve("6x6", closed=True, minimize="turns").tour
    >>> standings(tour, features(tour))["turns"]
    'least 32, most 36; fewer in 0.0% of all tours, as many in 0.2%'
    """
    if tour.closed and tour.board == Board(6, 6):
        return {name: _rank(census_6x6()[name], value) for name, value in values.items()}
    if tour.closed and tour.board == Board(8, 8):
        return {name: _extremes(*CENSUS_8X8[name]) for name in values if name in CENSUS_8X8}
    return {}


def census_6x6() -> dict[str, dict[int, int]]:
    """Return for each feature how many of the 9,862 closed 6x6 tours have which value."""
    text = (files("kt_cp") / "tour" / "census_6x6.json").read_text(encoding="utf-8")
    census: dict[str, dict[str, int]] = json.loads(text)
    return {
        name: {int(value): tours for value, tours in counts.items()}
        for name, counts in census.items()
    }


def _rank(counts: Mapping[int, int], value: int) -> str:
    fewer = sum(tours for other, tours in counts.items() if other < value) / sum(counts.values())
    as_many = counts[value] / sum(counts.values())
    ranks = f"fewer in {fewer:.1%} of all tours, as many in {as_many:.1%}"
    return f"{_extremes(min(counts), max(counts))}; {ranks}"


def _extremes(least: int | None, most: int | None) -> str:
    known = [f"least {least}"] * (least is not None) + [f"most {most}"] * (most is not None)
    return ", ".join(known)
