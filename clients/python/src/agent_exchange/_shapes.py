"""The objects of spec/BYTES.md 3 to 6 and 11, as their wire form has them."""

from __future__ import annotations

import re

from . import _grammar as grammar
from ._shape import Shape, anything, list_of, object_of, one, one_of, or_null

REASON_CHARACTERS_MAX = 200
# A tree of 2^64 leaves.
PATH_MAX = 64
WITHDRAWN_MAX = 100
# Nearly two years of pulses; a longer chain is checked in parts that share one.
LIST_MAX = 1_000_000


def _matching(what: str, pattern: str) -> Shape:
    compiled = re.compile(pattern)
    return one(what, lambda value: isinstance(value, str) and bool(compiled.fullmatch(value)))


_digest = one("a digest in 64 lower-case hex characters", grammar.is_digest)
_minute = one("a minute (YYYY-MM-DDTHH:MM:00Z)", grammar.is_minute)
_time = one("a time (YYYY-MM-DDTHH:MM:SS.mmmZ)", grammar.is_time)
_whole = one("a whole number from 0 to 2^53-1", grammar.is_whole)
_key_id = one("a key id", grammar.is_key_id)
_bytes = one("base64url of signed bytes", grammar.is_signed_bytes)
_signature = one("base64 of a 64-byte signature", grammar.is_signature)
_chain_name = _matching("the name of a chain", r"[A-Za-z0-9._-]{1,64}")
_nonce = _matching("a nonce", r"[A-Za-z0-9_-]{1,128}")
_reason = one(
    f"text of at most {REASON_CHARACTERS_MAX} characters",
    lambda value: grammar.is_text(value, REASON_CHARACTERS_MAX),
)
_truth = one("true or false", lambda value: isinstance(value, bool))

_clock = object_of(
    {"errorMs": _whole, "source": one_of("system", "ntp", "roughtime"), "synced": _truth}
)
_gap = object_of(
    {
        "cause": one_of("down", "clock-step", "unknown"),
        "from": _minute,
        "minutes": _whole,
        "to": _minute,
    }
)

_withdrawn = list_of(
    object_of({"at": _time, "bytes": _bytes, "digest": _digest, "signature": _signature}),
    WITHDRAWN_MAX,
    1,
)

PULSE = object_of(
    {
        "body": object_of(
            {
                "v": one_of(1),
                "chain": _chain_name,
                "seq": _whole,
                "minute": _minute,
                "issuedAt": _time,
                "prev": _digest,
                "root": _digest,
                "leaves": _whole,
                "gap": or_null(_gap),
                "clock": _clock,
                "random": _digest,
                "nextCommit": _digest,
                "keyId": _key_id,
            },
            {"nextKeyId": _key_id},
        ),
        "bytes": _bytes,
        "digest": _digest,
        "signature": _signature,
    },
    {"withdrawn": _withdrawn},
)

PROMISE = object_of(
    {
        "body": object_of(
            {
                "digest": _digest,
                "minute": _minute,
                "pulse": _minute,
                "receivedAt": _time,
                "keyId": _key_id,
            }
        ),
        "bytes": _bytes,
        "signature": _signature,
        "proofAt": _time,
    }
)

PROOF = object_of(
    {
        "digest": _digest,
        "promisedMinute": _minute,
        "leafIndex": _whole,
        "leaves": _whole,
        "path": list_of(_digest, PATH_MAX),
        "root": _digest,
        "pulse": PULSE,
    },
    {"late": one_of(True)},
)

NOW = object_of(
    {
        "body": object_of(
            {
                "now": _time,
                "unixMs": _whole,
                "chain": object_of(
                    {"state": one_of("live", "stalled")}, {"since": _time, "reason": _reason}
                ),
                "clock": _clock,
                "keyId": _key_id,
            },
            {
                "nonce": _nonce,
                "head": object_of({"seq": _whole, "minute": _minute, "digest": _digest}),
            },
        ),
        "bytes": _bytes,
        "signature": _signature,
    }
)

SEAL = object_of(
    {
        "body": object_of(
            {
                "v": one_of(1),
                "blockNo": _whole,
                "fromSeq": _whole,
                "toSeq": _whole,
                "count": _whole,
                "merkleRoot": _digest,
                "prevDigest": _digest,
                "sealedAt": _time,
                "keyId": _key_id,
            }
        ),
        "bytes": _bytes,
        "digest": _digest,
        "signature": _signature,
        "stampedIn": _minute,
    },
    {"pulseSeq": _whole, "withdrawn": _withdrawn},
)



def _words(most: int) -> Shape:
    return one(f"text of at most {most} characters", lambda value: grammar.is_text(value, most))


_uuid = _matching("a UUID", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_account = _matching("an account", r"key:[1-9A-HJ-NP-Za-km-z]{32,44}")

ATTESTATION = object_of(
    {
        "id": _uuid,
        "agentRegistry": _words(2100),
        "agentId": _matching("a registry code", r"[0-9a-f]{16}"),
        "clientAddress": _account,
        "createdAt": _time,
        "value": one_of(20, 40, 60, 80, 100),
        "valueDecimals": one_of(0),
        "tag1": one_of("starred"),
        "endpoint": _words(2048),
        "scope": one_of("off-chain"),
        "settlement": object_of(
            {
                "transferId": _uuid,
                "reason": one_of("call.charge", "task.reward", "pay"),
                "amount": _matching("an amount in atomic units", r"0|[1-9][0-9]{0,15}"),
                "asset": one_of("USDC"),
                "network": _matching("the name of a network", r"[a-z][a-z0-9-]{0,31}"),
                "payer": _account,
                "payee": _account,
                "settledAt": _time,
            },
            {"seal": object_of({"blockNo": _whole, "digest": _digest})},
        ),
        "proof": object_of(
            {
                "alg": one_of("ed25519"),
                "keyId": _key_id,
                "created": _time,
                "digest": _digest,
                "signature": _signature,
            }
        ),
    },
    {
        "mcp": object_of({"tool": _words(300)}),
        "a2a": object_of({"skills": list_of(_words(300), 50)}),
        "proofOfPayment": object_of(
            {
                "fromAddress": _words(64),
                "toAddress": _words(64),
                "chainId": _words(32),
                "txHash": _words(66),
            }
        ),
    },
)

SEALED_BLOCK = object_of({"seal": anything}, {"proof": anything})
KEPT = object_of({"promise": anything, "proof": anything})
CHAIN = list_of(anything, LIST_MAX, least=1)

_hashes = list_of(_digest, PATH_MAX)
_note = one("a checkpoint", lambda value: isinstance(value, str) and len(value) <= 65_536)
LOGGED = object_of(
    {
        "receipt": anything,
        "proof": object_of(
            {
                "kind": one_of("call", "model", "payout", "ruling"),
                "digest": _digest,
                "index": _whole,
                "path": _hashes,
                "checkpoint": _note,
            }
        ),
    }
)
CONSISTENT = object_of(
    {
        "before": _note,
        "after": object_of({"from": _whole, "path": _hashes, "checkpoint": _note}),
    }
)
