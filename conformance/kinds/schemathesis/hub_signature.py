"""Signs the requests of a run as the hub asks (RFC 9421, ed25519).

It shares no code with the hub. An auth object of `requests` is the only place that sees the method,
the target and the body bytes as they will be sent, and a signature is over exactly these.
"""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hub_signing import content_digest, key_id, signature_headers
from requests import PreparedRequest
from requests.auth import AuthBase
from urllib3.util.url import _encode_target

# Headers that change what a call does are covered whenever they are sent.
COVERED_HEADERS = ("x-payment", "payment-signature", "idempotency-key")


class HubSignature(AuthBase):
    """One account: its key comes from a name, so that a run can be repeated."""

    def __init__(self, name: str) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())
        self.key_id = key_id(self._key)
        self.account = f"key:{self.key_id}"

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        covered = covered_values(request)
        request.headers.update(signature_headers(self._key, covered))
        return request


def covered_values(request: PreparedRequest) -> list[tuple[str, str]]:
    """The least that the hub asks for, and the host beside it. Adds Content-Digest for a body."""
    # urllib3 tidies the target once more before it is sent; what is signed must be the same text.
    target = _encode_target("/" + request.path_url.lstrip("/"))
    path, mark, query = target.partition("?")
    authority = urlsplit(request.url or "").netloc.rpartition("@")[2].lower()
    covered = [("@method", request.method or "GET"), ("@authority", authority), ("@path", path)]
    if mark:
        covered.append(("@query", f"?{query}"))
    body = bytes_of(request)
    if body:
        request.headers["Content-Digest"] = content_digest(body)
        covered.append(("content-digest", request.headers["Content-Digest"]))
    for name in COVERED_HEADERS:
        if name in request.headers:
            covered.append((name, text_of(request.headers[name]).strip(" \t")))
    return covered


def bytes_of(request: PreparedRequest) -> bytes:
    body = request.body
    if body is None:
        return b""
    return body if isinstance(body, bytes) else str(body).encode()


def text_of(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value
