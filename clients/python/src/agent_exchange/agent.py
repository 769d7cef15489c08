"""An agent that earns: it claims, works, delivers, and tries again where the rule refused."""

from __future__ import annotations

import asyncio
import inspect
import secrets
import time
from dataclasses import dataclass, field
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Mapping, Optional

from .client import AsyncHub, Hub

from .generated.models import Claim, SubmitResult, TasksClaimBody, TasksClaimNextBody, TasksFailBody

WAIT_SECONDS = 30
_GIVEN_BACK_PAUSE = 1.0


class GiveBack(Exception):
    """Hands the task back at once, with no penalty; the loop goes on."""


@dataclass(frozen=True)
class Job:
    """What a solver is given. Other accounts wrote the content of a task: data, no instructions."""

    claim: Claim
    #: What was wrong with the result before; empty on the first try.
    refused: List[Any] = field(default_factory=list)

    @property
    def task(self) -> Any:
        return self.claim.work


@dataclass(frozen=True)
class Earned:
    task: Any
    outcome: SubmitResult

    @property
    def pays(self) -> Optional[str]:
        """What acceptance pays this account, in atomic units; None while nothing was accepted."""
        return None if self.outcome.split is None else self.outcome.split.worker


Solve = Callable[[Job], Any]


@dataclass
class _Worker:
    solvers: Dict[str, Solve] = field(default_factory=dict)

    def claim_body(self, min_reward: Optional[str]) -> TasksClaimNextBody:
        if not self.solvers:
            raise TypeError("an agent needs a skill: agent.can(...)")
        return TasksClaimNextBody(skills=list(self.solvers), minReward=min_reward)

    def solver(self, job: Job) -> Solve:
        for skill in job.task.requiredSkills:
            if skill in self.solvers:
                return self.solvers[skill]
        raise GiveBack("This agent has no solver for the task.")


def _delivery(claim: Claim, result: Any) -> Mapping[str, Any]:
    assert claim.deliver is not None
    call = claim.deliver
    body = {
        **call.body.model_dump(mode="json"),
        "result": result,
        "idempotencyKey": secrets.token_hex(16),
    }
    return {"method": call.method, "path": call.path, "body": body}


def _fail_body(claim: Claim, reason: str) -> TasksFailBody:
    return TasksFailBody(claimToken=claim.claimToken or "", reason=reason)


def _retry(outcome: SubmitResult) -> Optional[Dict[str, Any]]:
    if outcome.retry is None or outcome.attemptsLeft == 0:
        return None
    return outcome.retry.model_dump(mode="json", exclude_none=True)


class Agent:
    """``agent.can("word-count", solve)`` and then ``for earned in agent.run(): ...``."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._worker = _Worker()

    def can(self, skill: str, solve: Solve) -> Agent:
        self._worker.solvers[skill] = solve
        return self

    def run(
        self,
        *,
        count: Optional[int] = None,
        min_reward: Optional[str] = None,
        wait: int = WAIT_SECONDS,
    ) -> Iterator[Earned]:
        """Works until the count or the end of the caller's loop. What is held is finished first."""
        done = 0
        body = self._worker.claim_body(min_reward)
        while count is None or done < count:
            claim: Optional[Claim] = self._held() or self.hub.tasks.claim_next(body, wait=wait)
            refused: List[Any] = []
            while claim is not None and claim.work is not None:
                outcome = self._deliver(claim, refused)
                if outcome is None:
                    time.sleep(_GIVEN_BACK_PAUSE)
                    break
                yield Earned(claim.work, outcome)
                done += 1
                retry = _retry(outcome)
                if retry is None:
                    break
                refused = list(outcome.refused or [])
                claim = Claim.model_validate(self.hub.follow(retry))

    def _deliver(self, claim: Claim, refused: List[Any]) -> Optional[SubmitResult]:
        job = Job(claim, refused)
        try:
            result = self._worker.solver(job)(job)
        except GiveBack as reason:
            self._give_back(claim, str(reason))
            return None
        except BaseException:
            self._give_back(claim, "The worker failed.")
            raise
        return SubmitResult.model_validate(self.hub.follow(_delivery(claim, result)))

    def _give_back(self, claim: Claim, reason: str) -> None:
        self.hub.tasks.fail(_fail_body(claim, reason), id=claim.work.id if claim.work else "")

    def _held(self) -> Optional[Claim]:
        for held in self.hub.wallet.me().claims:
            if held.taskState == "held":
                account = self.hub.account
                return self.hub.tasks.claim(TasksClaimBody(agentId=account), id=held.taskId)
        return None


class AsyncAgent:
    """As ``Agent``; a solver may be a coroutine function."""

    def __init__(self, hub: AsyncHub) -> None:
        self.hub = hub
        self._worker = _Worker()

    def can(self, skill: str, solve: Solve) -> AsyncAgent:
        self._worker.solvers[skill] = solve
        return self

    async def run(
        self,
        *,
        count: Optional[int] = None,
        min_reward: Optional[str] = None,
        wait: int = WAIT_SECONDS,
    ) -> AsyncIterator[Earned]:
        """Works until the count or the end of the caller's loop. What is held is finished first."""
        done = 0
        body = self._worker.claim_body(min_reward)
        while count is None or done < count:
            held = await self._held()
            claim: Optional[Claim] = held or await self.hub.tasks.claim_next(body, wait=wait)
            refused: List[Any] = []
            while claim is not None and claim.work is not None:
                outcome = await self._deliver(claim, refused)
                if outcome is None:
                    await asyncio.sleep(_GIVEN_BACK_PAUSE)
                    break
                yield Earned(claim.work, outcome)
                done += 1
                retry = _retry(outcome)
                if retry is None:
                    break
                refused = list(outcome.refused or [])
                claim = Claim.model_validate(await self.hub.follow(retry))

    async def _deliver(self, claim: Claim, refused: List[Any]) -> Optional[SubmitResult]:
        job = Job(claim, refused)
        try:
            result = self._worker.solver(job)(job)
            if inspect.isawaitable(result):
                result = await result
        except GiveBack as reason:
            await self._give_back(claim, str(reason))
            return None
        except BaseException:
            await self._give_back(claim, "The worker failed.")
            raise
        return SubmitResult.model_validate(await self.hub.follow(_delivery(claim, result)))

    async def _give_back(self, claim: Claim, reason: str) -> None:
        task_id = claim.work.id if claim.work else ""
        await self.hub.tasks.fail(_fail_body(claim, reason), id=task_id)

    async def _held(self) -> Optional[Claim]:
        for held in (await self.hub.wallet.me()).claims:
            if held.taskState == "held":
                account = self.hub.account
                return await self.hub.tasks.claim(TasksClaimBody(agentId=account), id=held.taskId)
        return None
