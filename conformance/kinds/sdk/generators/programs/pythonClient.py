"""openapi-python-client: signs in the event hook of httpx."""

import os

import httpx
from hub_client import Client
from hub_client.api.discovery import discovery_index
from hub_client.api.wallet import wallet_me
from hubSigner import signed_headers


def sign(request: httpx.Request) -> None:
    request.headers.update(signed_headers(request.method, str(request.url)))


url = os.environ["HUB_URL"]
index = discovery_index.sync(client=Client(base_url=url))
print("unsigned", getattr(index, "hub", None))
me = wallet_me.sync(client=Client(base_url=url, httpx_args={"event_hooks": {"request": [sign]}}))
print("signed", getattr(me, "owner", None))
