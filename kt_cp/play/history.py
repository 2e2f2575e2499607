"""A history of what was shown, which can be undone and redone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

MAX_HISTORY = 200
"""The largest number of items in a history."""

T = TypeVar("T")


@dataclass(frozen=True)
class History(Generic[T]):
    """The items that were shown, in order; ``index`` is that of the current one."""

    items: tuple[T, ...]
    index: int = 0

    @property
    def now(self) -> T:
        """The current item."""
        return self.items[self.index]

    @property
    def can_undo(self) -> bool:
        """Whether there is an earlier item."""
        return self.index > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a later item, which was undone."""
        return self.index < len(self.items) - 1

    def add(self, item: T) -> History[T]:
        """Return the history with a new item after the current one, in place of all later ones.

        Beyond `MAX_HISTORY` items the oldest is dropped.
        """
        items = (*self.items[: self.index + 1], item)
        latest = items[-MAX_HISTORY:]
        return History(latest, len(latest) - 1)

    def replace_now(self, item: T) -> History[T]:
        """Return the history with another item in place of the current one."""
        items = (*self.items[: self.index], item, *self.items[self.index + 1 :])
        return replace(self, items=items)

    def undo(self) -> History[T]:
        """Return the history at the earlier item, if there is one."""
        return replace(self, index=self.index - 1) if self.can_undo else self

    def redo(self) -> History[T]:
        """Return the history at the later item, if there is one."""
        return replace(self, index=self.index + 1) if self.can_redo else self
