"""Checks what a hub signed, without the hub (spec/BYTES.md).

Each function takes the JSON value, as ``json.loads`` gives it, and the JSON of ``GET /keys``, saved
while the connection was trusted. It answers a ``Verdict``: good with its facts, or refused with the
first fault and its place. It raises ``TypeError`` when the list of keys cannot be used, and nothing
on account of what the checked value holds.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List

from . import _rules as rules
from . import _shapes as shapes
from ._grammar import MINUTE_MS, ms_of
from ._keys import KeyList, read_keys
from ._log import check_consistent, check_logged
from ._shape import Shape
from ._signed import check_attested, check_signed
from .verdict import Refusal, Verdict, join

__all__ = [
    "attestation",
    "consistent",
    "file",
    "kept",
    "logged",
    "now",
    "promise",
    "proof",
    "pulse",
    "pulses",
    "seal",
    "seals",
]

_Object = Dict[str, Any]
_Check = Callable[[Any, str, KeyList], None]


def pulse(x: Any, keys: Any) -> Verdict:
    """One pulse of the chain."""
    return _answer("pulse", x, keys, _check_pulse, _pulse_facts)


def pulses(chain: Any, keys: Any) -> Verdict:
    """A list of pulses, each the next of the one before."""

    def check(x: Any, at: str, known: KeyList) -> None:
        _check_chain(x, known, _check_pulse, lambda a, b, p: rules.check_pulse_link(a, b, p))

    return _answer("pulses", chain, keys, check, _pulses_facts)


def promise(x: Any, keys: Any) -> Verdict:
    """The promise that a stamp is answered with."""
    return _answer("promise", x, keys, _check_promise, _promise_facts)


def proof(x: Any, keys: Any) -> Verdict:
    """The proof that a digest is in a pulse."""
    return _answer("proof", x, keys, _check_proof, _proof_facts)


def kept(promise: Any, proof: Any, keys: Any) -> Verdict:
    """That a proof keeps a promise."""
    return _answer("kept", {"promise": promise, "proof": proof}, keys, _check_kept, _kept_facts)


def now(x: Any, keys: Any) -> Verdict:
    """The signed time; that it has your nonce is for you to see in the facts."""
    return _answer("now", x, keys, _check_now, _now_facts)


def seal(x: Any, keys: Any) -> Verdict:
    """A sealed block, ``{"seal": ..., "proof": ...}``."""
    return _answer("seal", x, keys, _check_block, _block_facts)


def seals(chain: Any, keys: Any) -> Verdict:
    """A list of sealed blocks, each the next of the one before."""

    def link(before: _Object, block: _Object, at: str) -> None:
        rules.check_seal_link(before["seal"], block["seal"], join(at, "seal"))

    def check(x: Any, at: str, known: KeyList) -> None:
        _check_chain(x, known, _check_block, link)

    return _answer("seals", chain, keys, check, _blocks_facts)


def attestation(x: Any, keys: Any) -> Verdict:
    """A review as ERC-8004 feedback, with the hub's proof."""
    return _answer("attestation", x, keys, _check_attestation, _attestation_facts)


def logged(x: Any, keys: Any) -> Verdict:
    """A receipt with the answer of ``log.proof``, ``{"receipt": ..., "proof": ...}``."""
    return _in_log("logged", x, keys)


def consistent(x: Any, keys: Any) -> Verdict:
    """A checkpoint with a later answer of ``log.consistency``, ``{"before": ..., "after": ...}``."""
    return _in_log("consistent", x, keys)


def _in_log(kind: str, x: Any, keys: Any) -> Verdict:
    known = read_keys(keys)
    is_logged = kind == "logged"
    try:
        (shapes.LOGGED if is_logged else shapes.CONSISTENT)(x, "")
        facts = check_logged(x, known) if is_logged else check_consistent(x, known)
    except Refusal as refusal:
        return refusal.verdict
    return Verdict(ok=True, kind=kind, facts=facts)


def file(x: Any, keys: Any) -> Verdict:
    """Any of these, told by its members; ``{"promise": ..., "proof": ...}`` stands for ``kept``."""
    if isinstance(x, list):
        return seals(x, keys) if x and _has(x[0], "seal") else pulses(x, keys)
    if _has(x, "seal"):
        return seal(x, keys)
    if _has(x, "promise"):
        return _answer("kept", x, keys, _check_kept, _kept_facts)
    if _has(x, "receipt"):
        return logged(x, keys)
    if _has(x, "before"):
        return consistent(x, keys)
    if _has(x, "pulse"):
        return proof(x, keys)
    if _has(x, "agentRegistry"):
        return attestation(x, keys)
    body = x["body"] if _has(x, "body") else None
    if _has(body, "unixMs"):
        return now(x, keys)
    if _has(body, "receivedAt"):
        return promise(x, keys)
    if _has(body, "seq"):
        return pulse(x, keys)
    read_keys(keys)
    return Refusal("shape", "", "The value is none of the objects that a hub signs.").verdict


def _has(value: Any, name: str) -> bool:
    return isinstance(value, dict) and name in value


def _answer(
    kind: str, x: Any, keys: Any, check: _Check, facts: Callable[[Any], _Object]
) -> Verdict:
    known = read_keys(keys)
    try:
        check(x, "", known)
    except Refusal as refusal:
        return refusal.verdict
    return Verdict(ok=True, kind=kind, facts=facts(x))


def _one(kind: str, shape: Shape, time: str, check_rules: Callable[[_Object, str], None]) -> _Check:
    def check(x: Any, at: str, known: KeyList) -> None:
        shape(x, at)
        check_signed(kind, x, at, x["body"][time], known)
        check_rules(x, at)

    return check


_check_pulse = _one("pulse", shapes.PULSE, "issuedAt", rules.check_pulse_rules)
_check_promise = _one("promise", shapes.PROMISE, "receivedAt", rules.check_promise_rules)
_check_now = _one("now", shapes.NOW, "now", rules.check_now_rules)
_check_seal = _one("seal", shapes.SEAL, "sealedAt", rules.check_seal_rules)


def _check_proof(x: Any, at: str, known: KeyList) -> None:
    shapes.PROOF(x, at)
    _check_pulse(x["pulse"], join(at, "pulse"), known)
    rules.check_proof_rules(x, at)


def _check_attestation(x: Any, at: str, known: KeyList) -> None:
    shapes.ATTESTATION(x, at)
    check_attested(x, at, known)
    rules.check_attestation_rules(x, at)


def _check_kept(x: Any, at: str, known: KeyList) -> None:
    shapes.KEPT(x, at)
    _check_promise(x["promise"], "promise", known)
    _check_proof(x["proof"], "proof", known)
    rules.check_kept(x["promise"], x["proof"], "proof")


def _check_block(x: Any, at: str, known: KeyList) -> None:
    shapes.SEALED_BLOCK(x, at)
    _check_seal(x["seal"], join(at, "seal"), known)
    if "proof" in x:
        _check_proof(x["proof"], join(at, "proof"), known)
    rules.check_stamp(x, at)


def _check_chain(
    x: Any, known: KeyList, check: _Check, link: Callable[[_Object, _Object, str], None]
) -> None:
    shapes.CHAIN(x, "")
    for place, each in enumerate(x):
        check(each, str(place), known)
        if place > 0:
            link(x[place - 1], each, str(place))


def _take(source: _Object, *names: str) -> _Object:
    return {name: source[name] for name in names}


def _pulse_facts(x: _Object) -> _Object:
    body = x["body"]
    facts = _take(body, "chain", "seq", "minute", "issuedAt", "leaves")
    return {**facts, "digest": x["digest"], "keyId": body["keyId"]}


def _pulses_facts(chain: List[_Object]) -> _Object:
    first, last = chain[0]["body"], chain[-1]["body"]
    minutes = (ms_of(last["minute"]) - ms_of(first["minute"])) // MINUTE_MS + 1
    return {
        "chain": last["chain"],
        "count": len(chain),
        "fromSeq": first["seq"],
        "toSeq": last["seq"],
        "fromMinute": first["minute"],
        "toMinute": last["minute"],
        "missingMinutes": minutes - len(chain),
        "digest": chain[-1]["digest"],
        "keyIds": list(dict.fromkeys(each["body"]["keyId"] for each in chain)),
    }


def _attestation_facts(x: _Object) -> _Object:
    facts = _take(x, "id", "agentId", "clientAddress", "value", "createdAt")
    facts.update(_take(x["settlement"], "reason", "amount", "network", "transferId"))
    return {**facts, **_take(x["proof"], "digest", "keyId")}


def _promise_facts(x: _Object) -> _Object:
    return _take(x["body"], "digest", "minute", "receivedAt", "keyId")


def _proof_facts(x: _Object) -> _Object:
    facts = _take(x, "digest", "promisedMinute")
    facts["late"] = "late" in x
    facts.update(_take(x, "leafIndex", "leaves"))
    return {**facts, **_take(x["pulse"]["body"], "seq", "minute", "issuedAt", "keyId")}


def _kept_facts(x: _Object) -> _Object:
    given, shown = x["promise"]["body"], x["proof"]
    facts = _take(given, "digest", "receivedAt")
    facts["promisedMinute"] = shown["promisedMinute"]
    facts["late"] = "late" in shown
    facts.update(_take(shown["pulse"]["body"], "seq", "issuedAt"))
    return {**facts, "keyId": given["keyId"]}


def _now_facts(x: _Object) -> _Object:
    body = x["body"]
    facts = _take(body, "now")
    if "nonce" in body:
        facts["nonce"] = body["nonce"]
    if "head" in body:
        facts["headSeq"] = body["head"]["seq"]
    facts["state"] = body["chain"]["state"]
    facts["errorMs"] = body["clock"]["errorMs"]
    return {**facts, "keyId": body["keyId"]}


def _block_facts(x: _Object) -> _Object:
    body = x["seal"]["body"]
    facts = _take(body, "blockNo", "fromSeq", "toSeq", "count", "merkleRoot")
    facts["digest"] = x["seal"]["digest"]
    facts.update(_take(body, "sealedAt", "keyId"))
    if "proof" in x:
        stamped = x["proof"]["pulse"]["body"]
        facts.update(pulseSeq=stamped["seq"], stampedAt=stamped["issuedAt"])
    return facts


def _blocks_facts(chain: List[_Object]) -> _Object:
    first, last = chain[0]["seal"]["body"], chain[-1]["seal"]["body"]
    return {
        "count": len(chain),
        "fromBlock": first["blockNo"],
        "toBlock": last["blockNo"],
        "fromSeq": first["fromSeq"],
        "toSeq": last["toSeq"],
        "stamped": sum("proof" in each for each in chain),
        "digest": chain[-1]["seal"]["digest"],
        "keyIds": list(dict.fromkeys(each["seal"]["body"]["keyId"] for each in chain)),
    }
