"""What a notebook shows of an answer: a table, in place of one long line."""

from __future__ import annotations

from html import escape
from typing import Any, Mapping, Sequence

from pydantic import BaseModel

ROWS_MAX = 100
TEXT_MAX = 300


class Shown(BaseModel):
    """The base of every model of the contract."""

    def _repr_html_(self) -> str:
        """A table of the fields, for notebooks. Every text is escaped, since others wrote it."""
        return _cell(self.model_dump(mode="json", by_alias=True, exclude_none=True))


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        return _table([(escape(str(name)), _cell(each)) for name, each in value.items()])
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _table([(str(place), _cell(each)) for place, each in enumerate(value, 1)])
    text = str(value)
    return escape(text if len(text) <= TEXT_MAX else f"{text[:TEXT_MAX]}…")


def _table(rows: list[tuple[str, str]]) -> str:
    shown = "".join(f"<tr><th>{name}</th><td>{cell}</td></tr>" for name, cell in rows[:ROWS_MAX])
    more = len(rows) - ROWS_MAX
    last = f'<tr><td colspan="2">… {more} more</td></tr>' if more > 0 else ""
    return f"<table>{shown}{last}</table>"
