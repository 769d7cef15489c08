"""Where idempotency keys are kept: one that dies with the process lets the next try pay twice."""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, List, Protocol, Union

Json = Dict[str, Any]


# An hour less than the hub keeps the key of a header, for clocks that differ.
HEADER_KEY_SECONDS = 23 * 3600


def until_of(now: float) -> str:
    """Until when the hub knows the key of a header."""
    end = datetime.fromtimestamp(now + HEADER_KEY_SECONDS, timezone.utc)
    return end.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def is_forgotten(call: Json) -> bool:
    """The hub knows its key no longer, so the call would happen a second time."""
    until = call.get("until")
    if until is None:
        return False
    return datetime.fromisoformat(str(until).replace("Z", "+00:00")) <= datetime.now(timezone.utc)


class KeyStore(Protocol):
    def put(self, key: str, call: Json) -> None:
        """Has stored the call when it returns, because the first send follows."""

    def done(self, key: str) -> None:
        """The outcome is known; the key can go."""


class MemoryKeys:
    """Holds calls for the life of the process."""

    def __init__(self) -> None:
        self._calls: Dict[str, Json] = {}

    def put(self, key: str, call: Json) -> None:
        self._calls[key] = call

    def done(self, key: str) -> None:
        self._calls.pop(key, None)

    def pending(self) -> List[Json]:
        return [call for call in self._calls.values() if not is_forgotten(call)]


class FileKeys:
    """One file a call, until its outcome is known; the folder of ``hub`` and of TypeScript."""

    def __init__(self, folder: Union[str, Path]) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def put(self, key: str, call: Json) -> None:
        draft = self._folder / f"{uuid.uuid4()}.draft"
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            json.dump(call, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self._file(key))

    def done(self, key: str) -> None:
        self._file(key).unlink(missing_ok=True)

    def pending(self) -> List[Json]:
        """Calls to send again with ``hub.follow``; none happens twice."""
        files = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        calls = [json.loads(path.read_text("utf-8")) for path in files]
        return [call for call in calls if not is_forgotten(call)]

    def _file(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
