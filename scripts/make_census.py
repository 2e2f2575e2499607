"""Count all closed 6x6 tours by each feature, for `kt describe`.

    python scripts/make_census.py

Writes kt_cp/tour/census_6x6.json: for each feature how many of the tours have which value.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from kt_cp import enumerate_tours, features

CENSUS = Path(__file__).parent.parent / "kt_cp" / "tour" / "census_6x6.json"


def census() -> dict[str, dict[str, int]]:
    """Return for each feature the number of tours by value, in ascending order."""
    found = features(enumerate_tours("6x6", closed=True))
    counted = {name: Counter(values.tolist()) for name, values in found.items()}
    return {name: {str(v): counts[v] for v in sorted(counts)} for name, counts in counted.items()}


if __name__ == "__main__":
    lines = ",\n".join(f" {json.dumps(k)}: {json.dumps(v)}" for k, v in census().items())
    CENSUS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
