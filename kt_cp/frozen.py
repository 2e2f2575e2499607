"""Values that are set once, while they are made."""

from __future__ import annotations


def set_fields(value: object, **fields: object) -> None:
    """Set fields of a frozen dataclass, whose own way to set them is closed, while it is made."""
    for name, content in fields.items():
        object.__setattr__(value, name, content)
