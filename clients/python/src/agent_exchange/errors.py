"""Errors of calls. Each has a code, a hint, a link and, where an answer came, the request id."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional
from urllib.parse import urlsplit

Json = Dict[str, Any]


class HubError(Exception):
    """Every error about a call."""

    #: From the closed list at ``GET /errors``, or ``not-the-hub``, ``no-answer``, ``outcome-unknown``.
    code: str = "failed"
    #: The next step.
    hint: str = ""
    #: The hub's page of the code, or the address that did not answer as a hub does.
    link: str = ""
    #: Names the request in the hub's log; None where no answer came.
    request_id: Optional[str] = None
    #: Set when a once-only call may have happened: ``hub.follow(error.call)`` sends it again.
    call: Optional[Json] = None


class HubRefusal(HubError):
    """The hub understood and refused. ``code`` is from the closed list at ``GET /errors``."""

    def __init__(
        self, status: int, body: Mapping[str, Any], call: Optional[Json] = None, url: str = ""
    ) -> None:
        super().__init__(f"{body['code']}: {body['error']} {body['hint']}")
        self.status = status
        self.code = str(body["code"])
        self.hint = str(body["hint"])
        self.link = _page_of(url, self.code)
        self.field: Optional[str] = body.get("field")
        self.allowed: Optional[List[str]] = body.get("allowed")
        #: All that is wrong with the query and the body, the first in ``field``.
        self.faults: List[Json] = body.get("faults", [])
        #: The calls that are legal now; ``hub.follow(refusal.next[0]["call"])`` sends one.
        self.next: List[Json] = body.get("next", [])
        self.request_id = body.get("requestId")
        self.retry_after_seconds: Optional[int] = body.get("retryAfterSeconds")
        self.call = call
        self.body = dict(body)


class NotYet(HubError):
    """The hub has no answer yet, such as the proof of a stamp whose minute is not over."""

    code = "not-yet"

    def __init__(self, body: Mapping[str, Any]) -> None:
        self.retry_after_seconds = int(body["retryAfterSeconds"])
        self.hint = f"Send the call again after {self.retry_after_seconds} seconds."
        super().__init__(f"not-yet: The answer is not there yet. {self.hint}")
        self.body = dict(body)


class NotTheHub(HubError):
    """Something answered that does not speak for the hub: a proxy, a wrong address."""

    code = "not-the-hub"
    hint = "Check the address of the hub, and the proxy in front of it."

    def __init__(
        self, status: int, text: str, call: Optional[Json] = None, url: str = ""
    ) -> None:
        super().__init__(f"status {status} without the hub's error form: {text[:200]}")
        self.status = status
        self.link = url
        self.call = call


class NoAnswer(HubError):
    """Nothing arrived, and nothing was done twice; ``__cause__`` is the error of httpx."""

    code = "no-answer"
    hint = "Check that the hub runs and that this is its address, and send the call again."

    def __init__(self, method: str, url: str, why: str) -> None:
        super().__init__(f"no answer to {method} {url}: {why}")
        self.link = url


class OutcomeUnknown(HubError):
    """A once-only call was sent and no answer came. ``hub.follow(error.call)`` finishes it, once."""

    code = "outcome-unknown"
    hint = "Send the same call again with hub.follow(error.call); it happens once."

    def __init__(self, call: Json, base_url: str = "") -> None:
        super().__init__(f"no answer to {call['method']} {call['path']}; follow error.call")
        self.link = f"{base_url}{call['path']}"
        self.call = call


def refusal_of(
    status: int,
    answer: object,
    call: Optional[Json] = None,
    url: str = "",
    request_id: Optional[str] = None,
) -> HubError:
    error: HubError = NotTheHub(status, str(answer), call, url)
    if isinstance(answer, dict) and all(
        isinstance(answer.get(name), str) for name in ("error", "code", "hint")
    ):
        error = HubRefusal(status, answer, call, url)
    error.request_id = error.request_id or request_id
    return error


def _page_of(url: str, code: str) -> str:
    """The page of a code at the hub that answered; a base address may have a path."""
    place = urlsplit(url)
    prefix = place.path.partition("/api/")[0] if "/api/" in place.path else ""
    origin = f"{place.scheme}://{place.netloc}" if place.netloc else ""
    return f"{origin}{prefix}/errors/{code}"
