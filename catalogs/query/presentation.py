"""How a catalog presents its items: which columns name, price, picture and link one, and how
items are ranked where nobody says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from ..errors import BadConstraint


@dataclass(frozen=True)
class Presentation:
    """What somebody said of a catalog as a whole; empty where nothing was said.

    `title` are the columns that name an item, `price`, `image` and `link` one column each.
    `rank` is either `("score",)`, `("near",)`, the order of items, or columns by whose better
    direction items are scored. `folds_case` says that a text equals another that differs by case
    alone.
    """

    title: tuple[str, ...] = ()
    price: str | None = None
    image: str | None = None
    link: str | None = None
    rank: tuple[str, ...] = ()
    folds_case: bool = False

    @property
    def order(self) -> Literal["score", "near"] | None:
        """The order of items that was asked for by name; None where it was not."""
        if self.rank == ("score",):
            return "score"
        return "near" if self.rank == ("near",) else None

    @property
    def ranked(self) -> tuple[str, ...]:
        """The columns by which items are scored."""
        return () if self.order else self.rank

    def spelled(self, find: Callable[[str], str]) -> Presentation:
        """Return this with columns as `find` spells them, which raises for one there is not."""
        return replace(
            self,
            title=tuple(map(find, self.title)),
            price=self.price and find(self.price),
            image=self.image and find(self.image),
            link=self.link and find(self.link),
            rank=self.rank if self.order else tuple(map(find, self.rank)),
        )

    def check_shown(self, hidden: Iterable[str]) -> None:
        """Raise `BadConstraint` for a column that is presented and hidden."""
        gone = frozenset(hidden)
        single = {"price": self.price, "image": self.image, "link": self.link}
        named = [*((role, column) for role, column in single.items() if column)]
        named += [("title", column) for column in self.title]
        named += [("rank", column) for column in self.ranked]
        for role, column in named:
            if column in gone:
                hint = "show it, or name another column"
                raise BadConstraint(role, column, "the column is hidden", hint=hint)


NOTHING_SAID = Presentation()
