"""The client `x402` from PyPI, unmodified, buys one answer."""

import asyncio
import json
import sys

from eth_account import Account
from x402 import x402Client
from x402.http.clients import x402HttpxClient
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact.register import register_exact_evm_client


async def main() -> None:
    url, key, body = sys.argv[1:]
    client = x402Client()
    # The token of the tests is none that the client knows.
    client.set_spend_controls({"allowed_assets": True})
    register_exact_evm_client(client, EthAccountSigner(Account.from_key(key)))
    async with x402HttpxClient(client, timeout=60) as http:
        answer = await http.post(f"{url}/api/v1/models/chat", json=json.loads(body))
        await answer.aread()
    if answer.status_code != 200:
        raise SystemExit(f"{answer.status_code} {answer.text}")
    print("x402 of PyPI paid:", answer.headers["payment-response"][:40], "...")


asyncio.run(main())
