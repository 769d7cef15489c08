"""Servers of the Python SDK as hosted agents, called by its client: `main.py HUB PORT HUB_COMMAND...`.

The hub may dial the port. A second server is on a port that it may not dial, and connects out.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import subprocess
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from signing import Httpx2Auth, HttpxAuth, HubKey
from town import TIMEOUT_SECONDS, Check, Json, funded, run

HERE = Path(__file__).parent
PRICE = 2000
TOOLS = [
    {"name": "list_currencies", "description": "Lists the currencies."},
    {"name": "convert", "description": "Converts an amount.", "priceAtomic": str(PRICE)},
]
CONVERT = {"amount": 12.5, "source": "EUR", "target": "USD"}
MODES = ("legacy", "2026-07-28")


@contextmanager
def serving(port: int, *words: str) -> Iterator[str]:
    """A server in a process of its own, once it takes connections."""
    child = subprocess.Popen([sys.executable, str(HERE / "server.py"), str(port), *words])
    try:
        while True:
            assert child.poll() is None, "the server ended"
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        child.terminate()
        child.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def connected(address: str, mode: str, key: HubKey | None = None) -> AsyncIterator[Client]:
    auth = None if key is None else Httpx2Auth(key)
    async with httpx2.AsyncClient(auth=auth, timeout=TIMEOUT_SECONDS) as http:
        transport = streamable_http_client(address, http_client=http)
        async with Client(transport, mode=mode) as client:  # type: ignore[arg-type]
            yield client


async def spendable(url: str, key: HubKey) -> int:
    async with httpx.AsyncClient(base_url=url, auth=HttpxAuth(key)) as client:
        answer = await client.get(f"/api/v1/wallet/{key.account}")
        return int(answer.json()["spendable"])


async def publish(url: str, key: HubKey, endpoint: str) -> str:
    """Lists the server, and answers its address under the hub."""
    body: Json = {
        "owner": key.account,
        "keyId": key.key_id,
        "endpoint": endpoint,
        "tools": TOOLS,
        "idempotencyKey": uuid.uuid4().hex,
    }
    async with httpx.AsyncClient(base_url=url, auth=HttpxAuth(key), timeout=60) as client:
        answer = await client.post("/api/v1/hosted", json=body)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["listedEndpoint"])


async def used(url: str, address: str, holder: HubKey | None) -> None:
    """Free without a key, a price without a key, and paid with one, in both eras."""
    for mode in MODES:
        async with connected(address, mode) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names == {"list_currencies", "convert"}, names
            free = await client.call_tool("list_currencies", {})
            assert free.content[0].text == "EUR USD JPY", free
            quoted = await client.call_tool("convert", CONVERT)
            assert quoted.is_error is True, quoted
            assert (quoted.structured_content or {})["code"] == "payment-required", quoted
        caller = await funded(url)
        before = await spendable(url, caller)
        earned = 0 if holder is None else await spendable(url, holder)
        async with connected(address, mode, caller) as client:
            served = await client.call_tool("convert", CONVERT)
            assert served.is_error is not True, served
            assert served.content[0].text == "12.5 EUR in USD", served
            assert (served.meta or {})["hub/receipt"]["cost"] == str(PRICE), served
        assert before - await spendable(url, caller) == PRICE
        if holder is not None:
            assert await spendable(url, holder) - earned == PRICE


def dialled(holder: HubKey, port: int, *words: str) -> Check:
    async def check(url: str) -> None:
        with serving(port, *words) as endpoint:
            await used(url, await publish(url, holder, endpoint), holder)

    kind = "stateless" if words else "with sessions and event streams"
    check.__doc__ = f"a server that is dialled ({kind}) serves the client, free and paid"
    return check


def behind_a_router(command: list[str]) -> Check:
    async def check(url: str) -> None:
        """a server that nobody can dial connects out by `hubctl host`, and is paid"""
        with serving(free_port()) as endpoint, tempfile.TemporaryDirectory() as folder:
            key = ["--key", str(Path(folder, "agent.key"))]
            words = ["host", *key, "--hub", url, "--endpoint", endpoint]
            prices = ["--prices", f"convert={PRICE}"]
            # A first run has no money for the fee, and says what to do.
            poor = await asyncio.to_thread(
                subprocess.run, [*command, *words, *prices], capture_output=True, text=True
            )
            named = re.search(r"key:[1-9A-HJ-NP-Za-km-z]{32,44}", poor.stdout)
            assert poor.returncode == 1 and named is not None, poor
            body = {"amount": "250000", "idempotencyKey": "fee"}
            async with httpx.AsyncClient(base_url=url) as client:
                path = f"/api/v1/wallet/{named[0]}/credit"
                answer = await client.post(path, json=body)
                assert answer.status_code == 200, answer.text
            hosting = subprocess.Popen([*command, *words, *prices], stdout=subprocess.PIPE, text=True)
            try:
                assert hosting.stdout is not None
                address = ""
                while not address.startswith("http"):
                    line = await asyncio.to_thread(hosting.stdout.readline)
                    assert line != "", "it ended before it was listed"
                    address = line.strip()
                await used(url, address, None)
            finally:
                hosting.terminate()
                hosting.wait()

    return check


async def main(url: str, port: int, command: list[str]) -> bool:
    # The second server takes the place of the first, which costs its holder nothing.
    holder = await funded(url)
    dialling = [dialled(holder, port), dialled(holder, port, "stateless")]
    checks = [*dialling, behind_a_router(command)]
    return await run("MCP SDK for Python, hosted", url, checks)


logging.disable(logging.ERROR)
sys.exit(0 if asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])) else 1)
