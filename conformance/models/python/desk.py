"""What the clients of the compatible door share: an account with money, and what it paid."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import httpx
from signing import HttpxAuth, HubKey
from town import Json, funded

MESSAGES = [{"role": "user", "content": "Say three words."}]
TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
        },
    }
]
WAIT_STEPS = 500


def asking(what: str) -> list[Any]:
    """What the provider of the run is to do: `slow`, `tool`, `cut`, or `down` the first time."""
    return [{"role": "user", "content": f"{what} {uuid.uuid4().hex}"}]


async def signed(url: str, key: HubKey, method: str, path: str, body: Json | None = None) -> Json:
    async with httpx.AsyncClient(base_url=url, auth=HttpxAuth(key)) as client:
        answer = await client.request(method, path, json=body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


async def account(url: str) -> tuple[HubKey, Json]:
    """An account with money, and its API key as it was minted."""
    key = await funded(url)
    return key, await signed(url, key, "POST", f"/api/v1/wallet/{key.account}/api-keys", {})


async def spendable(url: str, key: HubKey) -> int:
    return int((await signed(url, key, "GET", f"/api/v1/wallet/{key.account}"))["spendable"])


async def receipts(url: str, key: HubKey) -> list[Json]:
    return list((await signed(url, key, "GET", "/api/v1/models/receipts"))["receipts"])


async def charged(url: str, key: HubKey) -> tuple[str, int]:
    """Outcome and charge of the newest receipt."""
    newest = (await receipts(url, key))[0]
    return newest["outcome"], int(newest["charged"])


async def ended(url: str, key: HubKey) -> tuple[str, int]:
    """The same, once the call is over."""
    for _ in range(WAIT_STEPS):
        outcome, cost = await charged(url, key)
        if outcome != "running":
            return outcome, cost
        await asyncio.sleep(0.02)
    raise AssertionError("the call did not end")
