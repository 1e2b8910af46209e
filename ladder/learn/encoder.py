"""Encoder: features for a network or a regression, made of the numbers of views."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from engines import Game, Json
from ladder.learn.actions import ActionTable


class Encoder:
    """Makes features, from 0 to 1, of rows of numbers: a flag for each value of a code, quantities by most.

    Fields named in *leave* are left out: a history has as many flags as all else.  Raises as ActionTable.
    """

    def __init__(
        self,
        game: str | Game[Any],
        seats: int | None = None,
        options: Mapping[str, Json] | None = None,
        leave: Collection[str] = ("history",),
    ) -> None:
        self._columns, self.names = ActionTable(game, seats, options).columns, list[str]()
        codes, quantities = list[tuple[int, ...]](), list[tuple[int, ...]]()
        for at, (name, most, code, _) in enumerate(self._columns):
            if name.partition(".")[0] not in leave:
                (codes if code else quantities).append((at, len(self.names), most))
                self.names += [f"{name}={value}" for value in range(most + 1)] if code else [name]
        self._codes, self._quantities = (np.array(each).reshape(-1, 3).T for each in (codes, quantities))
        self.size = len(self.names)
        """The number of features, which *names* name: by column, flags as `column=value`."""

    def __call__(self, rows: Any) -> Any:
        """Return the features of *rows*, one or n of numbers, as an array of float32, n to size.

        Raises ValueError for rows of another size, or with a code that its column does not have.
        """
        rows = np.atleast_2d(rows)
        if rows.ndim != 2 or rows.shape[1] != len(self._columns):
            raise ValueError(f"expected rows of {len(self._columns)} numbers, got an array of {rows.shape}")
        features: Any = np.zeros((len(rows), self.size), np.float32)
        at, to, most = self._quantities
        features[:, to] = rows[:, at] / np.maximum(most, 1)
        at, to, most = self._codes
        values = rows[:, at].astype(int)
        if (values < 0).any() or (values > most).any():
            raise ValueError("expected the numbers of this table, got a code that it does not have")
        np.put_along_axis(features, to + values, 1, 1)
        return features
