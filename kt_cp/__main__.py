"""``python -m kt_cp`` is the command ``kt``."""

from kt_cp.cli import main

main()
