"""``doctor``: everything that a signed call needs, each tried by itself."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any, Callable, Dict, List

import httpx

from . import __version__
from ._home import Home, Unusable
from .client import Hub
from .errors import HubError
from .signing import sign

Json = Dict[str, Any]
# Signatures are refused when they are five minutes old; half of it leaves time for the network.
CLOCK_OFF_SECONDS_MAX = 150


def examine(given: argparse.Namespace, home: Home) -> Json:
    findings: List[Json] = []

    def look(what: str, check: Callable[[], Json]) -> Json:
        try:
            found = check()
        except HubError as error:
            found = {"ok": False, "says": str(error), "todo": f"{error.hint} ({error.link})"}
        except Unusable as error:
            found = {"ok": False, "says": str(error), "todo": "--key FILE names another key"}
        findings.append({"what": what, **found})
        return found

    public = Hub(home.address)
    answers = look("address", lambda: _address(public, home))["ok"]
    key = look("key", lambda: {"ok": True, "says": home.hub().account})
    if answers:
        look("version", lambda: _version(public))
        look("clock", lambda: _clock(public))
        if key["ok"]:
            look("signature", lambda: _signature(home))
            look("money", lambda: _money(home))
    return {"ok": all(each["ok"] for each in findings), "findings": findings}


def _address(hub: Hub, home: Home) -> Json:
    own = hub.discovery.index().baseUrl.rstrip("/")
    if httpx.URL(own).netloc == httpx.URL(home.address).netloc:
        return {"ok": True, "says": home.address}
    return {"ok": False, "says": f"it calls itself {own}, which a signature covers", "todo": f"--hub {own}"}


def _version(hub: Hub) -> Json:
    theirs = hub.discovery.index().version
    says = f"this is {__version__}, the hub {theirs}"
    return {"ok": theirs == __version__, "says": says, "todo": "install the wheel that the hub serves"}


def _clock(hub: Hub) -> Json:
    before = time.time()
    read = hub.time.now().body.unixMs / 1000
    off = (before + time.time()) / 2 - read
    is_near = abs(off) <= CLOCK_OFF_SECONDS_MAX
    says = f"{abs(off):.1f} s {'ahead of' if off > 0 else 'behind'} the hub"
    return {"ok": is_near, "says": says, "todo": "synchronise the clock of this machine"}


def _signature(home: Home) -> Json:
    """The operation is public, so a client does not sign it by itself."""
    key = home.hub()._core.key
    assert key is not None
    url, body = f"{home.address}/api/v1/quickstart/check", json.dumps({"hello": "hub"}).encode()
    headers = {"content-type": "application/json", **sign(key, "POST", url, body)}
    check: Json = httpx.post(url, content=body, headers=headers).json()
    failed = next((step["detail"] for step in check.get("steps", []) if not step["ok"]), "it failed")
    if check.get("verified"):
        return {"ok": True, "says": f"the hub verified it for {check.get('account')}"}
    return {"ok": False, "says": failed, "todo": check.get("fix", "")}


def _money(home: Home) -> Json:
    wallet = home.hub().wallet.me().wallet
    waiting = len(home.pending().pending())
    says = f"{wallet.spendable} units of {wallet.asset} on {wallet.network} to spend"
    if waiting == 0:
        return {"ok": True, "says": says}
    return {"ok": False, "says": f"{says}, {waiting} calls without an answer", "todo": "resume"}
