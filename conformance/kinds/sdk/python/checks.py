"""The Python client against a hub, whose address is the argument: money, work, lists, checks, mandates."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from agent_exchange import Agent, AsyncAgent, AsyncHub, FileKeys, Hub, HubRefusal, Job, Key, models
from agent_exchange import verify
from jwcrypto.jwk import JWK  # type: ignore[import-untyped]
from jwcrypto.jws import InvalidJWSSignature  # type: ignore[import-untyped]
from sd_jwt.verifier import SDJWTVerifier  # type: ignore[import-untyped]

REWARD = "60000"


def count_words(job: Job) -> object:
    return {"words": len(str(job.task.input["text"]).split())}


async def count_later(job: Job) -> object:
    await asyncio.sleep(0)
    return count_words(job)


def funded(hub: Hub) -> Hub:
    body = models.WalletCreditBody(amount="1000000")
    hub.wallet.credit(body, owner=hub.account)
    return hub


def published(hub: Hub, skill: str, title: str = "Count the words") -> str:
    rule = {
        "kind": "json_schema",
        "schema": {"type": "object", "required": ["words"]},
    }
    body = models.TasksPublishBody.model_validate({
        "title": title, "rewardAmount": REWARD, "requiredSkills": [skill],
        "input": {"text": "four words are here"}, "acceptance": rule, "disputeWindowSeconds": 0,
    })
    return hub.tasks.publish(body).id


def check_money(url: str, folder: Path) -> None:
    key = Key.load_or_generate(folder / "payer.key")
    assert Key.load(folder / "payer.key") == key
    keep = FileKeys(folder / "pending")
    with Hub(url, key, keep_keys=keep) as hub:
        funded(hub)
        to = Key.generate().account
        body = models.WalletPayBody(to=to, amount="250000", idempotencyKey="rent")
        first, again = hub.wallet.pay(body), hub.wallet.pay(body)
        assert (first.transferId, first.repeated) == (again.transferId, False), again
        assert again.repeated and keep.pending() == []
        assert hub.wallet.me().wallet.spendable == "750000"
        for amount in ("1", "2", "3"):
            hub.wallet.pay(models.WalletPayBody(to=to, amount=amount))
        seen = [entry.amount for entry in hub.wallet.iter_statement(limit=2)]
        assert seen == ["3", "2", "1", "250000", "1000000"], seen
        lost = {
            "method": "POST", "path": f"/api/v1/wallet/{hub.account}/pay",
            "body": {"to": to, "amount": "7", "idempotencyKey": "lost"},
        }
        assert hub.follow(lost)["transferId"] == hub.follow(lost)["transferId"]
        try:
            hub.wallet.pay(models.WalletPayBody(to=to, amount="900000000"))
            raise AssertionError("nobody has so much")
        except HubRefusal as refusal:
            assert (refusal.code, refusal.status) == ("insufficient-funds", 400), refusal
            assert refusal.hint and refusal.call is None and keep.pending() == []


def check_work(url: str) -> None:
    requester = funded(Hub(url, Key.generate()))
    worker = Hub(url, Key.generate())
    published(requester, "py-sync")
    for earned in Agent(worker).can("py-sync", count_words).run(count=1, wait=5):
        assert (earned.outcome.outcome, earned.pays) == ("accepted", "58200"), earned.outcome
    assert worker.wallet.me().wallet.spendable == "58200"
    held = published(requester, "py-held")
    worker.tasks.claim(models.TasksClaimBody(agentId=worker.account), id=held)
    for earned in Agent(worker).can("py-held", count_words).run(count=1, wait=0):
        assert earned.task.id == held, "what is held comes first"


async def check_async(url: str) -> None:
    requester = funded(Hub(url, Key.generate()))
    async with AsyncHub(url, Key.generate()) as hub:
        waiting = asyncio.ensure_future(first(AsyncAgent(hub)))
        await asyncio.sleep(0)
        published(requester, "py-async")
        assert await waiting == "accepted"
        assert (await hub.wallet.me()).wallet.spendable == "58200"
        ids = [task.id async for task in hub.tasks.iter_list(limit=1, state="paid")]
        assert len(ids) == len(set(ids)) >= 2, ids
        lines = [json.loads(line) async for line in hub.feed_lines()]
        assert all(isinstance(line, dict) for line in lines)
        try:
            await hub.tasks.get(id="00000000-0000-7000-8000-000000000000")
            raise AssertionError("there is no such task")
        except HubRefusal as refusal:
            assert refusal.code == "not-found"


async def first(agent: AsyncAgent) -> str:
    async for earned in agent.can("py-async", count_later).run(count=1, wait=10):
        return earned.outcome.outcome
    return "nothing"


def check_promises(url: str) -> None:
    hub = Hub(url)
    keys = hub.discovery.keys().model_dump(mode="json", exclude_none=True)
    body = models.TimeStampBody(digest="ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb")
    promise = hub.time.stamp(body).model_dump(mode="json", exclude_none=True)
    verdict = verify.promise(promise, keys)
    assert verdict, verdict.says
    assert hub.discovery.llms().startswith("# Agent Exchange Hub")
    names = [hub.discovery.stats(), hub.discovery.networks(), hub.registry.list(), hub.models.list()]
    assert all(name is not None for name in names)


def check_mandate(url: str) -> None:
    """A mandate is read by the library that the SDK of AP2 uses, and sets the same limits again."""
    hub, agent = Hub(url, Key.generate()), Key.generate()
    owner = hub.account
    policy = models.WalletSetPolicyBody(perCall="50000", perDay="100000", operations=["wallet.pay"])
    hub.wallet.set_policy(policy, owner=owner, key_id=agent.key_id)
    mandate = hub.wallet.export_mandate(owner=owner, key_id=agent.key_id).mandate
    keys = {key.kid: key for key in hub.discovery.jwks().keys}

    def issuer_key(_issuer: str, header: dict[str, str]) -> JWK:
        key = keys[header["kid"]]
        return JWK(kty="OKP", crv="Ed25519", x=key.x)

    [content] = SDJWTVerifier(mandate, issuer_key).get_verified_payload()["delegate_payload"]
    assert content["constraints"] == [
        {"type": "payment.amount_range", "currency": "USDC", "max": 50000},
        {
            "type": "urn:agent-exchange:constraint:spending:1",
            "perDay": "100000",
            "operations": ["wallet.pay"],
        },
    ], content
    jwt, rest = mandate.split("~", 1)
    try:
        SDJWTVerifier(f"{jwt[:-8]}AAAAAAAA~{rest}", issuer_key)
        raise AssertionError("the signature was changed")
    except InvalidJWSSignature:
        pass
    body = models.WalletImportMandateBody(mandate=mandate)
    again = hub.wallet.import_mandate(body, owner=owner)
    assert again.spending is not None, again
    assert again.spending.policy.model_dump() == policy.model_dump(), again


def main(url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check_money(url, Path(folder))
    check_work(url)
    asyncio.run(check_async(url))
    check_promises(url)
    check_mandate(url)
    print("the Python client held: money, work, lists, streams, checks, mandates")


if __name__ == "__main__":
    main(sys.argv[1])
