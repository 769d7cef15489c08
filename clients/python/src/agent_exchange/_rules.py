"""What a well-signed object must say besides (spec/BYTES.md 9), each rule with its place."""

from __future__ import annotations

import hashlib
from typing import Any, Dict, Iterable, Tuple

from ._grammar import MINUTE_MS, ms_of
from ._merkle import root_from
from .verdict import Refusal, join

Rule = Tuple[bool, str, str]
Object = Dict[str, Any]

_ZEROS = "0" * 64
# The least that licenses a review, in atomic units.
_REVIEW_AMOUNT_MIN = 10_000
_EMPTY_ROOT = hashlib.sha256(b"").hexdigest()


def check_pulse_rules(pulse: Object, at: str) -> None:
    body = pulse["body"]
    first, gap = body["seq"] == 0, body["gap"]
    minute, issued_at = ms_of(body["minute"]), ms_of(body["issuedAt"])
    in_time = minute + MINUTE_MS <= issued_at < minute + 2 * MINUTE_MS
    no_root = body["root"] == _EMPTY_ROOT
    rules = [
        (in_time, "body.issuedAt", "The pulse was not issued in the minute after its own."),
        (
            not first or body["prev"] == _ZEROS,
            "body.prev",
            "The first pulse has no pulse before it.",
        ),
        (
            not first or body["random"] == _ZEROS,
            "body.random",
            "Nothing was committed to before the first pulse.",
        ),
        (not first or gap is None, "body.gap", "The first pulse has no gap before it."),
    ]
    if gap is not None:
        begin, end, minutes = ms_of(gap["from"]), ms_of(gap["to"]), gap["minutes"]
        counted = minutes > 0 and minutes * MINUTE_MS == end - begin + MINUTE_MS
        rules += [
            (
                end == minute - MINUTE_MS,
                "body.gap",
                "The gap does not end in the minute before the pulse.",
            ),
            (counted, "body.gap", "The gap does not have as many minutes as it says."),
        ]
    rules += [
        (
            (body["leaves"] == 0) == no_root,
            "body.root",
            "The root does not go with the leaves.",
        ),
        (
            body.get("nextKeyId") != body["keyId"],
            "body.nextKeyId",
            "The next key is the same key.",
        ),
        _still_counts(pulse),
    ]
    _hold("rule", at, rules)


def check_promise_rules(promise: Object, at: str) -> None:
    body = promise["body"]
    end = ms_of(body["minute"]) + MINUTE_MS
    rules = [
        (body["pulse"] == body["minute"], "body.pulse", "The promise names two minutes."),
        (
            end > ms_of(body["receivedAt"]),
            "body.minute",
            "The promised minute was over when the digest came.",
        ),
        (ms_of(promise["proofAt"]) == end, "proofAt", "The proof comes when the minute ends."),
    ]
    _hold("rule", at, rules)


def check_now_rules(now: Object, at: str) -> None:
    same = now["body"]["unixMs"] == ms_of(now["body"]["now"])
    _hold("rule", at, [(same, "body.unixMs", "The two times are different moments.")])


def check_seal_rules(seal: Object, at: str) -> None:
    body = seal["body"]
    begin, end, count = body["fromSeq"], body["toSeq"], body["count"]
    rules = [
        (begin >= 1, "body.fromSeq", "Transfers are counted from 1."),
        (end >= begin, "body.toSeq", "The block ends before it begins."),
        (
            1 <= count <= end - begin + 1,
            "body.count",
            "The block cannot have so many transfers.",
        ),
        (
            body["blockNo"] > 0 or body["prevDigest"] == _ZEROS,
            "body.prevDigest",
            "The first block has none before it.",
        ),
        _still_counts(seal),
    ]
    _hold("rule", at, rules)


def _still_counts(signed: Object) -> Rule:
    """The hub itself names an object that was withdrawn, and it proves nothing."""
    digests = [each["digest"] for each in signed.get("withdrawn", [])]
    return (signed["digest"] not in digests, "withdrawn", "The hub has withdrawn it.")


def check_attestation_rules(attestation: Object, at: str) -> None:
    paid = attestation["settlement"]
    rules = [
        (
            paid["payer"] == attestation["clientAddress"],
            "settlement.payer",
            "Another account made the payment.",
        ),
        (
            paid["payee"] != paid["payer"],
            "settlement.payee",
            "The payment went back to its payer.",
        ),
        (
            int(paid["amount"]) >= _REVIEW_AMOUNT_MIN,
            "settlement.amount",
            "The payment is too small to license a review.",
        ),
    ]
    _hold("rule", at, rules)


def check_proof_rules(proof: Object, at: str) -> None:
    body = proof["pulse"]["body"]
    leaves, index, root = proof["leaves"], proof["leafIndex"], proof["root"]
    outside = [
        (leaves == body["leaves"], "leaves", "The pulse has another number of leaves."),
        (root == body["root"], "root", "The pulse has another root."),
        (index < leaves, "leafIndex", "The tree has no such leaf."),
    ]
    _hold("rule", at, outside)
    path = [bytes.fromhex(step) for step in proof["path"]]
    found = root_from(bytes.fromhex(proof["digest"]), int(index), int(leaves), path)
    late, promised = "late" in proof, proof["promisedMinute"]
    inside = [
        (
            found is not None and found.hex() == root,
            "path",
            "The path does not lead from the digest to the root.",
        ),
        (
            late != (promised == body["minute"]),
            "late",
            "The proof is late exactly when the pulse has another minute.",
        ),
        (
            not late or _is_missing(ms_of(promised), body),
            "late",
            "The promised minute is none of those that the pulse states to be missing.",
        ),
    ]
    _hold("rule", at, inside)


def _is_missing(promised: int, body: Object) -> bool:
    """Whether a minute has no pulse by what this one says; the first pulse states no gap."""
    if body["seq"] == 0:
        return promised < ms_of(body["minute"])
    gap = body["gap"]
    return gap is not None and ms_of(gap["from"]) <= promised <= ms_of(gap["to"])


def check_pulse_link(before: Object, pulse: Object, at: str) -> None:
    """What a pulse must take over from the one before it."""
    last, body = before["body"], pulse["body"]
    minute, following = ms_of(body["minute"]), ms_of(last["minute"]) + MINUTE_MS
    gap = body["gap"]
    begin = minute if gap is None else ms_of(gap["from"])
    stated = begin == following and (gap is None) == (minute == following)
    revealed = hashlib.sha256(bytes.fromhex(body["random"])).hexdigest()
    rules = [
        (body["chain"] == last["chain"], "body.chain", "The pulse is of another chain."),
        (
            body["seq"] == last["seq"] + 1,
            "body.seq",
            "The number does not follow the one before.",
        ),
        (
            body["prev"] == before["digest"],
            "body.prev",
            "It does not name the digest of the pulse before.",
        ),
        (minute >= following, "body.minute", "The minute is not after the one before."),
        (
            stated,
            "body.gap",
            "The gap is not what lies between this minute and the one before.",
        ),
        (
            revealed == last["nextCommit"],
            "body.random",
            "The random value is not what the pulse before committed to.",
        ),
        (
            body["keyId"] == last.get("nextKeyId", last["keyId"]),
            "body.keyId",
            "The pulse before did not hand over to this key.",
        ),
    ]
    _hold("chain", at, rules)


def check_seal_link(before: Object, seal: Object, at: str) -> None:
    """What a block must take over from the one before it."""
    last, body = before["body"], seal["body"]
    rules = [
        (
            body["blockNo"] == last["blockNo"] + 1,
            "body.blockNo",
            "The number does not follow the one before.",
        ),
        (body["fromSeq"] > last["toSeq"], "body.fromSeq", "It overlaps the block before."),
        (
            body["prevDigest"] == before["digest"],
            "body.prevDigest",
            "It does not name the digest of the block before.",
        ),
        (
            ms_of(body["sealedAt"]) >= ms_of(last["sealedAt"]),
            "body.sealedAt",
            "It was sealed before the block before.",
        ),
    ]
    _hold("chain", at, rules)


def check_kept(promise: Object, proof: Object, at: str) -> None:
    """What ties the proof of a stamp to the promise that it keeps."""
    body = promise["body"]
    rules = [
        (proof["digest"] == body["digest"], "digest", "The proof is of another digest."),
        (
            proof["promisedMinute"] == body["minute"],
            "promisedMinute",
            "Another minute was promised.",
        ),
    ]
    _hold("stamp", at, rules)


def check_stamp(block: Object, at: str) -> None:
    """What ties the proof of a stamp to the block that was stamped."""
    seal, proof = block["seal"], block.get("proof")
    if proof is None:
        alone = (
            "pulseSeq" not in seal,
            "seal.pulseSeq",
            "The block names a pulse and has no proof of it.",
        )
        _hold("stamp", at, [alone])
        return
    rules = [
        (
            proof["digest"] == seal["digest"],
            "proof.digest",
            "The proof is of another digest.",
        ),
        (
            proof["promisedMinute"] == seal["stampedIn"],
            "proof.promisedMinute",
            "The block says that it was stamped in another minute.",
        ),
        (
            seal.get("pulseSeq") == proof["pulse"]["body"]["seq"],
            "seal.pulseSeq",
            "The block says that it landed in another pulse.",
        ),
    ]
    _hold("stamp", at, rules)


def _hold(reason: str, at: str, rules: Iterable[Rule]) -> None:
    for holds, place, says in rules:
        if not holds:
            raise Refusal(reason, join(at, place), says)
