"""The commands: ``python -m agent_exchange COMMAND``, of which ``verify`` needs no hub."""

from __future__ import annotations

import json
import sys
from typing import Any, BinaryIO, List, Optional, TextIO

from . import __version__, verify
from ._ijson import parse_ijson
from .verdict import Verdict

USAGE = """python -m agent_exchange COMMAND --help   init, me, work, doctor, task, pay, call, api and more
python -m agent_exchange verify FILE --keys FILE

Checks what a hub signed, without the hub: a pulse, a list of pulses, a promise, a proof,
{promise, proof}, the signed time, a sealed block, a list of them, a receipt with its proof in the log
{receipt, proof}, or two checkpoints {before, after}. FILE may be - for standard input; the keys are
the saved answer of GET /keys. Exit 0: good; 1: refused; 2: not done.
"""
FILE_BYTES_MAX = 256 * 1024 * 1024


class NotDone(Exception):
    """The command could not be done; the text says why."""


def main(words: List[str], stdin: BinaryIO, out: TextIO) -> int:
    """Does one command and answers its exit code."""
    if len(words) != 4 or words[0] != "verify" or "--keys" not in words[1:3]:
        out.write(_without_keys(words) + USAGE)
        return 2
    keys_at = words.index("--keys")
    file = words[3] if keys_at == 1 else words[1]
    try:
        value, keys = _read(file, stdin), _read(words[keys_at + 1], stdin)
        verdict = verify.file(value, keys)
    except (NotDone, TypeError) as error:
        out.write(f"{error}\n")
        return 2
    out.write(text_of(verdict))
    return 0 if verdict else 1


def text_of(verdict: Verdict) -> str:
    """A few lines for people: what was checked, or the reason, the place and the sentence."""
    if not verdict:
        place = verdict.at or "the whole value"
        return f"refused: {verdict.reason} at {place}\n  {verdict.says}\n"
    lines = [f"verified {verdict.kind}"]
    lines += [f"  {name}: {_shown(value)}" for name, value in verdict.facts.items()]
    return "\n".join(lines) + "\n"


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_shown(each) for each in value)
    return value if isinstance(value, str) else json.dumps(value)


def _without_keys(words: List[str]) -> str:
    if words[:1] != ["verify"] or "--keys" in words:
        return ""
    return "Save GET /keys of the hub to a file and name it with --keys.\n\n"


def _read(name: str, stdin: BinaryIO) -> Any:
    try:
        if name == "-":
            data = stdin.read(FILE_BYTES_MAX + 1)
        else:
            with open(name, "rb") as opened:
                data = opened.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise NotDone(f"{name} cannot be read: {error.strerror}.") from error
    if len(data) > FILE_BYTES_MAX:
        raise NotDone(f"{name} has more than {FILE_BYTES_MAX} bytes.")
    try:
        return parse_ijson(data)
    except ValueError as error:
        raise NotDone(f"{name} is not JSON with one meaning: {error}.") from error


def entry() -> Optional[int]:
    """The installed command."""
    words = sys.argv[1:]
    if words[:1] == ["--version"]:
        print(__version__)
        return 0
    if words[:1] in ([], ["verify"]):
        return main(words, sys.stdin.buffer, sys.stdout)
    try:
        from . import _commands
    except ImportError:
        # The verifier is installed alone.
        return main(words, sys.stdin.buffer, sys.stdout)
    return _commands.main(words)


if __name__ == "__main__":
    sys.exit(entry())
