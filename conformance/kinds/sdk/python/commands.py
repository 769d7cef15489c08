"""The commands ``python -m agent_exchange`` against a hub, from an empty folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from agent_exchange import Hub, Key, models


def main(url: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        walk(url, Path(name))
    print("the commands of Python held")


def walk(url: str, folder: Path) -> None:
    env = {**os.environ, "AGENT_HUB": url}

    def ran(code: int, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "agent_exchange", *words],
            cwd=folder, env=env, capture_output=True, text=True, timeout=240, check=False,
        )
        assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout if code == 0 else done.stderr + done.stdout

    def answer(*words: str) -> Any:
        return json.loads(ran(0, *words))

    assert "init" in ran(2, "me"), "there is no key yet"
    made = answer("init")
    assert made["isNew"] and not answer("init")["isNew"], made
    kept = (folder / ".hub/config.json").read_text()
    ran(3, "me", "--hub", "http://127.0.0.1:9")
    assert (folder / ".hub/config.json").read_text() == kept, "only init keeps an address"
    assert answer("me")["owner"] == made["account"]
    well = answer("doctor")
    assert [each["what"] for each in well["findings"]] == [
        "address", "key", "version", "clock", "signature", "money"
    ], well
    assert "link: http://127.0.0.1:9/" in ran(3, "me", "--hub", "http://127.0.0.1:9")

    refused = ran(1, "pay", Key.generate().account, "900")
    for part in ("code: insufficient-funds", "hint: ", f"link: {url}/errors/", "request: "):
        assert part in refused, refused
    answer("api", "wallet.credit", "amount=1000000")
    paid = answer("pay", Key.generate().account, "0.25", "--memo", "rent")
    assert (paid["amount"], paid["repeated"]) == ("250000", False), paid
    assert answer("statement")["entries"][0]["memo"] == "rent"
    for bad in ("much", "-1", "0", "1.1234567", "NaN"):
        ran(2, "pay", Key.generate().account, f"--memo=x", "--", bad)

    task = {
        "title": "Say yes", "rewardAmount": "20000", "requiredSkills": ["py-command"],
        "acceptance": {"kind": "contains", "values": ["yes"]}, "disputeWindowSeconds": 0,
    }
    (folder / "task.json").write_text(json.dumps(task))
    published = answer("task", "publish", "task.json")
    worker = ("--key", "worker.key", "--home", "worker")
    # The starter task waits for every new account, and is accepted by silence after a minute.
    started = answer("work", *worker)
    assert (started["state"], started["wallet"]["spendable"]) == ("paid", "48500"), started
    [outcome] = answer(
        "work", "--exec", "echo yes", "--skill", "py-command", "--count", "1", *worker
    )
    assert outcome["outcome"] == "accepted", outcome
    assert answer("task", "show", published["id"])["state"] == "paid"
    assert answer("me", *worker)["wallet"]["spendable"] == "67900"
    assert len(answer("keys")["keys"]) == 1 and answer("webhooks")["webhooks"] == []
    assert answer("resume") == [] and answer("search", "yes")["count"] >= 0
    assert len(answer("api")) > 200 and "has no field" in ran(2, "api", "wallet.pay", "amuont=1")
    called = answer("call", "no_such_tool", "a=1", "b=text")
    assert called["receipt"]["outcome"] == "none-suitable", called
    assert Hub(url).discovery.index().version == ran(0, "--version").strip()
    assert models.WalletPayBody(to="key:a", amount="1").amount == "1"


if __name__ == "__main__":
    main(sys.argv[1])
