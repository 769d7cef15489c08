"""Readers for the two streams of the contract: server-sent events and lines of JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Iterator, List, Optional


@dataclass(frozen=True)
class SseEvent:
    """``data`` is the data lines joined by a line feed; the hub's are JSON."""

    event: str
    data: str
    id: str


class SseReader:
    """Takes lines without their ends; answers an event at the blank line that ends it."""

    def __init__(self) -> None:
        self._event, self._id = "", ""
        self._data: List[str] = []

    def line(self, text: str) -> Optional[SseEvent]:
        if text == "":
            event, data = self._event, self._data
            self._event, self._data = "", []
            return SseEvent(event or "message", "\n".join(data), self._id) if data else None
        name, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        return None


class LineReader:
    """Lines that end with a line feed and nothing else: a JSON text may have U+2028 as it is.

    ``str.splitlines`` and ``httpx.Response.iter_lines`` end a line at ten characters.
    """

    def __init__(self) -> None:
        self._rest: List[str] = []

    def push(self, text: str) -> List[str]:
        first, *others = text.split("\n")
        self._rest.append(first)
        if not others:
            return []
        whole = ["".join(self._rest), *others]
        self._rest = [whole.pop()]
        return [line[:-1] if line.endswith("\r") else line for line in whole]

    def end(self) -> List[str]:
        rest = "".join(self._rest)
        return [rest] if rest else []


def lines_in(texts: Iterable[str]) -> Iterator[str]:
    reader = LineReader()
    for text in texts:
        yield from reader.push(text)
    yield from reader.end()
