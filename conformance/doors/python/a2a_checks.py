"""The official A2A client for Python against the hub, in both versions of the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import jwt
from a2a.client import ClientConfig, ClientFactory
from a2a.client.card_resolver import A2ACardResolver
from a2a.client.client import Client
from a2a.client.errors import A2AClientError
from a2a.helpers.proto_helpers import get_data_parts, new_data_part, new_message
from a2a.types.a2a_pb2 import (
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    StreamResponse,
    TaskState,
)
from a2a.utils.errors import TaskNotFoundError
from a2a.utils.signing import InvalidSignaturesError, create_signature_verifier
from signing import HttpxAuth, HubKey
from town import TIMEOUT_SECONDS, Check, Json, funded, new_skill, publish, run, wanted, work

SKILLS = 20


@asynccontextmanager
async def connected(
    url: str, version: str, key: HubKey | None = None, streaming: bool = False
) -> AsyncIterator[Client]:
    """A client of one interface of the card; it signs with the key, when it has one."""
    auth = None if key is None else HttpxAuth(key)
    async with httpx.AsyncClient(auth=auth, timeout=TIMEOUT_SECONDS) as http:
        card = await A2ACardResolver(http, url).get_agent_card()
        for interface in list(card.supported_interfaces):
            if interface.protocol_version != version:
                card.supported_interfaces.remove(interface)
        config = ClientConfig(httpx_client=http, streaming=streaming)
        yield ClientFactory(config).create(card)


def request(skill: str, arguments: Json, at_once: bool = False) -> SendMessageRequest:
    part = new_data_part({"skill": skill, "arguments": arguments})
    return SendMessageRequest(
        message=new_message([part], role=Role.ROLE_USER),
        configuration=SendMessageConfiguration(return_immediately=at_once),
    )


async def send(client: Client, skill: str, arguments: Json, at_once: bool = False) -> StreamResponse:
    events = [each async for each in client.send_message(request(skill, arguments, at_once))]
    assert len(events) == 1, events
    return events[0]


def read(event: StreamResponse) -> Json:
    assert event.HasField("message"), event
    return get_data_parts(event.message.parts)[0]


def checks_of(version: str) -> list[Check]:
    async def reads(url: str) -> None:
        """reads without a key"""
        async with connected(url, version) as client:
            assert read(await send(client, "list-tasks", {"limit": 3}))["count"] <= 3

    async def moves(url: str) -> None:
        """moves money with its key, text beyond ASCII included"""
        key = await funded(url)
        async with connected(url, version, key) as client:
            task = (await send(client, "publish-task", work(key, new_skill()))).task
            assert task.status.state == TaskState.TASK_STATE_COMPLETED, task
            assert get_data_parts(task.artifacts[0].parts)[0]["title"] == "Größe – 漢字"
            wallet = read(await send(client, "wallet", {"owner": key.account}))
            assert (wallet["balance"], wallet["spendable"]) == ("5000000", "4000000"), wallet
            assert (await client.get_task(GetTaskRequest(id=task.id))).id == task.id

    async def refused(url: str) -> None:
        """sees a refusal as a rejected task with its code"""
        key = HubKey()
        async with connected(url, version, key) as client:
            task = (await send(client, "publish-task", work(key, new_skill()))).task
            assert task.status.state == TaskState.TASK_STATE_REJECTED, task
            refusal = get_data_parts(task.status.message.parts)[0]
            assert refusal["code"] == "insufficient-funds", refusal

    async def errors(url: str) -> None:
        """sees a missing signature and the errors of the protocol"""
        async with connected(url, version) as client:
            try:
                await send(client, "publish-task", {})
            except A2AClientError as error:
                assert "401" in str(error), error
            else:
                raise AssertionError("an unsigned change was taken")
            try:
                await client.get_task(GetTaskRequest(id="nosuch"))
            except TaskNotFoundError:
                pass
            else:
                raise AssertionError("a task was found that never was")

    async def streams(url: str) -> None:
        """streams a claim that waits, to the work that comes"""
        requester, skill = await funded(url), new_skill()
        seen: list[StreamResponse] = []
        async with connected(url, version, HubKey(), streaming=True) as client:
            async for event in client.send_message(request("claim-task", wanted(skill))):
                seen.append(event)
                if len(seen) == 1:
                    task_id = await publish(url, requester, skill)
        kinds = [each.WhichOneof("payload") for each in seen]
        assert kinds == ["task", "artifact_update", "status_update"], kinds
        claim = get_data_parts(seen[1].artifact_update.artifact.parts)[0]
        assert claim["work"]["id"] == task_id, claim

    async def cancels(url: str) -> None:
        """cancels a claim that waits"""
        async with connected(url, version, HubKey()) as client:
            task = (await send(client, "claim-task", wanted(new_skill()), at_once=True)).task
            assert task.status.state == TaskState.TASK_STATE_WORKING, task
            ended = await client.cancel_task(CancelTaskRequest(id=task.id))
            assert ended.status.state == TaskState.TASK_STATE_CANCELED, ended
            again = await client.cancel_task(CancelTaskRequest(id=task.id))
            assert again.status.state == TaskState.TASK_STATE_CANCELED, again

    async def lists(url: str) -> None:
        """lists the tasks of its key"""
        key = await funded(url)
        async with connected(url, version, key) as client:
            await send(client, "publish-task", work(key, new_skill()))
            listed = await client.list_tasks(ListTasksRequest(page_size=1))
            assert (len(listed.tasks), listed.total_size) == (1, 1), listed

    common = [reads, moves, refused, errors, streams, cancels]
    return [*common, lists] if version == "1.0" else common


async def verifies(url: str) -> None:
    """verifies the card with the keys that it names, and not when a word of it was changed"""
    keys = await asyncio.to_thread(lambda: httpx.get(f"{url}/.well-known/jwks.json").json())
    ring = jwt.PyJWKSet.from_dict(keys)
    verify = create_signature_verifier(lambda kid, _: ring[str(kid)], ["EdDSA"])
    async with httpx.AsyncClient() as http:
        card = await A2ACardResolver(http, url).get_agent_card(signature_verifier=verify)
    assert len(card.skills) == SKILLS, len(card.skills)
    card.description += " "
    try:
        verify(card)
    except InvalidSignaturesError:
        return
    raise AssertionError("a changed card was verified")


async def check(url: str) -> bool:
    held = await run("A2A SDK for Python, the card", url, [verifies])
    for version in ("1.0", "0.3"):
        held &= await run(f"A2A SDK for Python, speaking {version}", url, checks_of(version))
    return held
