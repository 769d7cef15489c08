"""From an operation to its answer: what is sent, what is sent again, what is raised.

The rules stand in one generator that neither sends nor sleeps; the two clients drive it.
"""

from __future__ import annotations

import json
import logging
import os
import random
import re
import time
from dataclasses import dataclass
from typing import Any, AsyncIterator, Dict, Generator, Iterator, Mapping, Optional, Protocol
from typing import Type, TypeVar, Union
from urllib.parse import quote, urlencode

import httpx
from pydantic import BaseModel, ValidationError

from .errors import HubError, NoAnswer, NotYet, OutcomeUnknown, refusal_of
from .generated.retries import RETRIES
from .keys import Key
from .once import KeyStore, until_of
from .signing import sign

Json = Dict[str, Any]
#: Each send and its outcome at the level of debug, without key, signature or body.
LOG = logging.getLogger("agent_exchange")
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class RetryPolicy:
    """Sends in all, and pauses in seconds; a retry-after beyond the longest is the caller's."""

    attempts: int = 4
    base_delay: float = 0.25
    max_delay: float = 30.0


@dataclass(frozen=True)
class Call:
    """One call of an operation, as the generated methods write it."""

    method: str
    path: str
    path_params: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Union[BaseModel, Json, None]
    owner: str
    auth: str
    once: str


@dataclass(frozen=True)
class Wire:
    """One call as bytes under the base address."""

    method: str
    target: str
    body: Optional[Json]
    is_signed: bool
    # Where the idempotency key stands: "body", "header", or nowhere.
    once: str


@dataclass(frozen=True)
class Send:
    method: str
    url: str
    headers: Dict[str, str]
    content: bytes


@dataclass(frozen=True)
class Sleep:
    seconds: float


Answer = Union[httpx.Response, httpx.TransportError, None]
Steps = Generator[Union[Send, Sleep], Answer, httpx.Response]


class SyncCaller(Protocol):
    def call(self, call: Call, model: Type[Model]) -> Model: ...

    def read(self, call: Call) -> Any: ...

    def pages(self, call: Call, model: Type[Model]) -> Iterator[Model]: ...


class AsyncCaller(Protocol):
    async def call(self, call: Call, model: Type[Model]) -> Model: ...

    async def read(self, call: Call) -> Any: ...

    def pages(self, call: Call, model: Type[Model]) -> AsyncIterator[Model]: ...


@dataclass(frozen=True)
class Core:
    """What both clients know."""

    base_url: str
    key: Optional[Key]
    account: Optional[str]
    keep_keys: KeyStore
    retry: RetryPolicy

    def own_account(self) -> str:
        if self.account is None:
            raise ValueError("this hub was opened without a key, so it has no account")
        return self.account

    def wire(self, call: Call) -> Wire:
        """Fills in what names the signer's account, and drops what was not given."""
        path_params = dict(call.path_params)
        query = {name: value for name, value in call.query.items() if value is not None}
        body: Optional[Json] = None
        if call.method == "POST":
            given = call.body
            if isinstance(given, BaseModel):
                body = given.model_dump(mode="json", by_alias=True, exclude_none=True)
            else:
                body = {} if given is None else dict(given)
        place, _, name = call.owner.partition(".")
        holders: Dict[str, Json] = {"path": path_params, "query": query, "body": body or {}}
        if place in holders and holders[place].get(name) is None and self.account is not None:
            holders[place][name] = self.account
            if place == "body":
                body = holders["body"]
        target = re.sub(r"\{(\w+)\}", lambda found: _segment(path_params, found[1]), call.path)
        if query:
            target += "?" + urlencode({name: _text(value) for name, value in query.items()})
        # A key of the header is kept for an account, so an unsigned call has none.
        once = "" if call.once == "header" and self.key is None else call.once
        return Wire(call.method, target, body, call.auth in ("signed", "optional"), once)

    def followed(self, call: Mapping[str, Any]) -> Wire:
        """A call that the hub wrote out; one with an idempotencyKey is once-only."""
        body = call.get("body")
        if body is None and call["method"] == "POST":
            body = {}
        is_once = isinstance(body, dict) and "idempotencyKey" in body
        once = "header" if "until" in call else "body"
        return Wire(call["method"], call["path"], body, True, once if is_once else "")

    def steps(self, wire: Wire) -> Steps:
        """Sends until there is an answer that stays; once-only calls are kept before they go."""
        body = wire.body
        once_key = ""
        kept: Optional[Json] = None
        if wire.once and body is not None:
            once_key = body.get("idempotencyKey") or os.urandom(16).hex()
            kept_body = {**body, "idempotencyKey": once_key}
            kept = {"method": wire.method, "path": wire.target, "body": kept_body}
            if wire.once == "header":
                kept["until"] = until_of(time.time())
                body = {name: value for name, value in body.items() if name != "idempotencyKey"}
            else:
                body = kept_body
            self.keep_keys.put(once_key, kept)
        is_safe = wire.method == "GET" or kept is not None
        is_uncertain, attempt = False, 0
        while True:
            attempt += 1
            answer = yield self.send(wire, body, once_key if wire.once == "header" else None)
            LOG.debug("%s %s, send %d: %s", wire.method, wire.target, attempt, _outcome(answer))
            is_lost = not isinstance(answer, httpx.Response)
            is_uncertain |= is_lost or (
                isinstance(answer, httpx.Response)
                and (answer.status_code >= 500 or answer.status_code == 409)
            )
            delay = self._delay(answer, attempt, is_safe)
            if delay is not None:
                yield Sleep(delay)
                continue
            if isinstance(answer, httpx.Response):
                is_known = answer.is_success or not is_uncertain
                if kept is not None and is_known:
                    self.keep_keys.done(once_key)
                if answer.is_success:
                    return answer
                raise refused(answer, None if is_known else kept)
            if kept is not None:
                raise OutcomeUnknown(kept, self.base_url) from answer
            raise NoAnswer(wire.method, self.base_url + wire.target, str(answer)) from answer

    def send(self, wire: Wire, body: Optional[Json], once_key: Optional[str] = None) -> Send:
        content = b"" if body is None else json.dumps(body).encode("utf-8")
        url = self.base_url + wire.target
        headers = {} if body is None else {"content-type": "application/json"}
        if once_key is not None:
            headers["idempotency-key"] = once_key
        if wire.is_signed and self.key is not None:
            now = int(time.time())
            headers.update(sign(self.key, wire.method, url, content, now, headers=headers))
        return Send(wire.method, url, headers, content)

    def _delay(self, answer: Answer, attempt: int, is_safe: bool) -> Optional[float]:
        policy = self.retry
        if attempt >= policy.attempts:
            return None
        backoff = min(policy.max_delay, policy.base_delay * 2.0 ** (attempt - 1))
        jittered = backoff * (0.5 + random.random() / 2)
        if not isinstance(answer, httpx.Response):
            return jittered if is_safe else None
        # A limit without a code, as of a proxy, is a limit too.
        code = "rate-limited" if answer.status_code == 429 else str(_code(answer))
        rule = RETRIES.get(code)
        if rule != "wait" and not (is_safe and rule == "same"):
            return None
        asked = str(answer.headers.get("retry-after", ""))
        if not re.fullmatch(r"\d{1,6}", asked):
            return jittered
        return None if int(asked) > policy.max_delay else int(asked) + random.random() * 0.25


def refused(response: httpx.Response, call: Optional[Json] = None) -> HubError:
    """The error of an answer that is none of success."""
    request_id = response.headers.get("x-request-id")
    return refusal_of(response.status_code, _read(response), call, str(response.url), request_id)


def _outcome(answer: Answer) -> str:
    if not isinstance(answer, httpx.Response):
        return f"lost ({answer})"
    return f"{answer.status_code}, request {answer.headers.get('x-request-id')}"


def value_of(response: httpx.Response) -> Any:
    """The JSON of an answer, or its text where it is none."""
    return _read(response)


def modelled(answer: Any, model: Type[Model]) -> Model:
    """The answer as its model. An answer of 202 that only says when to ask again is no such model."""
    try:
        return model.model_validate(answer)
    except ValidationError:
        if isinstance(answer, dict) and "retryAfterSeconds" in answer:
            raise NotYet(answer) from None
        raise


def next_query(page: BaseModel) -> Optional[Json]:
    """The place of the page behind this one; lists in MCP's form have it in ``metadata``."""
    place = getattr(page, "metadata", page)
    has_more = getattr(place, "hasMore", True)
    following = getattr(place, "nextCursor", None)
    return {"cursor": following} if has_more and following is not None else None


def _read(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return response.text


def _code(response: httpx.Response) -> object:
    body = _read(response)
    return body.get("code") if isinstance(body, dict) else None


def _segment(params: Mapping[str, Any], name: str) -> str:
    value = params.get(name)
    if value is None:
        raise TypeError(f"the path needs {name}")
    return quote(str(value), safe=":")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
