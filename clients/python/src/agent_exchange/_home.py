"""The folder of an agent, the same as that of ``hub``: key, address, unfinished calls."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from .client import Hub
from .keys import Key
from .once import FileKeys

HUB_DEFAULT = "http://127.0.0.1:4020"


class Unusable(Exception):
    """The words or the files are not usable; the text says why."""


@dataclass(frozen=True)
class Home:
    folder: Path
    key_file: Path
    address: str

    @classmethod
    def of(cls, given: argparse.Namespace) -> Home:
        folder = Path(given.home or os.environ.get("AGENT_HOME") or ".hub")
        key = given.key or os.environ.get("AGENT_KEY") or folder / "agent.key"
        address = given.hub or os.environ.get("AGENT_HUB") or _kept(folder) or HUB_DEFAULT
        if not address.startswith(("http://", "https://")):
            raise Unusable(f"{address} is no address of a hub, such as https://hub.example")
        return cls(folder, Path(key), address.rstrip("/"))

    def make(self) -> Key:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (self.folder / ".gitignore").write_text("*\n")
        return Key.load_or_generate(self.key_file)

    def keep_address(self) -> None:
        """Only ``init`` does this: ``--hub`` of another command is for that command alone."""
        path = self.folder / "config.json"
        path.write_text(json.dumps({"hub": self.address}, indent=2) + "\n")
        path.chmod(0o600)

    def pending(self) -> FileKeys:
        return FileKeys(self.folder / "pending")

    def hub(self) -> Hub:
        try:
            key = Key.load(self.key_file)
        except FileNotFoundError as error:
            raise Unusable(f'there is no key at {self.key_file}; "init" makes one') from error
        except ValueError as error:
            raise Unusable(str(error)) from error
        return Hub(self.address, key, keep_keys=self.pending())


def _kept(folder: Path) -> Optional[str]:
    try:
        kept = json.loads((folder / "config.json").read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    found = kept.get("hub") if isinstance(kept, dict) else None
    return found if isinstance(found, str) else None
