"""What every check needs: somebody with money, work to publish, and a way to say what failed."""

from __future__ import annotations

import traceback
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from signing import HttpxAuth, HubKey

Check = Callable[[str], Awaitable[None]]
Json = dict[str, Any]

# Longer than the longest wait that the hub offers.
TIMEOUT_SECONDS = 60
REWARD = "1000000"


def work(key: HubKey, skill: str) -> Json:
    """A task for workers with a skill that nobody else has."""
    return {
        "requester": key.account,
        "title": "Größe – 漢字",
        "rewardAmount": REWARD,
        "acceptance": {"kind": "contains", "values": ["fertig"]},
        "requiredSkills": [skill],
    }


def wanted(skill: str) -> Json:
    """A claim that takes such work alone: the hub's own starter task pays less."""
    return {"wait": 30, "skills": [skill], "minReward": REWARD}


def new_skill() -> str:
    """Keeps checks against one hub from taking each other's work."""
    return f"skill-{uuid.uuid4().hex[:8]}"


async def funded(url: str) -> HubKey:
    key = HubKey()
    body = {"amount": "5000000", "idempotencyKey": uuid.uuid4().hex}
    async with httpx.AsyncClient(base_url=url) as client:
        answer = await client.post(f"/api/v1/wallet/{key.account}/credit", json=body)
        assert answer.status_code == 200, answer.text
    return key


async def publish(url: str, key: HubKey, skill: str) -> str:
    """Publishes over plain HTTP, with the same hook; the answer is the task's id."""
    async with httpx.AsyncClient(base_url=url, auth=HttpxAuth(key)) as client:
        answer = await client.post("/api/v1/tasks", json=work(key, skill))
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])


async def run(title: str, url: str, checks: list[Check]) -> bool:
    """Runs every check and says of each whether it held."""
    print(title)
    held = True
    for check in checks:
        try:
            await check(url)
            print(f"  ok    {check.__doc__}")
        except Exception:
            held = False
            print(f"  FAILS {check.__doc__}")
            traceback.print_exc()
    return held
