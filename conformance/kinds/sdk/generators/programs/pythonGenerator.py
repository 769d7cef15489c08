"""openapi-generator, python: signs in call_api, where the request is whole."""

import os

from hubSigner import signed_headers
from openapi_client import ApiClient, Configuration
from openapi_client.api import DiscoveryApi, WalletApi


class SigningClient(ApiClient):
    def call_api(self, method, url, header_params=None, *rest, **named):  # type: ignore
        headers = {**(header_params or {}), **signed_headers(method, url)}
        return super().call_api(method, url, headers, *rest, **named)


configuration = Configuration(host=os.environ["HUB_URL"])
print("unsigned", DiscoveryApi(ApiClient(configuration)).discovery_index().hub)
print("signed", WalletApi(SigningClient(configuration)).wallet_me().owner)
