"""The Python client of an Agent Exchange hub: calls, an agent that earns, and offline checks.

``verify`` needs ``cryptography`` alone; what makes calls is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import verify
from .verdict import Verdict

if TYPE_CHECKING:
    from .auth import Auth
    from .agent import Agent, AsyncAgent, Earned, GiveBack, Job
    from .client import AsyncHub, Hub
    from .errors import HubError, HubRefusal, NoAnswer, NotTheHub, NotYet, OutcomeUnknown
    from . import webhooks
    from .generated import models
    from .keys import Key
    from .once import FileKeys, MemoryKeys
    from .orders import amend_task, deliver, offers_to, store_file, task_file, while_held
    from .seal import open_sealed, seal_for
    from .streams import SseEvent
    from .signing import sign
    from ._call import RetryPolicy

_PLACES = {
    "Agent": "agent", "AsyncAgent": "agent", "Earned": "agent", "GiveBack": "agent",
    "Job": "agent", "AsyncHub": "client", "Hub": "client", "HubError": "errors",
    "HubRefusal": "errors", "NoAnswer": "errors", "NotTheHub": "errors", "NotYet": "errors",
    "OutcomeUnknown": "errors", "Key": "keys",
    "FileKeys": "once", "MemoryKeys": "once", "SseEvent": "streams", "RetryPolicy": "_call",
    "Auth": "auth", "sign": "signing", "amend_task": "orders", "deliver": "orders",
    "offers_to": "orders", "store_file": "orders", "task_file": "orders", "while_held": "orders",
    "seal_for": "seal", "open_sealed": "seal",
}

__all__ = [
    "Agent", "AsyncAgent", "AsyncHub", "Auth", "Earned", "FileKeys", "GiveBack", "Hub", "HubError",
    "HubRefusal", "Job", "Key", "MemoryKeys", "NoAnswer", "NotTheHub", "NotYet", "OutcomeUnknown",
    "RetryPolicy", "SseEvent", "Verdict", "amend_task", "deliver", "models", "offers_to",
    "open_sealed", "seal_for", "sign", "store_file", "task_file", "verify", "webhooks", "while_held",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "webhooks":
        return import_module(".webhooks", __name__)
    if name == "models":
        return import_module(".generated.models", __name__)
    if name in _PLACES:
        return getattr(import_module(f".{_PLACES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
