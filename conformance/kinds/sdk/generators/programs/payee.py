"""Sends one signed request, METHOD PATH [BODY], and prints the answer."""

import os
import sys

import httpx

from hubSigner import signed_headers

method, path = sys.argv[1], sys.argv[2]
body = (sys.argv[3] if len(sys.argv) > 3 else "").encode()
url = os.environ["HUB_URL"] + path
headers = {"Content-Type": "application/json", **signed_headers(method, url, body)}
print(httpx.request(method, url, content=body, headers=headers).text)
