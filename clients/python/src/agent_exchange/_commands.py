"""The commands of ``hub`` in Python: ``python -m agent_exchange COMMAND``. Answers are JSON."""

from __future__ import annotations

import argparse
import json
import secrets
import subprocess
import sys
import time
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional
from urllib.parse import quote, urlencode

from . import _doctor
from ._home import Home, Unusable
from .agent import GiveBack
from .client import Hub
from .errors import HubError, HubRefusal, OutcomeUnknown
from .generated.operations import OPERATIONS

Json = Dict[str, Any]
STARTER = "hub:starter"
ANSWER_SECONDS_MAX = 180


def _call(hub: Hub, operation: str, given: Mapping[str, Any]) -> Any:
    """Calls an operation by its name; the account that signs is filled in."""
    method, path, _, owner, fields = OPERATIONS[operation]
    places: Dict[str, Json] = {"path": {}, "query": {}, "body": dict(given.get("body") or {})}
    for name, place, _ in fields:
        if given.get(name) is not None:
            places[place][name] = given[name]
    if "idempotencyKey" in (name for name, _, _ in fields):
        places["body"].setdefault("idempotencyKey", secrets.token_hex(16))
    # A public operation names an account in its path and has no owner of its own.
    place, _, name = (owner or "path.owner").partition(".")
    is_field = (name, place) in ((each, where) for each, where, _ in fields)
    if is_field and name not in places[place]:
        places[place][name] = hub.wallet.me().owner
    try:
        target = path.format_map({n: quote(str(v), safe=":") for n, v in places["path"].items()})
    except KeyError as error:
        raise Unusable(f"{operation} lacks --{error.args[0]}") from error
    if places["query"]:
        target += "?" + urlencode(places["query"])
    call: Json = {"method": method, "path": target}
    if method == "POST":
        call["body"] = places["body"]
    return hub.follow(call)


def units(text: str) -> str:
    """Atomic units of an amount in USDC, such as 0.25."""
    try:
        amount = Decimal(text) * 1_000_000
    except InvalidOperation as error:
        raise Unusable(f"{text} is no amount in USDC, such as 0.25") from error
    if not amount.is_finite() or amount <= 0 or amount != amount.to_integral_value():
        raise Unusable(f"{text} is no amount in USDC, such as 0.25")
    return str(int(amount))


def _init(given: argparse.Namespace, home: Home) -> Any:
    is_new = not home.key_file.exists()
    key = home.make()
    home.keep_address()
    return {"account": key.account, "key": str(home.key_file), "hub": home.address, "isNew": is_new}


def _work(given: argparse.Namespace, home: Home) -> Any:
    home.make()
    hub = home.hub()
    done: List[Any] = []
    while given.exec is None or given.count is None or len(done) < given.count:
        skills = {"skills": given.skill} if given.skill else {}
        claim = _call(hub, "tasks.claimNext", {"wait": 20, **skills})
        if claim.get("work") is None:
            if given.exec is None:
                raise Unusable("there is no starter task for this account now")
            continue
        try:
            result = _starter(claim) if given.exec is None else _run(given.exec, claim)
        except GiveBack as reason:
            body = {"claimToken": claim["claimToken"], "reason": str(reason)}
            _call(hub, "tasks.fail", {"id": claim["work"]["id"], "body": body})
            if given.exec is None:
                raise Unusable(str(reason)) from reason
            continue
        deliver = claim["deliver"]
        call = {**deliver, "body": {**deliver["body"], "result": result}}
        outcome = hub.follow({name: call[name] for name in ("method", "path", "body")})
        if given.exec is None:
            return _paid(hub, claim["work"]["id"])
        done.append(outcome)
    return done


def _starter(claim: Json) -> str:
    work = claim["work"]
    if work["requester"] != STARTER:
        raise GiveBack("This command does the starter task alone; others need --exec.")
    return "hello, " + " ".join(work["acceptance"]["values"])


def _run(command: str, claim: Json) -> Any:
    """A task was written by another account: the command reads it as data."""
    text = json.dumps({"task": claim["work"], "deliver": claim["deliver"]})
    ran = subprocess.run(command, shell=True, input=text, stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode != 0:
        raise GiveBack(f"The command ended with {ran.returncode}.")
    try:
        return json.loads(ran.stdout)
    except ValueError:
        return ran.stdout.rstrip("\n")


def _paid(hub: Hub, task_id: str) -> Any:
    until = time.monotonic() + ANSWER_SECONDS_MAX
    while time.monotonic() < until:
        task = _call(hub, "tasks.get", {"id": task_id})
        if task["state"] in ("paid", "expired", "withdrawn", "failed"):
            return {"task": task["title"], "state": task["state"], "wallet": _spendable(hub)}
        time.sleep(1)
    raise Unusable(f"task {task_id} was not decided within {ANSWER_SECONDS_MAX} s")


def _spendable(hub: Hub) -> Any:
    return hub.wallet.me().wallet.model_dump(mode="json", exclude_none=True)


def _task(given: argparse.Namespace, home: Home) -> Any:
    verbs = {"list": "tasks.list", "show": "tasks.get", "dispute": "tasks.dispute"}
    hub = home.hub()
    if given.verb in verbs:
        body = {"reason": given.reason} if given.reason else {}
        return _call(hub, verbs[given.verb], {"id": given.word, "body": body})
    if given.verb == "accept":
        return _call(hub, "tasks.accept", {"id": given.word, "body": {}})
    if given.word is None:
        raise Unusable("publish lacks FILE, a JSON of the task")
    return _call(hub, "tasks.publish", {"body": _json_file(given.word)})


def _pay(given: argparse.Namespace, home: Home) -> Any:
    body = {"to": given.account, "amount": units(given.amount)}
    if given.memo:
        body["memo"] = given.memo
    if given.idempotency_key:
        body["idempotencyKey"] = given.idempotency_key
    return _call(home.hub(), "wallet.pay", {"body": body})


def _invoke(given: argparse.Namespace, home: Home) -> Any:
    arguments = dict(_pair(each) for each in given.argument)
    body: Json = {"operation": given.operation, "arguments": arguments}
    if given.max_price:
        body["maxPrice"] = units(given.max_price)
    return _call(home.hub(), "router.call", {"body": body})


def _pair(text: str) -> Any:
    name, found, value = text.partition("=")
    if not found:
        raise Unusable(f"{text} is no NAME=VALUE")
    return name, _value(value)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _resume(given: argparse.Namespace, home: Home) -> Any:
    hub, pending = home.hub(), home.pending()
    done: List[Any] = []
    for call in pending.pending():
        try:
            done.append({"path": call["path"], "outcome": "done", "answer": hub.follow(call)})
        except HubRefusal as refusal:
            if refusal.call is not None:
                raise
            pending.done(str(call["body"]["idempotencyKey"]))
            done.append({"path": call["path"], "outcome": refusal.code, "answer": refusal.body})
    return done


def _api(given: argparse.Namespace, home: Home) -> Any:
    if given.operation is None:
        return {name: row[2] for name, row in OPERATIONS.items()}
    if given.operation not in OPERATIONS:
        raise Unusable(f"there is no operation {given.operation}; api alone lists them")
    kinds = {name: kind for name, _, kind in OPERATIONS[given.operation][4]}
    values: Json = {}
    for word in given.field:
        name, _, text = word.partition("=")
        if name != "body" and name not in kinds:
            raise Unusable(f"{given.operation} has no field {name}; it has {', '.join(kinds)}")
        values[name] = text if kinds.get(name) == "text" else _value(text)
    return _call(home.hub(), given.operation, values)


def _json_file(name: str) -> Any:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
        return json.loads(text)
    except OSError as error:
        raise Unusable(f"{name} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise Unusable(f"{name} is not JSON") from error


def _read(operation: str, **names: str) -> Callable[[argparse.Namespace, Home], Any]:
    """A command that calls one operation with its words."""

    def run(given: argparse.Namespace, home: Home) -> Any:
        return _call(home.hub(), operation, {n: getattr(given, word) for n, word in names.items()})

    return run


def parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--hub", help="the hub; otherwise AGENT_HUB, or what init kept")
    common.add_argument("--key", help="the key's file, a PEM as well; otherwise AGENT_KEY")
    common.add_argument("--home", help="the folder of keys; otherwise AGENT_HOME or ./.hub")
    whole = argparse.ArgumentParser(prog="python -m agent_exchange")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace, Home], Any], says: str,
                *words: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, parents=[common], help=says, description=says)
        made.set_defaults(run=run)
        for word in words:
            made.add_argument(word)
        return made

    command("init", _init, "makes the key that is your account, and keeps the hub")
    command("me", _read("wallet.me"), "account, money, claims and standing")
    command("doctor", _doctor.examine, "tries address, version, clock, key, signature and money")
    work = command("work", _work, "does the starter task and is paid; --exec works the queue")
    work.add_argument("--exec", help="a command that reads a task and writes the result")
    work.add_argument("--skill", action="append", help="only tasks that ask for it")
    work.add_argument("--count", type=int, help="ends after so many outcomes")
    task = command("task", _task, "publishes a task with its reward in escrow; decides on results")
    task.add_argument("verb", choices=["list", "show", "publish", "accept", "dispute"])
    task.add_argument("word", nargs="?", metavar="ID|FILE")
    task.add_argument("--reason")
    command("search", _read("discovery.search", q="words"), "finds agents, skills and tasks", "words")
    call = command("call", _invoke, "calls an agent, which the hub finds and pays", "operation")
    call.add_argument("argument", nargs="*", metavar="NAME=VALUE")
    call.add_argument("--max-price", help="in USDC")
    pay = command("pay", _pay, "pays another account, once however often it is sent", "account", "amount")
    pay.add_argument("--memo")
    pay.add_argument("--idempotency-key")
    command("resume", _resume, "finishes payments whose answer was lost; each happens once")
    command("keys", _read("wallet.keys"), "lists the keys of the account with their limits")
    command("statement", _read("wallet.statement"), "lists what moved on the account")
    command("webhooks", _read("webhooks.list"), "lists the webhooks of the account")
    command("proof", _read("log.proof", digest="digest"), "proves that a digest is in the log", "digest")
    api = command("api", _api, "calls any operation of the contract; alone, lists them")
    api.add_argument("operation", nargs="?")
    api.add_argument("field", nargs="*", metavar="NAME=VALUE")
    return whole


def main(words: List[str]) -> int:
    """Does one command. Exit codes: 0 done, 1 refused, 2 unusable, 3 no answer."""
    given = parser().parse_args(words)
    try:
        answer = given.run(given, Home.of(given))
    except (Unusable, HubError) as error:
        return _fail(error)
    print(json.dumps(answer, indent=2) if not isinstance(answer, str) else answer)
    return 1 if isinstance(answer, dict) and answer.get("ok") is False else 0


def _fail(error: Exception) -> int:
    print(f"agent_exchange: {error}", file=sys.stderr)
    if not isinstance(error, HubError):
        return 2
    request: Optional[str] = error.request_id
    hint = "resume sends it again" if isinstance(error, OutcomeUnknown) else error.hint
    for name, text in (("code", error.code), ("hint", hint), ("link", error.link), ("request", request)):
        if text:
            print(f"  {name}: {text}", file=sys.stderr)
    for fault in getattr(error, "faults", [])[1:]:
        print(f"  also: {fault['message']}", file=sys.stderr)
    return 1 if isinstance(error, HubRefusal) and error.call is None else 3
