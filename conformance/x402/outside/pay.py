"""The client `x402` from PyPI, unmodified, buys one answer.

With a key of an account besides, every request is signed below the client, in the transport that it
is given: the call is the account's, and the signature covers the payment.
"""

import asyncio
import json
import sys

import hub_signing
import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from eth_account import Account
from x402 import x402Client
from x402.http.clients.httpx import x402_httpx_transport
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact.register import register_exact_evm_client

PAYMENT = "payment-signature"


class Signing(httpx.AsyncHTTPTransport):
    """Signs what is sent, the payment that the client added included."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        super().__init__()
        self._key = key

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        digest = hub_signing.content_digest(await request.aread())
        request.headers["content-digest"] = digest
        covered = [
            ("@method", request.method),
            ("@authority", request.url.netloc.decode()),
            ("@path", request.url.path),
            ("content-digest", digest),
        ]
        if PAYMENT in request.headers:
            covered.append((PAYMENT, request.headers[PAYMENT]))
        request.headers.update(hub_signing.signature_headers(self._key, covered))
        return await super().handle_async_request(request)


async def main() -> None:
    url, wallet, body, *seed = sys.argv[1:]
    client = x402Client()
    # The token of the tests is none that the client knows.
    client.set_spend_controls({"allowed_assets": True})
    register_exact_evm_client(client, EthAccountSigner(Account.from_key(wallet)))
    key = [Ed25519PrivateKey.from_private_bytes(bytes.fromhex(each)) for each in seed]
    below = Signing(key[0]) if key else httpx.AsyncHTTPTransport()
    path = "/api/v1/call" if key else "/api/v1/models/chat"
    transport = x402_httpx_transport(client, below)
    async with httpx.AsyncClient(transport=transport, timeout=60) as http:
        answer = await http.post(url + path, json=json.loads(body))
        await answer.aread()
    if answer.status_code != 200:
        raise SystemExit(f"{answer.status_code} {answer.text}")
    signed = "a signed call" if key else "without a key"
    print(f"x402 of PyPI paid, {signed}:", answer.headers["payment-response"][:40], "...")


asyncio.run(main())
