"""Signs a request to the hub (RFC 9421), as the contract's security schemes tell."""

import os
import time
from base64 import b64encode
from hashlib import sha256
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(os.environ["HUB_SEED"]))
KEY_ID = os.environ["HUB_KEY_ID"]


def signed_headers(method: str, url: str, body: bytes = b"") -> dict[str, str]:
    """The headers of RFC 9421 for a request, with a digest of its body if it has one."""
    headers = {}
    place = urlsplit(url)
    lines = {"@method": method, "@authority": place.netloc, "@path": place.path}
    if place.query:
        lines["@query"] = "?" + place.query
    if body:
        headers["Content-Digest"] = f"sha-256=:{b64encode(sha256(body).digest()).decode()}:"
        lines["content-digest"] = headers["Content-Digest"]
    covered = " ".join(f'"{name}"' for name in lines)
    nonce = os.urandom(16).hex()
    parameters = f'({covered});created={int(time.time())};keyid="{KEY_ID}";alg="ed25519"'
    parameters += f';nonce="{nonce}"'
    base = "\n".join(f'"{name}": {value}' for name, value in lines.items())
    signature = KEY.sign(f'{base}\n"@signature-params": {parameters}'.encode())
    return {
        **headers,
        "Signature-Input": f"sig1={parameters}",
        "Signature": f"sig1=:{b64encode(signature).decode()}:",
    }
