"""Proofs that there is no tour: reasons for people, certificates for a program that checks them.

A reason is a sentence that a person can check on a picture; if none is found, only a search can
tell. A certificate is a list of steps that the checker accepts; there is one for every instance
without a tour. Both rest on separators: a few vertices whose removal leaves many components.

The files, in the order of reading:

- `reasons`: `Reason`, a sentence with the squares and moves that it names, and the reasons that a
  scan of the squares and moves finds.
- `separators`: the `Separator`, what follows from it, and where separators are sought.
- `refutation`: `refute`, which tries all reasons one after the other; proofs by a few cases.
- `bounds`: proven bounds on the squares of a path or cycle, and on the paths of a cover.
- `certificate`: the `Certificate`, its rules and its file format.
- `checker`: `check`, the only file that has to be trusted: it knows no solver and no other file of
  this room but the format.
- `producer`: `make_certificate` and `certify_bound`, by separators, counts or a SAT solver.
"""
