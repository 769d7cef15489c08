"""What a call raises."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

Json = Dict[str, Any]


class HubError(Exception):
    """Anything that this package raises about a call."""


class HubRefusal(HubError):
    """The hub understood and refused. ``code`` is from the closed list at ``GET /errors``."""

    def __init__(self, status: int, body: Mapping[str, Any], call: Optional[Json] = None) -> None:
        super().__init__(f"{body['code']}: {body['error']} {body['hint']}")
        self.status = status
        self.code: str = body["code"]
        self.hint: str = body["hint"]
        self.field: Optional[str] = body.get("field")
        self.allowed: Optional[List[str]] = body.get("allowed")
        #: The calls that are legal now; ``hub.follow(refusal.next[0]["call"])`` sends one.
        self.next: List[Json] = body.get("next", [])
        self.request_id: Optional[str] = body.get("requestId")
        self.retry_after_seconds: Optional[int] = body.get("retryAfterSeconds")
        #: Set when the call may have happened in spite of this: ``hub.follow(error.call)``.
        self.call = call
        self.body = dict(body)


class NotTheHub(HubError):
    """Something answered that does not speak for the hub: a proxy, a wrong address."""

    def __init__(self, status: int, text: str, call: Optional[Json] = None) -> None:
        super().__init__(f"status {status} without the hub's error form: {text[:200]}")
        self.status = status
        self.call = call


class OutcomeUnknown(HubError):
    """A once-only call was sent and no answer came. ``hub.follow(error.call)`` finishes it, once."""

    def __init__(self, call: Json) -> None:
        super().__init__(f"no answer to {call['method']} {call['path']}; follow error.call")
        self.call = call


def refusal_of(status: int, answer: object, call: Optional[Json] = None) -> HubError:
    if isinstance(answer, dict) and all(
        isinstance(answer.get(name), str) for name in ("error", "code", "hint")
    ):
        return HubRefusal(status, answer, call)
    return NotTheHub(status, str(answer), call)
