"""What a check answers with (spec/BYTES.md 9)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional


@dataclass(frozen=True)
class Verdict:
    """Good with its facts, or refused with the first fault. True in a condition when good.

    ``facts`` has the members that the TypeScript client answers with. ``reason`` is one of shape,
    bytes, digest, unknown-key, key-time, signature, rule, chain and stamp; ``at`` is the dotted
    path of the fault, empty for the value as a whole; ``says`` is one sentence.
    """

    ok: bool
    kind: Optional[str] = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    reason: Optional[str] = None
    at: Optional[str] = None
    says: Optional[str] = None

    def __bool__(self) -> bool:
        return self.ok

    def as_dict(self) -> Dict[str, Any]:
        """The JSON form, the same as the TypeScript client's."""
        if self.ok:
            return {"ok": True, "kind": self.kind, **self.facts}
        return {"ok": False, "reason": self.reason, "at": self.at, "says": self.says}


class Refusal(Exception):
    """Carries the first fault from the step that found it to the public function."""

    def __init__(self, reason: str, at: str, says: str) -> None:
        super().__init__(says)
        self.verdict = Verdict(ok=False, reason=reason, at=at, says=says)


def join(place: str, name: str) -> str:
    """``pulse`` and ``body.seq`` give ``pulse.body.seq``; the whole value has the empty place."""
    return name if place == "" else f"{place}.{name}"
