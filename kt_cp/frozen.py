"""A helper for frozen dataclasses that compute their own fields."""

from __future__ import annotations


def set_fields(value: object, **fields: object) -> None:
    """Set fields of a frozen dataclass while it is made, when assignment is refused."""
    for name, content in fields.items():
        object.__setattr__(value, name, content)
