"""Reads each document as JSON and as YAML, which must agree, and validates it."""

import json
import sys

import yaml
from openapi_spec_validator import validate

for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        text = file.read()
    document = json.loads(text)
    if yaml.safe_load(text) != document:
        raise SystemExit(f"{name}: YAML reads something else than JSON")
    validate(document)
    print(f"{name}: read by PyYAML, valid for openapi-spec-validator")
