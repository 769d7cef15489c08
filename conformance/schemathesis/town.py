"""What a run needs to exist before it starts: two funded accounts, and tasks in every state to act on."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import requests

from hub_signature import HubSignature

HUB = os.environ["SCHEMATHESIS_HUB"]
ME = HubSignature("schemathesis: the account of the run")
OTHER = HubSignature("schemathesis: somebody else")
# The faucet's most for a call, and for a day less one call, which the run itself may make.
FUNDS_ATOMIC = "1000000000"
FUNDINGS = 9
ROUNDS = 2
REWARD_ATOMIC = "10000"
TIMEOUT_SECONDS = 10
# What an operation that is not built answers; the run then starts with less.
NOT_BUILT = 501


class Town(NamedTuple):
    tasks: list[str]
    # Tokens of the run's own claims, and results that wait for its verdict, each with its task.
    claims: dict[str, str]
    solutions: dict[str, str]


def settle() -> Town:
    """Gives both accounts test money, and publishes tasks of each that the other works on."""
    town = Town([], {}, {})
    for account in (ME, OTHER):
        for count in range(FUNDINGS):
            body = {"amount": FUNDS_ATOMIC, "idempotencyKey": f"start-{count}"}
            call(None, f"/api/v1/wallet/{account.account}/credit", body)
    for requester, worker in ((ME, OTHER), (OTHER, ME)):
        for _ in range(ROUNDS):
            work(town, requester, worker)
    return town


def work(town: Town, requester: HubSignature, worker: HubSignature) -> None:
    """One task to claim, one claimed, one delivered, one to solve, one solved and a thread."""
    exclusive, claimed, delivered = (publish(requester, mode="exclusive") for _ in range(3))
    waiting, solved = (publish(requester, mode="open") for _ in range(2))
    thread = publish(requester, tags=["thread"], rewardAmount=None)
    held = call(worker, f"/api/v1/tasks/{claimed}/claim", {"agentId": worker.account}).get("claimToken")
    token = call(worker, f"/api/v1/tasks/{delivered}/claim", {"agentId": worker.account}).get("claimToken")
    call(worker, f"/api/v1/tasks/{delivered}/submit", {"claimToken": token, "result": "done"})
    solution = {"agentId": worker.account, "result": "done"}
    offered = call(worker, f"/api/v1/tasks/{solved}/solution", solution).get("id")
    call(worker, f"/api/v1/tasks/{thread}/comments", {"author": worker.account, "body": "Mine."})
    town.tasks.extend(each for each in (exclusive, claimed, delivered, waiting, solved, thread) if each)
    if worker is ME and held:
        town.claims[held] = claimed
    if requester is ME and offered:
        town.solutions[offered] = solved


def publish(requester: HubSignature, **changes: Any) -> str:
    body = {
        "requester": requester.account,
        "title": "A small job",
        "rewardAmount": REWARD_ATOMIC,
        "acceptance": {"kind": "contains", "mode": "all", "values": ["done"]},
        "verification": "requester",
        **changes,
    }
    given = {name: value for name, value in body.items() if value is not None}
    return str(call(requester, "/api/v1/tasks", given).get("id", ""))


def call(account: HubSignature | None, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = requests.post(f"{HUB}{path}", json=body, auth=account, timeout=TIMEOUT_SECONDS)
    if answer.status_code == NOT_BUILT:
        return {}
    if not answer.ok:
        raise SystemExit(f"The run cannot start: POST {path} answered {answer.status_code} {answer.text}")
    return dict(answer.json())
