"""requests-http-signature of PyPI: an authentication of requests, with its defaults and a nonce."""

import os

import requests
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from requests_http_signature import HTTPSignatureAuth, algorithms

URL, KEY_ID = os.environ["HUB_URL"], os.environ["HUB_KEY_ID"]
KEY = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(os.environ["HUB_SEED"]))
PEM = KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
AUTH = HTTPSignatureAuth(
    signature_algorithm=algorithms.ED25519, key=PEM, key_id=KEY_ID, use_nonce=True
)

work = requests.get(f"{URL}/api/v1/me/work?role=worker&limit=2", auth=AUTH, timeout=10)
print("read", work.text)
space = {"owner": f"key:{KEY_ID}", "name": "requests-http-signature"}
print("wrote", requests.post(f"{URL}/api/v1/memory/spaces", json=space, auth=AUTH, timeout=10).text)
