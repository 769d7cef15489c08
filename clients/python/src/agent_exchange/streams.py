"""Readers for the two streams of the contract: server-sent events and lines of JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional


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
