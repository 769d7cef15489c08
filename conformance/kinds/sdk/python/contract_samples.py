"""The Python of every operation, as the contract shows it (``x-codeSamples``): all of it is checked by
mypy and pyright, and run against a hub. The arguments are the program of pyright and the address of
the hub. What a sample names is often not there, so a refusal about it is an answer; one about its
form is not."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

from agent_exchange import Hub, HubRefusal, Key, NotYet, models

from checks import funded

ROOT = Path(__file__).resolve().parents[4]
ADDRESS = "http://127.0.0.1:4020"
# Keys of RFC 9421, which no hub takes.
EXAMPLE_KEYS = (
    "3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt",
    "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR",
)
OF_FORM = (
    "missing-field", "bad-request", "bad-json", "bad-account", "bad-amount", "bad-path",
    "unknown-field-value", "unknown-filter", "unsigned", "incomplete-coverage", "digest-mismatch",
    "unknown-key", "no-route", "method-not-allowed",
)
ANSWERED_MIN = 90


def samples() -> tuple[str, dict[str, str]]:
    """What all samples need before them, and the sample of each operation that answers whole."""
    document = json.loads((ROOT / "generated/openapi.json").read_text("utf-8"))
    found: dict[str, str] = {}
    for item in document["paths"].values():
        for operation in item.values():
            is_whole = "x-stream" not in operation and operation.get("x-wait") != "body.wait"
            for sample in operation["x-codeSamples"]:
                if sample["lang"] == "Python" and is_whole:
                    found[operation["operationId"]] = sample["source"]
    return document["x-codeSetup"]["Python"], found


def typed(setup: str, found: dict[str, str], pyright: str) -> bool:
    """Both checkers read one module with a function for each sample."""
    functions = [
        f"def sample_{number}() -> object:\n{textwrap.indent(code, '    ')}    return answer\n"
        for number, code in enumerate(found.values())
    ]
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "samples.py").write_text(setup + "\n\n" + "\n\n".join(functions), "utf-8")
        (Path(name) / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
        mypy = [sys.executable, "-m", "mypy", "--strict", "samples.py"]
        tools = [mypy, [pyright, "--pythonpath", sys.executable, "--project", name]]
        return all(subprocess.run(tool, cwd=name, check=False).returncode == 0 for tool in tools)


def run(found: dict[str, str], url: str) -> bool:
    """Runs each sample with the names that its setup makes."""
    faults: list[str] = []
    answered = 0
    others = [Key.generate(), Key.generate()]
    with Hub(url, Key.generate()) as hub:
        funded(hub)
        for operation, code in found.items():
            for shown, other in zip(EXAMPLE_KEYS, others):
                code = code.replace(shown, other.key_id)
            names: dict[str, Any] = {"hub": hub, "models": models}
            try:
                exec(compile(code, operation, "exec"), names)
                answered += 1
            except NotYet as pending:
                # The minute of a stamp is not over.
                assert operation == "time.proof" and pending.retry_after_seconds > 0, operation
            except HubRefusal as refusal:
                if refusal.code in OF_FORM:
                    faults.append(f"{operation}: {refusal}")
    print(f"{answered} of {len(found)} samples in Python were answered", *faults, sep="\n")
    return not faults and answered >= ANSWERED_MIN


if __name__ == "__main__":
    before, texts = samples()
    held = [typed(before, texts, sys.argv[1]), run(texts, sys.argv[2])]
    sys.exit(0 if all(held) else 1)
