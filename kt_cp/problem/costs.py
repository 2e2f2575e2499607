"""What steps that cannot be interrupted cost, in seconds, so that a clock can be asked before.

They are measured on one core of a server of 2023, and rounded up; on another machine they are a
guide. Each comment says what was measured.
"""

from __future__ import annotations

# CP-SAT: stating the closed circuit of 200x200 (313,632 arcs), by arc.
ADD_ARC = 4e-6

# CP-SAT: the edges of a feature, and at least what pairs of edges take, each by arc: the slopes and
# the turns of closed 60x60 (27,376 arcs).
FEATURE_EDGE = 5e-6
FEATURE_PAIR = 2e-5
