"""What was shown on a page, in order, so that it can be undone and done again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

MAX_HISTORY = 200
"""How much can be undone."""

T = TypeVar("T")


@dataclass(frozen=True)
class History(Generic[T]):
    """Everything that was shown, in order; what comes after the index was undone."""

    items: tuple[T, ...]
    index: int = 0

    @property
    def now(self) -> T:
        """What is shown now."""
        return self.items[self.index]

    @property
    def can_undo(self) -> bool:
        """Whether something came before."""
        return self.index > 0

    @property
    def can_redo(self) -> bool:
        """Whether something was undone."""
        return self.index < len(self.items) - 1

    def add(self, item: T) -> History[T]:
        """Show something else; the oldest of very many is forgotten."""
        items = (*self.items[: self.index + 1], item)[-MAX_HISTORY:]
        return History(items, len(items) - 1)

    def replace_now(self, item: T) -> History[T]:
        """Show something in place of what is shown now, for which there is no undo."""
        items = (*self.items[: self.index], item, *self.items[self.index + 1 :])
        return replace(self, items=items)

    def undo(self) -> History[T]:
        """Show what came before, if anything."""
        return replace(self, index=self.index - 1) if self.can_undo else self

    def redo(self) -> History[T]:
        """Show what was undone, if anything."""
        return replace(self, index=self.index + 1) if self.can_redo else self
