"""What Schemathesis cannot read in the contract: who signs, whom the run knows, what exists.

What is sent is rewritten before the run, because that alone reaches every phase: a generated value
that merely has the form of a key names nobody, and a request for nobody tests one refusal for ever.
What is answered stays as the contract says it.
"""

from __future__ import annotations

import atexit
import datetime
import itertools
import json
import os
from collections import Counter, defaultdict
from typing import Any

import schemathesis
from schemathesis.core import NotSet
from schemathesis.generation.meta import TestPhase

from hub_signature import HubSignature

ME = HubSignature("schemathesis: the account of the run")
OTHER = HubSignature("schemathesis: the other account")
# What run.mjs arranged: tasks; tokens of the run's own claims and results that wait for its verdict,
# each with its task; ids by the beginning of the operations that take them; and an API key.
with open(os.environ["SCHEMATHESIS_FURNISHED"], encoding="utf-8") as file:
    FURNISHED: dict[str, Any] = json.load(file)

SCHEMAS = "#/components/schemas/"
SENT = "Sent"
CALLS = itertools.count()
UNTOUCHED_OF_CALLS = 4
DAY = datetime.timedelta(days=1)
START = datetime.datetime.now(datetime.timezone.utc)
# Components that must name the account that signs, those that may name anybody, the network that
# has a faucet, and moments ahead: a deadline anywhere in history is refused by one rule for ever.
KNOWN = {
    "SelfAccount": [ME.account, ME.key_id],
    "ServicePayer": [ME.account, ME.key_id],
    "AgentRef": [ME.account, ME.key_id],
    "OwnKeyId": [ME.key_id],
    "AccountName": [OTHER.account, OTHER.key_id, ME.account, "hub:demand"],
    "PayeeAccount": [OTHER.account, ME.key_id],
    "KeyId": [OTHER.key_id, ME.key_id],
    "NetworkId": ["sandbox"],
    "Timestamp": [(START + days * DAY).strftime("%Y-%m-%dT%H:%M:%SZ") for days in (1, 7, 30)],
}
# The contract's form and the cap of 10^15 that its text adds, in one pattern.
AMOUNT = {"type": "string", "pattern": "^(0|[1-9][0-9]{0,14})$", "maxLength": 15}
# What is refused before a handler is asked: a request that the document takes is past all of it.
# `bad-account` is not among them, it is also a rule (the hub's own accounts take no payments).
EDGE_CODES = {"bad-json", "bad-request", "missing-field", "unknown-field-value", "unknown-filter"}
EDGE_CODES |= {"bad-path", "bad-amount", "body-too-large"}

schemathesis.auth.set_from_requests(ME).apply_to(
    schemathesis.openapi.require_security_scheme("signature")
)


@schemathesis.auth().apply_to(schemathesis.openapi.require_security_scheme("apiKey"))
class ApiKey:
    def get(self, case: schemathesis.Case, context: schemathesis.AuthContext) -> str:
        return str(FURNISHED["apiKey"])

    def set(self, case: schemathesis.Case, data: str, context: schemathesis.AuthContext) -> None:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


CURSORS = {f"#/components/parameters/{name}" for name in ("PageCursor", "OldPageCursor")}


@schemathesis.hook
def before_load_schema(context: schemathesis.HookContext, schema: dict[str, Any]) -> None:
    components = schema["components"]
    answered = components["schemas"]
    sent = {SENT + name: as_sent(form) for name, form in answered.items()}
    components["schemas"] = {**answered, **sent}
    for name, values in KNOWN.items():
        components["schemas"][SENT + name] = {"type": "string", "enum": values}
    components["schemas"][SENT + "AtomicAmount"] = AMOUNT
    for name, parameter in components["parameters"].items():
        components["parameters"][name] = as_text(as_sent(parameter))
    for operation in (each for item in schema["paths"].values() for each in item.values()):
        for part in ("parameters", "requestBody"):
            if part in operation:
                operation[part] = as_sent(operation[part])
        given = operation.get("parameters", [])
        # Only the hub can make a cursor, so none is made up.
        operation["parameters"] = [as_text(each) for each in given if each.get("$ref") not in CURSORS]
        name_the_owner(operation)
        read_links(operation)
    TASKS.extend(FURNISHED["tasks"])
    for name, known in (("claimToken", FURNISHED["claims"]), ("solutionId", FURNISHED["solutions"])):
        for value, task in known.items():
            share(name, value, task)


def as_sent(form: Any) -> Any:
    """A copy whose references lead to the rewritten components and whose examples name this run."""
    if isinstance(form, dict):
        return {key: as_sent(value) for key, value in form.items()}
    if isinstance(form, list):
        return [as_sent(value) for value in form]
    if isinstance(form, str) and form.startswith(SCHEMAS):
        return form.replace(SCHEMAS, SCHEMAS + SENT)
    if isinstance(form, str) and form in EXAMPLE_ACCOUNTS:
        return EXAMPLE_ACCOUNTS[form]
    return form


# The form of words that are searched for, which `null` and `true` have as well.
LETTERS = r"[\p{L}\p{N}]{2}"


def as_text(parameter: dict[str, Any]) -> dict[str, Any]:
    """What no line of HTTP can break: in a query `null` is a text like every other. And of headers
    over 16 KiB in all the server knows no operation yet, so no operation lists its 431."""
    form = parameter.get("schema", {})
    is_free = form.get("pattern", LETTERS) == LETTERS and "format" not in form and "enum" not in form
    if form.get("type") != "string" or not is_free:
        return parameter
    if parameter["in"] == "query":
        texts = ["string", "null", "boolean"] if "pattern" in form else ["string", "null"]
        return {**parameter, "schema": {**form, "type": texts}}
    if parameter["in"] == "header":
        return {**parameter, "schema": {key: form[key] for key in form if key != "maxLength"}}
    return parameter


# The accounts that the contract's examples act as and pay to.
EXAMPLE_ACCOUNTS = {
    "key:3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt": ME.account,
    "3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt": ME.key_id,
    "key:8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR": OTHER.account,
    "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR": OTHER.key_id,
}


def name_the_owner(operation: dict[str, Any]) -> None:
    """The owner in a path or a query is the account of the run, as in a body."""
    place, _, name = operation.get("x-owner", "").partition(".")
    for index, parameter in enumerate(operation.get("parameters", [])):
        shared = parameter.get("$ref", "").rpartition("/")[2].lower()
        if place != "body" and name != "" and name in (parameter.get("name"), shared):
            operation["parameters"][index] = {
                "name": name,
                "in": place,
                "required": place == "path",
                "schema": {"$ref": f"{SCHEMAS}{SENT}SelfAccount"},
                "example": ME.account,
            }


def read_links(operation: dict[str, Any]) -> None:
    """The document has a link's body as text, for parsers that take nothing else there."""
    for response in operation["responses"].values():
        for link in response.get("links", {}).values():
            if "requestBody" in link:
                link["requestBody"] = json.loads(link["requestBody"])


@schemathesis.deserializer("application/x-ndjson")
def ndjson(context: schemathesis.DeserializationContext, response: schemathesis.Response) -> Any:
    return [json.loads(line) for line in response.content.decode().splitlines() if line]


def code_of(response: schemathesis.Response) -> str:
    """The compatible routes refuse in the form that their clients know, one level deeper."""
    body = response.json()
    nested = body.get("error")
    if isinstance(nested, dict) and "details" in nested:
        return str(nested["details"][0]["reason"])
    return str(nested["code"] if isinstance(nested, dict) else body["code"])


def operation_id_of(case: schemathesis.Case) -> str:
    return str(case.operation.definition.raw["operationId"])


# Rules between fields: one of two must be there, and a tool answers a call that was made; and the
# words of a list in one text. A schema that said so would be read by no generator of clients.
BETWEEN_FIELDS = {
    # A search names one space or several, and a space a model that makes vectors.
    ("memory.createSpace", "bad-request"),
    ("memory.search", "bad-request"),
    ("memory.search", "missing-field"),
    ("services.cardRead", "missing-field"),
    ("models.chat", "bad-request"),
    ("models.chat", "missing-field"),
    ("models.completions", "bad-request"),
    ("models.embeddings", "bad-request"),
    ("models.responses", "bad-request"),
    ("models.messages", "bad-request"),
    ("models.generate", "bad-request"),
    ("tasks.list", "unknown-filter"),
    ("tasks.publish", "unknown-field-value"),
    ("webhooks.update", "missing-field"),
    # The text is well formed and names nothing: no place in a list, operation or issuer's signature.
    ("registry.servers", "bad-request"),
    ("wallet.export", "bad-request"),
    ("wallet.setPolicy", "bad-request"),
}


@schemathesis.check
def listed_refusal(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    """A refusal has a code that the operation lists, and a request that the document takes is
    refused by a rule of the operation, never as badly formed. One thing no schema can tell: free
    JSON with a value that two readers would not agree on (RFC 7493), refused where it stands."""
    if not 400 <= response.status_code < 500 or response.status_code == 405:
        return
    code = code_of(response)
    if code == "no-route":
        return
    listed = case.operation.definition.raw["x-errors"]
    assert code in listed, f"{code} is not in the operation's x-errors"
    if code == "bad-json" and response.json().get("field", "body") != "body":
        return
    if (operation_id_of(case), code) in BETWEEN_FIELDS:
        return
    if case.meta is not None and case.meta.generation.mode.is_positive:
        shown = response.text[:400]
        assert code not in EDGE_CODES, f"{code} refuses what the document takes: {shown}"


# Tasks to act on; a link's id is never replaced by one of them.
TASKS: list[str] = []
# Values that belong to one task, each with its task: tokens of live claims, results that wait.
# Drawn apart from the task they would hardly ever meet it. Each operation has its own, so that none
# spends what another needs. Claims that the run makes are added.
PAIRED: dict[str, tuple[str, dict[str, str]]] = {
    "tasks.submit": ("claimToken", {}),
    "tasks.fail": ("claimToken", {}),
    "tasks.accept": ("solutionId", {}),
    "tasks.reject": ("solutionId", {}),
}


def share(name: str, value: str, task: str) -> None:
    """Gives a value to the operation that has the fewest of its kind."""
    kinds = [known for kind, known in PAIRED.values() if kind == name]
    min(kinds, key=len)[value] = task


@schemathesis.hook
def before_call(
    context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]
) -> None:
    """Most calls get what the examples cannot know; the rest are sent as they were generated."""
    count = next(CALLS)
    say_what_may_lack(case)
    answer_at_once(case)
    say_the_key_once(case)
    if count % UNTOUCHED_OF_CALLS == 0 or case.meta is None:
        return
    if not case.meta.generation.mode.is_positive:
        return
    operation_id = operation_id_of(case)
    is_linked = case.meta.phase.name == TestPhase.STATEFUL
    if not is_linked:
        name_what_exists(operation_id, case, count)
    names_task = operation_id.startswith("tasks.") and "id" in case.path_parameters
    if names_task and not is_linked:
        case.path_parameters["id"] = TASKS[count % len(TASKS)]
    if not isinstance(case.body, dict):
        return
    if isinstance(case.body.get("idempotencyKey"), str):
        # One key for all would be spent by the first call.
        case.body["idempotencyKey"] = f"call-{count}"
    name, tasks = PAIRED.get(operation_id, ("", {}))
    if tasks:
        value = list(tasks)[count % len(tasks)]
        case.body[name] = value
        case.path_parameters["id"] = tasks[value]


def say_the_key_once(case: schemathesis.Case) -> None:
    """A key in the body and another in the header is refused, which no schema can say."""
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    if is_valid and isinstance(case.body, dict) and "idempotencyKey" in case.body:
        case.headers.pop("idempotency-key", None)


def say_what_may_lack(case: schemathesis.Case) -> None:
    """A body that may be left out, and is, is held by the fuzzing phase to be broken on purpose once
    it has looked at the call again; the other phases send none."""
    required = case.operation.definition.raw.get("requestBody", {}).get("required", True)
    is_fuzzed = case.meta is not None and case.meta.phase.name == TestPhase.FUZZING
    if is_fuzzed and not required and isinstance(case.body, NotSet):
        case.body, case.media_type = {}, "application/json"


def answer_at_once(case: schemathesis.Case) -> None:
    """A trial answers in another form (`conformance/pipeline/preview.test.ts`), and neither a long
    poll nor a stream without an end is what is tested here."""
    prefer = (case.headers or {}).get("prefer")
    if isinstance(prefer, str) and "dry-run" in prefer.lower():
        del case.headers["prefer"]
    if not isinstance(case.body, dict):
        return
    if case.operation.definition.raw.get("x-wait") == "body.wait":
        case.body.setdefault("wait", 0)
    if isinstance(case.body.get("wait"), int):
        case.body["wait"] = min(case.body["wait"], 0)


def name_what_exists(operation_id: str, case: schemathesis.Case, count: int) -> None:
    for name, ids in FURNISHED["ids"].items():
        if not operation_id.startswith(name):
            continue
        if "id" in case.path_parameters:
            case.path_parameters["id"] = ids[count % len(ids)]
        elif isinstance(case.body, dict) and "spaceId" in case.body:
            case.body["spaceId"] = ids[count % len(ids)]


# What each operation answered, so that the run can say which of them never got past a refusal.
TALLY: defaultdict[str, Counter[str]] = defaultdict(Counter)


@schemathesis.hook
def after_call(
    context: schemathesis.HookContext, case: schemathesis.Case, response: schemathesis.Response
) -> None:
    operation_id = operation_id_of(case)
    kind = str(response.status_code)
    if 400 <= response.status_code < 500 and response.content:
        kind = f"{kind} {code_of(response)}"
    TALLY[operation_id][kind] += 1
    if response.status_code == 200 and operation_id in ("tasks.claim", "tasks.claimNext"):
        remember(response.json())
    if response.status_code == 200 and operation_id in PAIRED:
        name, tasks = PAIRED[operation_id]
        tasks.pop(case.body.get(name, ""), None)


def remember(claim: dict[str, Any]) -> None:
    """A task has one live token: a claim that is renewed takes the place of the older one."""
    if claim["work"] is None:
        return
    task = claim["work"]["id"]
    for operation_id in ("tasks.submit", "tasks.fail"):
        known = PAIRED[operation_id][1]
        for token in [token for token, of in known.items() if of == task]:
            del known[token]
    share("claimToken", claim["claimToken"], task)


@atexit.register
def write_tally() -> None:
    path = os.environ.get("SCHEMATHESIS_TALLY")
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(TALLY, file, indent=1)
