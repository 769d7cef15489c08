"""What a run needs to exist before it starts: two funded accounts, and tasks to act on."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import requests

from agent import TOOL, serve
from hub_signature import HubSignature

HUB = os.environ["SCHEMATHESIS_HUB"]
# Where the hub may dial an agent on this machine; a hub elsewhere may dial none.
AGENT = os.environ.get("SCHEMATHESIS_AGENT")
ME = HubSignature("schemathesis: the account of the run")
OTHER = HubSignature("schemathesis: somebody else")
# The faucet's most for a call, and for a day less one call, which the run itself may make.
FUNDS_ATOMIC = "1000000000"
FUNDINGS = 9
ROUNDS = 4
# A young account may hold three claims; one is left to the run.
HELD = 2
REWARD_ATOMIC = "10000"
DAY_SECONDS = 86_400
TIMEOUT_SECONDS = 10


class Town(NamedTuple):
    tasks: list[str]
    # Tokens of the run's own claims, and results that wait for its verdict, each with its task.
    claims: dict[str, str]
    solutions: dict[str, str]
    # What paths and bodies name, by the beginning of the operation's id.
    ids: dict[str, list[str]]
    api_key: str


def settle() -> Town:
    """Gives both accounts test money, and publishes tasks of each that the other works on."""
    town = Town([], {}, {}, {}, "")
    for account in (ME, OTHER):
        for count in range(FUNDINGS):
            body = {"amount": FUNDS_ATOMIC, "idempotencyKey": f"start-{count}"}
            call(None, f"/api/v1/wallet/{account.account}/credit", body)
    for requester, worker in ((ME, OTHER), (OTHER, ME)):
        for _ in range(ROUNDS):
            work(town, requester, worker)
        for _ in range(HELD):
            hold(town, requester, worker)
    for name, make in KINDS.items():
        town.ids[name] = [make(count) for count in range(ROUNDS)]
    if AGENT is not None:
        town.ids["registry."] = [new_listing(serve(AGENT))]
    return town._replace(api_key=str(new_api_key()["key"]))


def new_api_key() -> dict[str, Any]:
    return call(ME, f"/api/v1/wallet/{ME.account}/api-keys", {})


def new_space(count: int) -> str:
    body = {"owner": ME.account, "name": f"notes-{count}", "kind": "shared"}
    space = str(call(ME, "/api/v1/memory/spaces", body)["id"])
    note = {"author": ME.account, "spaceId": space, "content": "Five plans; the second is yearly."}
    call(ME, "/api/v1/memory", note)
    return space


def new_chain(count: int) -> str:
    steps = [{"title": f"Step {count}", "rewardAmount": REWARD_ATOMIC, "verification": "requester"}]
    body = {"requester": ME.account, "title": "In order", "steps": steps}
    return str(call(ME, "/api/v1/chains", body)["id"])


def new_market(count: int) -> str:
    question = {"question": f"Will page {count} say yes at noon?", "source": "https://example.org"}
    body = {**question, "closesAt": "2090-01-01T12:00:00.000Z"}
    return str(call(OTHER, "/api/v1/games/predictions/markets", body)["id"])


def new_table(count: int) -> str:
    """At every other one the run has a seat."""
    body = {"format": "cash", "seats": 6, "bigBlind": "1000", "name": f"Table {count}"}
    table = call(OTHER, "/api/v1/games/poker/tables", body)
    if count % 2 == 0:
        call(ME, f"/api/v1/games/poker/tables/{table['id']}/sit", {"buyIn": table["minBuyIn"]})
    return str(table["id"])


def new_listing(endpoint: str) -> str:
    tools = [{"name": TOOL["name"], "description": TOOL["description"]}]
    body = {"owner": ME.account, "keyId": ME.key_id, "endpoint": endpoint, "tools": tools}
    return str(call(ME, "/api/v1/hosted", body)["id"])


KINDS = {
    "memory.": new_space,
    "chains.": new_chain,
    "predictions.": new_market,
    "poker.": new_table,
    "wallet.revokeApiKey": lambda count: str(new_api_key()["id"]),
}


def work(town: Town, requester: HubSignature, worker: HubSignature) -> None:
    """One task to claim, one delivered, one disputed, one to solve, one solved, one pitched and a
    thread."""
    exclusive, delivered = (publish(requester, mode="exclusive") for _ in range(2))
    waiting, solved = (publish(requester, mode="open") for _ in range(2))
    pitched = publish(requester, tags=["pitch"])
    plan = {"agentId": worker.account, "plan": "Line by line."}
    call(worker, f"/api/v1/tasks/{pitched}/pitch", plan)
    thread = publish(requester, tags=["thread"], rewardAmount=None)
    made = deliver(worker, delivered)
    disputed = publish(requester, verification="automatic", disputeWindowSeconds=DAY_SECONDS)
    deliver(worker, disputed)
    objection = {"raisedBy": requester.account, "reason": "The third line is missing."}
    call(requester, f"/api/v1/tasks/{disputed}/dispute", objection)
    solution = {"agentId": worker.account, "result": "done"}
    offered = call(worker, f"/api/v1/tasks/{solved}/solution", solution)["solutionId"]
    call(worker, f"/api/v1/tasks/{thread}/comments", {"author": worker.account, "body": "Mine."})
    town.tasks.extend((exclusive, delivered, disputed, waiting, solved, pitched, thread))
    if requester is ME:
        town.solutions.update({made: delivered, offered: solved})


def hold(town: Town, requester: HubSignature, worker: HubSignature) -> None:
    """One task claimed and not delivered."""
    claimed = publish(requester, mode="exclusive")
    token = claim(worker, claimed)
    town.tasks.append(claimed)
    if worker is ME:
        town.claims[token] = claimed


def deliver(worker: HubSignature, task: str) -> str:
    delivery = {"claimToken": claim(worker, task), "result": "done"}
    return str(call(worker, f"/api/v1/tasks/{task}/submit", delivery)["solutionId"])


def claim(worker: HubSignature, task: str) -> str:
    answer = call(worker, f"/api/v1/tasks/{task}/claim", {"agentId": worker.account})
    return str(answer["claimToken"])


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
    return str(call(requester, "/api/v1/tasks", given)["id"])


def call(account: HubSignature | None, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = requests.post(f"{HUB}{path}", json=body, auth=account, timeout=TIMEOUT_SECONDS)
    if not answer.ok:
        said = f"{answer.status_code} {answer.text}"
        raise SystemExit(f"The run cannot start: POST {path} answered {said}")
    return dict(answer.json())
