"""Proofs of the transparency log (spec/LOG.md), checked without the hub."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ._keys import KeyList
from ._merkle import is_consistent, root_from
from ._signed import canonical
from .verdict import Refusal

KINDS = ("call", "model", "payout", "ruling")
_MEMBERS = {
    "call": "id at caller operation agentId endpoint outcome cost network durationMs responseHash"
    " responseBytes paidTo transferId",
    "model": "id at payer model outcome finishReason usage held charged network durationMs servedBy"
    " transferId",
    "payout": "account network seq at reason amount transferId",
    "ruling": "taskId raisedBy at arbiter state verdict workerShareBps ruledAt money",
}
_PAYOUTS = frozenset(
    "task.reward task.fee.judges dispute.arbiter bonus.welcome call.charge market.judge bet.won"
    " poker.prize poker.cashout withdraw".split()
)
_FOUND_MAX = 200
NOTE_LENGTH_MAX = 65_536
_SIGNATURES_MAX = 64
_SIZE = re.compile(r"0|[1-9][0-9]{0,15}")
_LINE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})")
_SIZE_MAX = 2**53 - 1
_LOG_KEY = b"\x01"
_SURROGATE = re.compile("[\ud800-\udfff]")


class Note(NamedTuple):
    """A checkpoint with its signatures, none of which is verified yet."""

    text: str
    origin: str
    size: int
    root: bytes
    signatures: Tuple[Tuple[str, bytes, bytes], ...]


def receipt_text(kind: str, receipt: Dict[str, Any]) -> str:
    """The text whose SHA-256 is in the leaf."""
    # A payment on the chain may settle later, so its amount is not part of the final cost.
    is_open = kind == "call" and receipt.get("payment") is not None
    names = [name for name in _MEMBERS[kind].split() if not (is_open and name == "cost")]
    known = {name: receipt[name] for name in names if name in receipt}
    return f"hub/log/{kind}/v1\n{canonical(known)}"


def entry_text(kind: str, digest: str) -> str:
    """The entry of the log; its hash is the leaf."""
    return canonical({"v": 1, "kind": kind, "digest": digest})


def receipts_in(value: Any) -> List[Tuple[str, str]]:
    """The kind and the text of each final receipt in an answer of the hub."""
    if not isinstance(value, dict):
        return []
    receipts, entries, receipt = (value.get(n) for n in ("receipts", "entries", "receipt"))
    if isinstance(receipts, list):
        return [found for each in receipts[:_FOUND_MAX] for found in receipts_in(each)]
    if isinstance(entries, list):
        owner, network = value.get("owner"), value.get("network")
        lines = [line for line in entries[:_FOUND_MAX] if _is_payout(line, owner)]
        paid = [{**line, "account": owner, "network": network} for line in lines]
        return [found for each in paid for found in _found("payout", each)]
    if isinstance(receipt, dict):
        return receipts_in(receipt)
    kind = _kind_of(value)
    return [] if kind is None else _found(kind, value)


def _found(kind: str, receipt: Dict[str, Any]) -> List[Tuple[str, str]]:
    """None for a text that the hub never wrote: its members are texts, numbers, flat objects."""
    for name in _MEMBERS[kind].split():
        value = receipt.get(name, "")
        parts = list(value.values()) if isinstance(value, dict) else [value]
        if not all(map(_is_scalar, parts)) or not _is_named(value):
            return []
    return [(kind, receipt_text(kind, receipt))]


def _is_scalar(value: Any) -> bool:
    if isinstance(value, str):
        return _SURROGATE.search(value) is None
    if isinstance(value, float):
        return value.is_integer() and abs(value) <= _SIZE_MAX
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _SIZE_MAX


def _is_named(value: Any) -> bool:
    return not isinstance(value, dict) or all(str(name).isascii() for name in value)


def _kind_of(value: Dict[str, Any]) -> Optional[str]:
    if value.get("outcome") == "running":
        return None
    for kind, names in (
        ("call", ("id", "caller", "operation", "outcome")),
        ("model", ("id", "payer", "model", "outcome")),
        ("payout", ("account", "transferId", "seq", "reason", "amount")),
        ("ruling", ("taskId", "raisedBy", "ruledAt")),
    ):
        if all(name in value for name in names):
            return kind
    return None


def _is_payout(line: Any, owner: Any) -> bool:
    if not isinstance(line, dict) or line.get("counterparty") == owner:
        return False
    reason = line.get("reason")
    wanted = "out" if reason == "withdraw" else "in"
    return isinstance(reason, str) and reason in _PAYOUTS and line.get("direction") == wanted


def read_note(note: str) -> Optional[Note]:
    """None for a text that is no checkpoint."""
    if len(note) > NOTE_LENGTH_MAX or not note.endswith("\n") or not _is_clean(note):
        return None
    text, cut, below = note.rpartition("\n\n")
    lines = below[:-1].split("\n")
    body = text.split("\n")
    if not cut or len(lines) > _SIGNATURES_MAX or len(body) < 3 or "" in body:
        return None
    origin, size, root = body[:3]
    root_bytes = _decode(root)
    signatures = [_read_signature(line) for line in lines]
    if not _SIZE.fullmatch(size) or int(size) > _SIZE_MAX:
        return None
    if root_bytes is None or len(root_bytes) != 32 or None in signatures:
        return None
    known = tuple(each for each in signatures if each is not None)
    return Note(text + "\n", origin, int(size), root_bytes, known)


def _is_clean(text: str) -> bool:
    return not any((each < " " and each != "\n") or each == "\ufffd" for each in text)


def _read_signature(line: str) -> Optional[Tuple[str, bytes, bytes]]:
    found = _LINE.fullmatch(line)
    data = None if found is None else _decode(found[2])
    if found is None or data is None or len(data) <= 4:
        return None
    return found[1], data[:4], data[4:]


def _decode(text: str) -> Optional[bytes]:
    """None for a text that is not the one way to write its bytes."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode("ascii") == text else None


def check_note(text: str, at: str, keys: KeyList) -> Tuple[Note, List[str]]:
    """The checkpoint and the keys of the list that signed it under the name of the log."""
    note = read_note(text)
    if note is None:
        raise Refusal("shape", at, f"{at} is not a checkpoint.")
    signers = []
    for key_id, key in keys.items():
        if key.not_before is None:
            continue
        named = note.origin.encode("utf-8") + b"\n" + _LOG_KEY + key.public
        key_hash = hashlib.sha256(named).digest()[:4]
        own = [s for name, h, s in note.signatures if name == note.origin and h == key_hash]
        if not own:
            continue
        try:
            public = Ed25519PublicKey.from_public_bytes(key.public)
            for signature in own:
                public.verify(signature, note.text.encode("utf-8"))
        except (InvalidSignature, ValueError):
            says = f"The signature does not verify under {key_id}."
            raise Refusal("signature", at, says) from None
        signers.append(key_id)
    if not signers:
        raise Refusal("unknown-key", at, "No key in the list has signed it.")
    return note, signers


def check_logged(x: Dict[str, Any], keys: KeyList) -> Dict[str, Any]:
    """The facts of a receipt with its proof; the shape is known to be good."""
    proof = x["proof"]
    kind, digest, index = proof["kind"], proof["digest"], int(proof["index"])
    said = [text for each, text in receipts_in(x["receipt"]) if each == kind]
    if digest not in [hashlib.sha256(text.encode("utf-8")).hexdigest() for text in said]:
        raise Refusal("digest", "receipt", "The receipt is not the one that the proof is of.")
    note, signers = check_note(proof["checkpoint"], "proof.checkpoint", keys)
    if index >= note.size:
        raise Refusal("rule", "proof.index", "The tree has no such leaf.")
    entry = entry_text(kind, digest).encode("ascii")
    if root_from(entry, index, note.size, _hashes(proof["path"])) != note.root:
        says = "The path does not lead from the receipt to the root."
        raise Refusal("rule", "proof.path", says)
    return {"leaf": kind, "digest": digest, "index": index, **_tree(note, signers)}


def check_consistent(x: Dict[str, Any], keys: KeyList) -> Dict[str, Any]:
    """The facts of an earlier checkpoint with the proof that the log begins with it."""
    after = x["after"]
    old, _ = check_note(x["before"], "before", keys)
    now, signers = check_note(after["checkpoint"], "after.checkpoint", keys)
    if old.origin != now.origin:
        raise Refusal("chain", "after.checkpoint", "The checkpoints are of two logs.")
    if after["from"] != old.size:
        raise Refusal("chain", "after.from", "It begins with another size.")
    if not is_consistent((old.size, old.root), (now.size, now.root), _hashes(after["path"])):
        says = "The log does not begin with the earlier one: both are signed, which proves a fork."
        raise Refusal("chain", "after.path", says)
    return {"fromSize": old.size, **_tree(now, signers)}


def _hashes(path: Sequence[str]) -> List[bytes]:
    return [bytes.fromhex(each) for each in path]


def _tree(note: Note, signers: List[str]) -> Dict[str, Any]:
    return {"size": note.size, "root": note.root.hex(), "origin": note.origin, "keyIds": signers}
