"""What every signer of the runs shares: names of keys, and signatures over values that it gathered.

It shares no code with the hub. Which values are covered, and what a client sends, is the caller's.
"""

from __future__ import annotations

import base64
import hashlib
import os
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
NONCE_BYTES = 16


def key_id(key: Ed25519PrivateKey) -> str:
    """The base58 of the public key, by which the hub knows it."""
    return base58(key.public_key().public_bytes_raw())


def content_digest(body: bytes) -> str:
    """RFC 9530, over the bytes as they are sent."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"


def signature_headers(
    key: Ed25519PrivateKey, covered: list[tuple[str, str]]
) -> dict[str, str]:
    """The two headers of a signature over the covered values, in their order (RFC 9421 2.5)."""
    listed = " ".join(f'"{name}"' for name, _ in covered)
    nonce = os.urandom(NONCE_BYTES).hex()
    params = (
        f'({listed});created={int(time.time())};keyid="{key_id(key)}"'
        f';alg="ed25519";nonce="{nonce}"'
    )
    lines = [f'"{name}": {value}' for name, value in covered]
    base = "\n".join([*lines, f'"@signature-params": {params}'])
    signature = base64.b64encode(key.sign(base.encode("latin-1"))).decode()
    return {"Signature-Input": f"sig1={params}", "Signature": f"sig1=:{signature}:"}


def base58(data: bytes) -> str:
    number = int.from_bytes(data, "big")
    digits = ""
    while number:
        number, digit = divmod(number, 58)
        digits = ALPHABET[digit] + digits
    zeros = len(data) - len(data.lstrip(b"\0"))
    return "1" * zeros + digits
