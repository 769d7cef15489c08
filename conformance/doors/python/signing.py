"""Signs requests as the hub asks (RFC 9421, ed25519), in the hook that a client has for it.

It shares no code with the hub. httpx and httpx2 have the same Auth class under two names, and it is
the one place of both clients that sees a request with the bytes that will be sent.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol

import httpx
import httpx2
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hub_signing import content_digest, key_id, signature_headers


class Sendable(Protocol):
    """What a request of either library has."""

    method: str
    url: Any
    headers: Any
    content: bytes


class HubKey:
    """An ed25519 key, which is an account of the hub."""

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()
        self.key_id = key_id(self._key)
        self.account = f"key:{self.key_id}"

    def sign(self, request: Sendable) -> None:
        """Adds the three headers of a signature over the request."""
        path, mark, query = request.url.raw_path.decode("ascii").partition("?")
        authority = request.url.netloc.decode("ascii").lower()
        covered = [("@method", request.method), ("@authority", authority), ("@path", path)]
        if mark:
            covered.append(("@query", f"?{query}"))
        if request.content:
            request.headers["Content-Digest"] = content_digest(request.content)
            covered.append(("content-digest", request.headers["Content-Digest"]))
        request.headers.update(signature_headers(self._key, covered))


class HttpxAuth(httpx.Auth):
    """The hook of httpx, which the A2A client uses."""

    requires_request_body = True

    def __init__(self, key: HubKey) -> None:
        self._key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        self._key.sign(request)
        yield request


class Httpx2Auth(httpx2.Auth):
    """The hook of httpx2, which the MCP client uses."""

    requires_request_body = True

    def __init__(self, key: HubKey) -> None:
        self._key = key

    def auth_flow(
        self, request: httpx2.Request
    ) -> Generator[httpx2.Request, httpx2.Response, None]:
        self._key.sign(request)
        yield request
