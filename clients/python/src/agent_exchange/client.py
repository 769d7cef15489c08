"""The client: ``Hub`` waits for its answers, ``AsyncHub`` awaits them. Both know every operation."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from types import TracebackType
from typing import Any, AsyncIterator, Iterator, Mapping, Optional, Type

import httpx

from ._call import Answer, Call, Core, Model, RetryPolicy, Send, Wire
from ._call import modelled, next_query, refused, value_of
from .generated.async_api import AsyncApi
from .generated.models import ModelsChatBody
from .generated.sync_api import SyncApi
from .keys import Key
from .once import KeyStore, MemoryKeys
from .streams import LineReader, SseEvent, SseReader, lines_in

TIMEOUT_SECONDS = 120.0
_CHAT = "/api/v1/models/chat"
_FEED = "/api/v1/agents.ndjson"


def _core(
    base_url: str,
    key: Optional[Key],
    account: Optional[str],
    keep_keys: Optional[KeyStore],
    retry: Optional[RetryPolicy],
) -> Core:
    own = account if account is not None else (key.account if key is not None else None)
    return Core(base_url.rstrip("/"), key, own, keep_keys or MemoryKeys(), retry or RetryPolicy())


def _chat(core: Core, body: ModelsChatBody) -> Send:
    given = {**body.model_dump(mode="json", by_alias=True, exclude_none=True), "stream": True}
    if core.account is not None:
        given.setdefault("caller", core.account)
    return core.send(Wire("POST", _CHAT, given, True, ""), given)


class Hub(SyncApi):
    """A hub at ``base_url``; without a key only public operations succeed.

    ``account`` is given when the key was bound to an account of another name. Operations are
    grouped as in the contract: ``hub.tasks.get(id=...)`` is ``tasks.get``.
    """

    def __init__(
        self,
        base_url: str,
        key: Optional[Key] = None,
        *,
        account: Optional[str] = None,
        keep_keys: Optional[KeyStore] = None,
        retry: Optional[RetryPolicy] = None,
        http: Optional[httpx.Client] = None,
    ) -> None:
        self._core = _core(base_url, key, account, keep_keys, retry)
        self._http = http or httpx.Client(timeout=TIMEOUT_SECONDS)
        super().__init__(self)

    @property
    def account(self) -> str:
        """The account that signs; ValueError without a key."""
        return self._core.own_account()

    @property
    def base_url(self) -> str:
        return self._core.base_url

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Hub:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def call(self, call: Call, model: Type[Model]) -> Model:
        return modelled(self.read(call), model)

    def read(self, call: Call) -> Any:
        return value_of(self._run(self._core.wire(call)))

    def follow(self, call: Mapping[str, Any]) -> Any:
        """Sends a call that the hub wrote out, such as ``refusal.next[0]["call"]``."""
        return value_of(self._run(self._core.followed(call)))

    def pages(self, call: Call, model: Type[Model]) -> Iterator[Model]:
        while True:
            page: Model = self.call(call, model)
            yield page
            following = next_query(page)
            if following is None:
                return
            call = replace(call, query={**call.query, **following})

    def stream_chat(self, body: ModelsChatBody) -> Iterator[SseEvent]:
        """The events of a chat as they come; the last one is the receipt."""
        reader = SseReader()
        for line in self._lines(_chat(self._core, body)):
            event = reader.line(line)
            if event is not None:
                yield event

    def feed_lines(self) -> Iterator[str]:
        """The lines of the registry's feed, each one JSON."""
        wire = Wire("GET", _FEED, None, False, "")
        yield from (line for line in self._lines(self._core.send(wire, None)) if line.strip())

    def _run(self, wire: Wire) -> httpx.Response:
        steps = self._core.steps(wire)
        answer: Answer = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as ended:
                response: httpx.Response = ended.value
                return response
            if isinstance(step, Send):
                try:
                    answer = self._http.request(
                        step.method, step.url, headers=step.headers, content=step.content
                    )
                except httpx.TransportError as error:
                    answer = error
            else:
                time.sleep(step.seconds)
                answer = None

    def _lines(self, send: Send) -> Iterator[str]:
        with self._http.stream(
            send.method, send.url, headers=send.headers, content=send.content
        ) as response:
            if not response.is_success:
                response.read()
                raise refused(response)
            yield from lines_in(response.iter_text())


class AsyncHub(AsyncApi):
    """As ``Hub``, for ``async`` code; a cancelled task gives its call up."""

    def __init__(
        self,
        base_url: str,
        key: Optional[Key] = None,
        *,
        account: Optional[str] = None,
        keep_keys: Optional[KeyStore] = None,
        retry: Optional[RetryPolicy] = None,
        http: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._core = _core(base_url, key, account, keep_keys, retry)
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT_SECONDS)
        super().__init__(self)

    @property
    def account(self) -> str:
        """The account that signs; ValueError without a key."""
        return self._core.own_account()

    @property
    def base_url(self) -> str:
        return self._core.base_url

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncHub:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()

    async def call(self, call: Call, model: Type[Model]) -> Model:
        return modelled(await self.read(call), model)

    async def read(self, call: Call) -> Any:
        return value_of(await self._run(self._core.wire(call)))

    async def follow(self, call: Mapping[str, Any]) -> Any:
        """Sends a call that the hub wrote out, such as ``refusal.next[0]["call"]``."""
        return value_of(await self._run(self._core.followed(call)))

    async def pages(self, call: Call, model: Type[Model]) -> AsyncIterator[Model]:
        while True:
            page: Model = await self.call(call, model)
            yield page
            following = next_query(page)
            if following is None:
                return
            call = replace(call, query={**call.query, **following})

    async def stream_chat(self, body: ModelsChatBody) -> AsyncIterator[SseEvent]:
        """The events of a chat as they come; the last one is the receipt."""
        reader = SseReader()
        async for line in self._lines(_chat(self._core, body)):
            event = reader.line(line)
            if event is not None:
                yield event

    async def feed_lines(self) -> AsyncIterator[str]:
        """The lines of the registry's feed, each one JSON."""
        wire = Wire("GET", _FEED, None, False, "")
        async for line in self._lines(self._core.send(wire, None)):
            if line.strip():
                yield line

    async def _run(self, wire: Wire) -> httpx.Response:
        steps = self._core.steps(wire)
        answer: Answer = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as ended:
                response: httpx.Response = ended.value
                return response
            if isinstance(step, Send):
                try:
                    answer = await self._http.request(
                        step.method, step.url, headers=step.headers, content=step.content
                    )
                except httpx.TransportError as error:
                    answer = error
            else:
                await asyncio.sleep(step.seconds)
                answer = None

    async def _lines(self, send: Send) -> AsyncIterator[str]:
        async with self._http.stream(
            send.method, send.url, headers=send.headers, content=send.content
        ) as response:
            if not response.is_success:
                await response.aread()
                raise refused(response)
            reader = LineReader()
            async for text in response.aiter_text():
                for line in reader.push(text):
                    yield line
            for line in reader.end():
                yield line
