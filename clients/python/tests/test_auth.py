"""``sign`` and ``Auth`` against the rules of RFC 9421, read here a second time."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import importlib
import re
import unittest
from typing import Any, Dict, List, Optional, Tuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

try:
    from agent_exchange import Auth, Key, sign
except ImportError:
    Auth = None  # type: ignore[assignment, misc]

LIBRARIES = ("httpx", "httpx2")


def library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def covered_of(headers: Dict[str, str]) -> Tuple[List[str], str]:
    params = headers["signature-input"].removeprefix("sig1=")
    inside = re.match(r"\(([^)]*)\)", params)
    assert inside is not None
    return [name.strip('"') for name in inside.group(1).split()], params


def verify(public: bytes, headers: Dict[str, str], values: Dict[str, str]) -> List[str]:
    """The covered names. Raises InvalidSignature when the signature is for other values."""
    covered, params = covered_of(headers)
    lines = [f'"{name}": {values[name]}' for name in covered]
    base = "\n".join([*lines, f'"@signature-params": {params}'])
    signature = base64.b64decode(headers["signature"].removeprefix("sig1=:").removesuffix(":"))
    Ed25519PublicKey.from_public_bytes(public).verify(signature, base.encode())
    return covered


def digest(body: bytes) -> str:
    return f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"


@unittest.skipIf(Auth is None, "neither httpx nor httpx2 is installed")
class SignTest(unittest.TestCase):
    def setUp(self) -> None:
        self.key = Key.generate()
        self.public = decoded(self.key.key_id)

    def test_covers_the_body_the_query_and_the_headers_that_change_what_is_done(self) -> None:
        sent = {"Prefer": "dry-run", "X-Payment": "abc", "Accept": "application/json"}
        url = "https://me:secret@HUB.example:443/api/v1/tasks?a=b%2Fc#part"
        headers = sign(self.key, "POST", url, b"{}", headers=sent)
        values = {
            "@method": "POST",
            "@authority": "hub.example",
            "@path": "/api/v1/tasks",
            "@query": "?a=b%2Fc",
            "content-digest": digest(b"{}"),
            "prefer": "dry-run",
            "x-payment": "abc",
        }
        self.assertEqual(verify(self.public, headers, values), list(values))

    def test_covers_an_empty_query_and_no_digest_without_a_body(self) -> None:
        for url, query in (("http://hub.example:8080/a?", "?"), ("http://hub.example:8080/a", None)):
            headers = sign(self.key, "GET", url)
            values = {"@method": "GET", "@authority": "hub.example:8080", "@path": "/a"}
            if query is not None:
                values["@query"] = query
            self.assertEqual(verify(self.public, headers, values), list(values))
            self.assertNotIn("content-digest", headers)

    def test_uses_a_nonce_once(self) -> None:
        made = {sign(self.key, "GET", "http://hub.example/")["signature-input"] for _ in range(9)}
        self.assertEqual(len(made), 9)


@unittest.skipIf(Auth is None, "neither httpx nor httpx2 is installed")
class AuthTest(unittest.TestCase):
    def setUp(self) -> None:
        self.key = Key.generate()
        self.public = decoded(self.key.key_id)
        self.received: List[Any] = []

    def check(self, body: bytes, prefer: Optional[str]) -> None:
        request = self.received.pop()
        values = {
            "@method": request.method,
            "@authority": request.headers["host"],
            "@path": "/api/v1/t%20asks",
            "@query": "?q=a+b",
            "content-digest": digest(body),
            **({} if prefer is None else {"prefer": prefer}),
        }
        covered = verify(self.public, request.headers, values)
        self.assertEqual(covered, list(values))
        self.assertEqual(request.content, body)

    def test_signs_what_each_library_sends(self) -> None:
        for name in LIBRARIES:
            http = library(name)
            if http is None:
                continue
            with self.subTest(name):
                transport = http.MockTransport(self.answer(http))
                url = "http://hub.example:8080/api/v1/t asks?q=a+b"
                with http.Client(auth=Auth(self.key), transport=transport) as client:
                    client.post(url, content=b"[1]", headers={"prefer": "dry-run"})
                    self.check(b"[1]", "dry-run")
                    client.post(url, content=iter([b"[", b"2]"]))
                    self.check(b"[2]", None)

    def test_signs_what_each_library_sends_without_waiting(self) -> None:
        for name in LIBRARIES:
            http = library(name)
            if http is None:
                continue

            async def pieces() -> Any:
                yield b"[3]"

            async def send() -> None:
                transport = http.MockTransport(self.answer(http))
                async with http.AsyncClient(auth=Auth(self.key), transport=transport) as client:
                    await client.post(
                        "http://hub.example:8080/api/v1/t asks?q=a+b", content=pieces()
                    )

            with self.subTest(name):
                asyncio.run(send())
                self.check(b"[3]", None)

    def answer(self, http: Any) -> Any:
        def handle(request: Any) -> Any:
            self.received.append(request)
            return http.Response(200)

        return handle


def decoded(key_id: str) -> bytes:
    letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    number = 0
    for letter in key_id:
        number = number * 58 + letters.index(letter)
    return number.to_bytes(32, "big")


if __name__ == "__main__":
    unittest.main()
