"""The official OpenAI client for Python, unmodified, against the compatible door: `main.py HUB`."""

from __future__ import annotations

import asyncio
import logging
import sys

import httpx
from openai import AsyncOpenAI, AuthenticationError, BadRequestError
from signing import HttpxAuth, HubKey
from town import Json, funded, run

MODEL = "hub/echo"
MESSAGES = [{"role": "user", "content": "Say three words."}]


async def signed(url: str, key: HubKey, method: str, path: str, body: Json | None = None) -> Json:
    async with httpx.AsyncClient(base_url=url, auth=HttpxAuth(key)) as client:
        answer = await client.request(method, path, json=body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


async def customer(url: str) -> tuple[HubKey, Json, AsyncOpenAI]:
    """An account with money, its API key as it was minted, and a client that has it."""
    key = await funded(url)
    minted = await signed(url, key, "POST", f"/api/v1/wallet/{key.account}/api-keys", {})
    return key, minted, AsyncOpenAI(api_key=minted["key"], base_url=f"{url}/v1", max_retries=0)


async def spendable(url: str, key: HubKey) -> int:
    return int((await signed(url, key, "GET", f"/api/v1/wallet/{key.account}"))["spendable"])


async def charged(url: str, key: HubKey) -> tuple[str, int]:
    """Outcome and charge of the newest receipt."""
    page = await signed(url, key, "GET", "/api/v1/models/receipts")
    newest = page["receipts"][0]
    return newest["outcome"], int(newest["charged"])


async def lists(url: str) -> None:
    """lists the models and reads one"""
    _, _, client = await customer(url)
    models = [each.id async for each in client.models.list()]
    assert MODEL in models, models
    assert (await client.models.retrieve(MODEL)).id == MODEL


async def chats(url: str) -> None:
    """chats, and is charged what the receipt says"""
    key, _, client = await customer(url)
    before = await spendable(url, key)
    chat = await client.chat.completions.create(model=MODEL, messages=MESSAGES, max_tokens=20)
    assert "Say three words." in (chat.choices[0].message.content or ""), chat
    outcome, cost = await charged(url, key)
    assert (outcome, before - await spendable(url, key)) == ("completed", cost)


async def streams(url: str) -> None:
    """streams to the end, with usage, and is charged what the receipt says"""
    key, _, client = await customer(url)
    before, said, total = await spendable(url, key), "", 0
    async for chunk in await client.chat.completions.create(
        model=MODEL,
        messages=MESSAGES,
        max_tokens=20,
        stream=True,
        stream_options={"include_usage": True},
    ):
        said += "".join(choice.delta.content or "" for choice in chunk.choices)
        total = chunk.usage.total_tokens if chunk.usage else total
    assert "Say three words." in said and total > 0, (said, total)
    outcome, cost = await charged(url, key)
    assert (outcome, before - await spendable(url, key)) == ("completed", cost)


async def refused(url: str) -> None:
    """reads refusals as its own errors, and pays nothing for them"""
    key, _, client = await customer(url)
    before = await spendable(url, key)
    try:
        await client.chat.completions.create(model="no/such", messages=MESSAGES)
    except BadRequestError as error:
        assert (error.code, error.param) == ("model-unknown", "model"), error
    else:
        raise AssertionError("an unknown model answered")
    assert await spendable(url, key) == before


async def revoked(url: str) -> None:
    """is shut out with a key that was revoked, or that nobody minted"""
    key, minted, client = await customer(url)
    path = f"/api/v1/wallet/{key.account}/api-keys/{minted['id']}/revoke"
    await signed(url, key, "POST", path, {})
    strange = AsyncOpenAI(api_key="sk-none", base_url=f"{url}/v1", max_retries=0)
    for each in (client, strange):
        try:
            await each.chat.completions.create(model=MODEL, messages=MESSAGES)
        except AuthenticationError:
            continue
        raise AssertionError("a dead key was served")


logging.disable(logging.ERROR)
CHECKS = [lists, chats, streams, refused, revoked]
HELD = asyncio.run(run("openai for Python, at /v1", sys.argv[1], CHECKS))
sys.exit(0 if HELD else 1)
