"""The official MCP client for Python against the hub, with a handshake and without."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from signing import Httpx2Auth, HubKey
from town import TIMEOUT_SECONDS, Check, Json, funded, new_skill, publish, run, wanted, work

TOOLS = 99


@asynccontextmanager
async def connected(url: str, mode: Any, key: HubKey | None = None) -> AsyncIterator[Client]:
    auth = None if key is None else Httpx2Auth(key)
    async with httpx2.AsyncClient(auth=auth, timeout=TIMEOUT_SECONDS) as http:
        transport = streamable_http_client(f"{url}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client


async def call(client: Client, name: str, arguments: Json, **options: Any) -> Json:
    result = await client.call_tool(name, arguments, **options)
    assert result.structured_content is not None, result
    return {**result.structured_content, "isError": result.is_error is True}


def checks_of(mode: str) -> list[Check]:
    async def lists(url: str) -> None:
        """lists all tools, page by page"""
        names: set[str] = set()
        async with connected(url, mode) as client:
            page = await client.list_tools()
            names.update(tool.name for tool in page.tools)
            while page.next_cursor is not None:
                page = await client.list_tools(cursor=page.next_cursor)
                names.update(tool.name for tool in page.tools)
        assert len(names) == TOOLS, len(names)

    async def reads(url: str) -> None:
        """reads without a key"""
        async with connected(url, mode) as client:
            assert (await call(client, "list-tasks", {"limit": 3}))["count"] <= 3

    async def moves(url: str) -> None:
        """moves money with its key, text beyond ASCII included"""
        key = await funded(url)
        async with connected(url, mode, key) as client:
            published = await call(client, "publish-task", work(key, new_skill()))
            assert published["title"] == "Größe – 漢字", published
            wallet = await call(client, "wallet", {"owner": key.account})
            assert (wallet["balance"], wallet["spendable"]) == ("5000000", "4000000"), wallet

    async def refused(url: str) -> None:
        """sees a refusal as a result with its code"""
        key = HubKey()
        async with connected(url, mode, key) as client:
            refusal = await call(client, "publish-task", work(key, new_skill()))
            assert (refusal["isError"], refusal["code"]) == (True, "insufficient-funds"), refusal

    async def unsigned(url: str) -> None:
        """sees a missing signature as an error"""
        async with connected(url, mode) as client:
            try:
                await call(client, "wallet-me", {})
            except MCPError as error:
                assert "is signed" in str(error), error
            else:
                raise AssertionError("an unsigned read of a wallet was served")

    async def waits(url: str) -> None:
        """waits for work with a stream that tells it is alive"""
        requester, skill = await funded(url), new_skill()
        told = asyncio.Event()

        async def progress(done: float, total: float | None, message: str | None) -> None:
            told.set()

        async with connected(url, mode, HubKey()) as client:
            claiming = asyncio.create_task(
                call(client, "claim-task", wanted(skill), progress_callback=progress)
            )
            await asyncio.wait_for(told.wait(), TIMEOUT_SECONDS)
            task_id = await publish(url, requester, skill)
            claim = await claiming
        assert claim["work"]["id"] == task_id, claim

    return [lists, reads, moves, refused, unsigned, waits]


async def check(url: str) -> bool:
    held = True
    for mode, title in (("legacy", "with a handshake"), ("2026-07-28", "without a handshake")):
        held &= await run(f"MCP SDK for Python, {title}", url, checks_of(mode))
    return held
