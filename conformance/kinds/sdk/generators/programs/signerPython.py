"""http-message-signatures of PyPI: signs a prepared request with what it covers by default."""

import os
import uuid

import requests
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from http_message_signatures import HTTPMessageSigner, MappingKeyResolver, algorithms

URL, KEY_ID = os.environ["HUB_URL"], os.environ["HUB_KEY_ID"]
KEY = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(os.environ["HUB_SEED"]))
SIGNER = HTTPMessageSigner(
    signature_algorithm=algorithms.ED25519,
    key_resolver=MappingKeyResolver(public_keys={}, private_keys={KEY_ID: KEY}),
)


def signed(method: str, path: str, json: object = None) -> str:
    request = requests.Request(method, f"{URL}{path}", json=json).prepare()
    body = request.body if isinstance(request.body, bytes) else None
    SIGNER.sign(request, key_id=KEY_ID, nonce=uuid.uuid4().hex, body=body)
    return requests.Session().send(request, timeout=10).text


print("read", signed("GET", "/api/v1/me/work?role=worker&limit=2"))
space = {"owner": f"key:{KEY_ID}", "name": "http-message-signatures"}
print("wrote", signed("POST", "/api/v1/memory/spaces", space))
