"""Steps 2 to 6 of spec/BYTES.md 9, which every signed object takes alike."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Dict, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ._grammar import decode_base64, decode_base64url, encode_base64url, ms_of
from ._ijson import parse_ijson
from ._keys import KeyList
from ._shape import place_of, sorted_names
from .verdict import Refusal, join

PREFIXES = {
    "now": b"hub/time/now/v1\n",
    "promise": b"hub/time/promise/v1\n",
    "pulse": b"hub/time/pulse/v1\n",
    "seal": b"hub/ledger/seal/v1\n",
}
ATTESTATION_PREFIX = b"hub/attestation/v1\n"


def canonical(value: Any) -> str:
    """RFC 8785 text of a value that has its shape: its numbers are whole, its names are ASCII."""
    if isinstance(value, dict):
        members = (f"{json.dumps(name)}:{canonical(value[name])}" for name in sorted(value))
        return "{" + ",".join(members) + "}"
    if isinstance(value, float):
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)


def check_signed(kind: str, signed: Dict[str, Any], at: str, time: str, keys: KeyList) -> None:
    """Raises Refusal with the first fault; ``at`` is its place, ``time`` what it states."""
    body = signed["body"]
    message = PREFIXES[kind] + canonical(body).encode("utf-8")
    if encode_base64url(message) != signed["bytes"]:
        name, says = _difference(kind, body, decode_base64url(signed["bytes"]))
        raise Refusal("bytes", join(at, name), says)
    if "digest" in signed:
        _check_digest(message, signed["digest"], join(at, "digest"))
    places = join(at, "body.keyId"), join(at, "signature")
    _check_key(message, body["keyId"], signed["signature"], time, keys, places)


def check_attested(x: Dict[str, Any], at: str, keys: KeyList) -> None:
    """The same for an attestation, whose signed bytes are made from it (spec/BYTES.md 11)."""
    proof = x["proof"]
    vouched = {name: proof[name] for name in ("alg", "keyId", "created")}
    message = ATTESTATION_PREFIX + canonical({**x, "proof": vouched}).encode("utf-8")
    _check_digest(message, proof["digest"], join(at, "proof.digest"))
    places = join(at, "proof.keyId"), join(at, "proof.signature")
    _check_key(message, proof["keyId"], proof["signature"], proof["created"], keys, places)


def _check_digest(message: bytes, digest: str, at: str) -> None:
    if digest != hashlib.sha256(message).hexdigest():
        raise Refusal("digest", at, "The digest is not the SHA-256 of the bytes.")


def _check_key(
    message: bytes,
    key_id: str,
    signature: str,
    time: str,
    keys: KeyList,
    places: Tuple[str, str],
) -> None:
    key_place, signature_place = places
    key = keys.get(key_id)
    if key is None:
        says = f"{key_id} is not in the list of keys."
        raise Refusal("unknown-key", key_place, says)
    stated = ms_of(time)
    valid = key.not_before is not None and key.not_before <= stated
    if not valid or (key.not_after is not None and stated > key.not_after):
        says = f"The key {key_id} was not valid at {time}."
        raise Refusal("key-time", key_place, says)
    try:
        public = Ed25519PublicKey.from_public_bytes(key.public)
        public.verify(decode_base64(signature), message)
    except (InvalidSignature, ValueError):
        says = f"The signature does not verify under {key_id}."
        raise Refusal("signature", signature_place, says) from None


def _difference(kind: str, body: Dict[str, Any], data: bytes) -> Tuple[str, str]:
    """Names the member in which a body and its bytes differ; it is known that they do."""
    prefix = PREFIXES[kind]
    if not data.startswith(prefix):
        return "bytes", f"The bytes do not begin with the prefix of a {kind}."
    try:
        value = parse_ijson(data[len(prefix) :])
    except ValueError:
        value = None
    if not isinstance(value, dict):
        return "bytes", "The bytes hold no JSON object after their prefix."
    for name in sorted_names(body, value):
        if name not in body or name not in value or not _same(body[name], value[name]):
            at = place_of("body", name)
            return at, f"{at} is not what the signed bytes say."
    return "bytes", "The bytes are not the canonical JSON of the body."


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: True is not 1, and 1.0 is."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    return bool(one == other)
