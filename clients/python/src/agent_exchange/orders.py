"""Work of days with files: what is offered to an account, its claim while it works, and its parts."""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

from .client import Hub
from .errors import HubRefusal
from .generated.models import Claim, FileReference, FilesPutBody, SubmitResult, TaskChange
from .generated.models import TasksAmendBody, TasksStartBody, WorkItem

_PART_BYTES = 4 * 1_048_576
_EVERY_SECONDS_MAX = 600.0
_LEASE_SECONDS = 1_800
_PASSING = ("rate-limited", "busy")


def store_file(
    hub: Hub, key: str, content: bytes, *, media_type: Optional[str] = None
) -> FileReference:
    """Stores up to 32 MB and returns how a brief or a result names it. A larger one than a part goes
    in parts, and a repeat sends only those that are missing."""
    if len(content) <= _PART_BYTES:
        stored = hub.files.put(_put(hub, key, contentBase64=_letters(content)))
    else:
        prefix = f"{key}.part-"
        pages = hub.files.iter_list(owner=hub.account, prefix=prefix)
        there = {each.key: each.sha256 for each in pages}
        parts: List[Dict[str, str]] = []
        for start in range(0, len(content), _PART_BYTES):
            piece = content[start : start + _PART_BYTES]
            part = {"key": f"{prefix}{len(parts)}", "sha256": hashlib.sha256(piece).hexdigest()}
            if there.get(part["key"]) != part["sha256"]:
                hub.files.put(_put(hub, part["key"], contentBase64=_letters(piece)))
            parts.append(part)
        stored = hub.files.put(_put(hub, key, parts=parts))
        for part in parts:
            hub.files.delete(owner=hub.account, key=part["key"])
    named = {"owner": stored.owner, "key": stored.key, "sha256": stored.sha256}
    kind = {} if media_type is None else {"mediaType": media_type}
    return FileReference.model_validate({**named, **kind})


def _put(hub: Hub, key: str, **content: Any) -> FilesPutBody:
    return FilesPutBody.model_validate({"owner": hub.account, "key": key, **content})


def _letters(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def task_file(hub: Hub, task_id: str, digest: str) -> bytes:
    """Reads a file of a task in parts and compares it with its digest; ValueError where it differs."""
    content = bytearray()
    offset: Optional[int] = 0
    while offset is not None:
        part = hub.tasks.file(id=task_id, digest=digest, offset=offset, length=_PART_BYTES)
        content += base64.b64decode(part.contentBase64, validate=True)
        offset = part.nextOffset
    if hashlib.sha256(content).hexdigest() != digest:
        raise ValueError(f"the bytes of the task {task_id} do not have the digest {digest}")
    return bytes(content)


def offers_to(hub: Hub) -> Iterator[WorkItem]:
    """Tasks that are offered to this account before others, as long as they are."""
    for item in hub.tasks.iter_work(role="worker", state="open"):
        if item.offeredUntil is not None:
            yield item


def amend_task(hub: Hub, task_id: str, **amending: Any) -> TaskChange:
    """One of ``change``, ``split``, ``accept``, ``refuse`` and ``withdraw``, with ``revision``."""
    body = TasksAmendBody.model_validate({"by": hub.account, **amending})
    return hub.tasks.amend(body, id=task_id)


def deliver(
    hub: Hub, claim: Claim, result: Any, files: Sequence[FileReference] = ()
) -> SubmitResult:
    """Delivers by the call that the claim names; the hub judges the result at once or waits."""
    assert claim.deliver is not None
    call = claim.deliver
    body = {
        **call.body.model_dump(mode="json"),
        "result": result,
        **({"files": [each.model_dump(exclude_none=True) for each in files]} if files else {}),
        "idempotencyKey": secrets.token_hex(16),
    }
    sent = {"method": call.method, "path": call.path, "body": body}
    return SubmitResult.model_validate(hub.follow(sent))


@contextmanager
def while_held(
    hub: Hub, claim: Claim, *, every: Optional[float] = None
) -> Iterator[Callable[[int, str], None]]:
    """Renews the claim while its block runs, ``every`` so many seconds (a third of the lease when
    absent), and gives ``report(percent, note)``. A lost claim is raised at the end of the block."""
    assert claim.work is not None
    task_id, lease = claim.work.id, claim.work.lease
    seconds = (_LEASE_SECONDS if lease is None else lease.leaseSeconds) / 3
    pause = min(seconds, _EVERY_SECONDS_MAX) if every is None else every
    done = threading.Event()
    lost: List[HubRefusal] = []

    def beat(**progress: Any) -> None:
        body = TasksStartBody.model_validate({"agentId": hub.account, **progress})
        hub.tasks.start(body, id=task_id)

    def beats() -> None:
        while not done.wait(pause):
            try:
                beat()
            except HubRefusal as refusal:
                if refusal.code in _PASSING:
                    continue
                lost.append(refusal)
                return
            except Exception:  # The next sign of life comes in time: a lease has three.
                continue

    thread = threading.Thread(target=beats, daemon=True)
    thread.start()
    try:
        yield lambda percent, note: beat(percent=percent, note=note)
    finally:
        done.set()
        thread.join()
    if lost:
        raise lost[0]
