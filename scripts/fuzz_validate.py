"""Throw inputs at ``kt validate`` for some seconds, and say how many it took.

Usage: python scripts/fuzz_validate.py [SECONDS]
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from hypothesis import HealthCheck, Phase, given, settings

from tests.helpers.fuzz import Options, check, contents, options

_AT_A_TIME = 500


def fuzz(seconds: float) -> Counter[int]:
    """Try inputs until the time is up; count them by exit code. A failure is shown shrunk."""
    codes: Counter[int] = Counter()
    slowest = 0.0

    @settings(
        max_examples=_AT_A_TIME,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(content=contents(), given_options=options())
    def some(content: bytes, given_options: Options) -> None:
        nonlocal slowest
        start = time.monotonic()
        codes[check(content, given_options)] += 1
        slowest = max(slowest, time.monotonic() - start)

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        some()
    print(f"slowest input: {slowest:.2f} s")
    return codes


if __name__ == "__main__":
    counts = fuzz(float(sys.argv[1]) if len(sys.argv) > 1 else 60)
    by_code = ", ".join(f"{count} with exit code {code}" for code, count in sorted(counts.items()))
    print(f"{counts.total()} inputs: {by_code}")
