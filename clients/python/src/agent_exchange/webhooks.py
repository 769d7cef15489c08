"""Verifies messages of webhooks (Standard Webhooks) by the public key or the secret."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_AGE_SECONDS_MAX = 300


class NotGenuine(ValueError):
    """The message is not of the hub that has this key, or it is too old."""


def read(body: bytes, headers: Mapping[str, str], key: str) -> Dict[str, Any]:
    """The message of ``body``, verified with ``whpk_…`` or ``whsec_…``; NotGenuine otherwise.

    ``body`` is the exact bytes that arrived. Skip a ``webhook-id`` that you have handled.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, sent_at = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not sent_at.isascii() or not sent_at.isdigit():
        raise NotGenuine("webhook-timestamp is missing")
    if abs(time.time() - int(sent_at)) > _AGE_SECONDS_MAX:
        raise NotGenuine("webhook-timestamp is more than five minutes off")
    text = f"{message_id}.{sent_at}.".encode() + body
    for each in given.get("webhook-signature", "").split(" "):
        scheme, _, signature = each.partition(",")
        if _is_signed(scheme, signature, text, key):
            message: Dict[str, Any] = json.loads(body)
            return message
    raise NotGenuine("no signature is of this key")


def _is_signed(scheme: str, signature: str, text: bytes, key: str) -> bool:
    kind, _, encoded = key.partition("_")
    try:
        raw, given = base64.b64decode(encoded), base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return False
    if kind == "whsec" and scheme == "v1":
        return hmac.compare_digest(hmac.new(raw, text, hashlib.sha256).digest(), given)
    if kind == "whpk" and scheme == "v1a":
        try:
            Ed25519PublicKey.from_public_bytes(raw).verify(given, text)
        except (InvalidSignature, ValueError):
            return False
        return True
    return False
