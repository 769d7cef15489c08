"""Makes the typed part of the client from the contract: models, and a method per operation.

Models come from datamodel-code-generator, which reads every schema form of the contract and writes
pydantic models that mypy and pyright take strictly. Operations are written here, because the
generators of whole clients own the HTTP exchange, which must be signed anew at every send.
"""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

Json = Dict[str, Any]
HEAD = '"""Made from the contract by codegen.py; change that, not this file."""\n\n'
# The hub checks these, and newer ones may be wider; text stays the text that is on the wire.
DROPPED = {
    "format", "pattern", "maxLength", "minLength", "maxItems", "minItems", "maxProperties",
    "minProperties", "minimum", "maximum", "uniqueItems", "default", "example", "examples",
    "additionalProperties",
}


@dataclass(frozen=True)
class Field:
    name: str
    place: str
    required: bool
    annotation: str


@dataclass(frozen=True)
class Operation:
    area: str
    verb: str
    method: str
    path: str
    summary: str
    owner: str
    auth: str
    once: str
    fields: List[Field]
    body: Optional[str]
    body_required: bool
    answer: str
    list_name: Optional[str]
    item: str


def generate(document: Path, folder: Path) -> None:
    """Writes models.py and the two files of operations into the folder."""
    root: Json = json.loads(document.read_text("utf-8"))
    operations = list(_operations(root))
    for one in operations:
        if one.list_name is None and one.answer != "Any" and _is_paged(one):
            raise SystemExit(f"{one.area}.{one.verb} has pages that no method walks")
    schemas = {name: _plain(schema) for name, schema in root["components"]["schemas"].items()}
    free = {name for name, schema in schemas.items() if _is_free(schema)}
    schemas = {n: _inlined(schema, free) for n, schema in schemas.items() if n not in free}
    for name in list(schemas):
        _name_inner(schemas, schemas[name], name)
    folder.mkdir(parents=True, exist_ok=True)
    slim = folder / "schemas.json"
    slim.write_text(json.dumps({
        "openapi": "3.1.0", "info": root["info"], "paths": {},
        "components": {"schemas": schemas},
    }))
    subprocess.run([
        sys.executable, "-m", "datamodel_code_generator", "--input", str(slim),
        "--input-file-type", "openapi", "--output", str(folder / "models.py"),
        "--output-model-type", "pydantic_v2.BaseModel", "--target-python-version", "3.10",
        "--enum-field-as-literal", "all", "--collapse-root-models", "--use-annotated",
        "--disable-timestamp", "--use-standard-collections", "--use-union-operator",
        "--formatters", "builtin", "--extra-fields", "allow",
        "--base-class", "agent_exchange._shown.Shown",
    ], check=True)
    slim.unlink()
    (folder / "operations.py").write_text(_table(root))
    (folder / "retries.py").write_text(_retries(root))
    (folder / "__init__.py").write_text('"""Made from the contract by codegen.py."""\n')
    for name, is_async in (("sync_api", False), ("async_api", True)):
        (folder / f"{name}.py").write_text(_module(operations, is_async))


def _is_paged(one: Operation) -> bool:
    return any(field.place == "query" and field.name == "cursor" for field in one.fields)


def _retries(root: Json) -> str:
    rules = root["components"]["schemas"]["ErrorCode"]["x-retry"]
    lines = [f'    "{code}": "{rule}",' for code, rule in rules.items() if rule != "later"]
    body = ["from typing import Dict", "", "RETRIES: Dict[str, str] = {", *lines, "}", ""]
    return HEAD + "\n".join(body)


def _plain(schema: Any, is_map: bool = False) -> Any:
    """The schema without what only the hub checks; names of properties are left alone."""
    if isinstance(schema, list):
        return [_plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if is_map:
        return {name: _plain(one) for name, one in schema.items()}
    kept = {k: v for k, v in schema.items() if k not in DROPPED and not k.startswith("x-")}
    if schema.get("additionalProperties") is True and "properties" not in schema:
        kept["additionalProperties"] = True
    elif schema.get("additionalProperties") not in (None, True, False):
        kept["additionalProperties"] = _plain(schema["additionalProperties"])
    return {
        name: value if name in ("enum", "const") else _plain(value, name == "properties")
        for name, value in kept.items()
    }


def _is_free(schema: Json) -> bool:
    """An object of which the contract says nothing more is a dict."""
    known = ("properties", "allOf", "oneOf", "anyOf", "$ref", "enum")
    return schema.get("type") == "object" and not any(name in schema for name in known)


def _inlined(schema: Any, free: Set[str]) -> Any:
    if isinstance(schema, list):
        return [_inlined(one, free) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if str(schema.get("$ref", "")).split("/")[-1] in free:
        return {"type": "object", "additionalProperties": True}
    return {name: _inlined(one, free) for name, one in schema.items()}


def _name_inner(schemas: Json, schema: Any, name: str) -> None:
    """Names objects inside of others after where they are, so that no name is met twice."""
    for member, given in list(schema.get("properties", {}).items()):
        inner = given.get("items", {}) if given.get("type") == "array" else given
        if "properties" not in inner:
            continue
        own = _title(name) + _title(member)
        own = own if own not in schemas else f"{own}Inner"
        if own in schemas:
            raise SystemExit(f"two schemas would be named {own}")
        schemas[own] = inner
        reference = {"$ref": f"#/components/schemas/{own}"}
        whole = {**given, "items": reference} if inner is not given else reference
        schema["properties"][member] = whole
        _name_inner(schemas, inner, own)


def _operations(root: Json) -> Iterator[Operation]:
    schemas: Json = root["components"]["schemas"]
    for path, methods in root["paths"].items():
        for method, one in methods.items():
            if method not in ("get", "post"):
                continue
            area, verb = one["operationId"].split(".")
            pascal = f"{_title(area)}{_title(verb)}"
            body, body_required = _body(root, one, f"{pascal}Body")
            answer = _hoisted(schemas, _json_of(_success(root, one)), f"{pascal}Answer")
            if _is_free(_resolved(root, schemas.get(answer or "", {}))):
                answer = None
            list_name, item = _paged(root, answer, f"{pascal}Item")
            yield Operation(
                area, verb, method.upper(), path, one["summary"], one.get("x-owner", ""),
                one["x-auth"], _key_place(one), _fields(root, one), body, body_required,
                f"models.{answer}" if answer else "Any", list_name, item,
            )


def _key_place(one: Json) -> str:
    """Where the idempotency key of a call stands; nowhere of one that takes none."""
    if "x-idempotency" in one:
        return "body"
    key = {"$ref": "#/components/parameters/KeyHeader"}
    return "header" if key in one.get("parameters", []) else ""


def _success(root: Json, one: Json) -> Json:
    responses = one["responses"]
    return _resolved(root, responses.get("200") or responses.get("202") or {})


def _json_of(response: Json) -> Optional[Json]:
    content = response.get("content", {})
    schema: Optional[Json] = content.get("application/json", {}).get("schema")
    return schema


def _hoisted(schemas: Json, schema: Optional[Json], name: str) -> Optional[str]:
    """The name of a schema, which gets this one when it stands in the operation itself."""
    if schema is None:
        return None
    if set(schema) == {"$ref"}:
        return _model_name(str(schema["$ref"]).split("/")[-1])
    schemas[name] = schema
    return name


def _body(root: Json, one: Json, name: str) -> Tuple[Optional[str], bool]:
    request = _resolved(root, one.get("requestBody") or {})
    schema = _json_of(request)
    if schema is None:
        return None, False
    whole = dict(_resolved(root, schema))
    # The client makes the idempotencyKey where the caller gives none.
    whole["required"] = [n for n in whole.get("required", []) if n != "idempotencyKey"]
    owner = str(one.get("x-owner", ""))
    if owner.startswith("body."):
        # The client fills in the signer's own account.
        whole["required"] = [n for n in whole["required"] if n != owner[5:]]
    schemas: Json = root["components"]["schemas"]
    if _is_free(whole):
        return "dict[str, Any]", True
    schemas[name] = whole
    return f"models.{name}", bool(whole["required"])


def _paged(root: Json, answer: Optional[str], name: str) -> Tuple[Optional[str], str]:
    schemas: Json = root["components"]["schemas"]
    whole = _resolved(root, schemas.get(answer or "", {}))
    properties = whole.get("properties", {})
    metadata = _resolved(root, properties.get("metadata", {})).get("properties", {})
    if "hasMore" not in properties and "nextCursor" not in metadata:
        return None, "Any"
    for member, schema in properties.items():
        found = _resolved(root, schema)
        if found.get("type") == "array":
            item = found.get("items", {})
            if set(item) == {"$ref"}:
                return member, f"models.{_model_name(str(item['$ref']).split('/')[-1])}"
            holder = _named_list(root, schema, properties, member)
            holder["items"] = {"$ref": f"#/components/schemas/{name}"}
            schemas[name] = item
            return member, f"models.{name}"
    return None, "Any"


def _named_list(root: Json, schema: Json, properties: Json, member: str) -> Json:
    """A list of its own for this member, whose items can be named."""
    own = dict(_resolved(root, schema))
    properties[member] = own
    return own


def _fields(root: Json, one: Json) -> List[Field]:
    found = []
    for given in one.get("parameters", []):
        parameter = _resolved(root, given)
        if parameter["in"] not in ("path", "query"):
            continue
        schema = _resolved(root, parameter.get("schema", {}))
        kinds = {"integer": "int", "number": "float", "boolean": "bool"}
        annotation = kinds.get(str(schema.get("type")), "str")
        values = schema.get("enum")
        if values:
            annotation = f"Literal[{', '.join(repr(value) for value in values)}]"
        is_owner = one.get("x-owner") == f"{parameter['in']}.{parameter['name']}"
        required = bool(parameter.get("required")) and not is_owner
        found.append(Field(parameter["name"], parameter["in"], required, annotation))
    return sorted(found, key=lambda field: not field.required)


def _resolved(root: Json, given: Json) -> Json:
    if "$ref" not in given:
        return given
    at: Any = root
    for name in str(given["$ref"]).split("/")[1:]:
        at = at[name]
    target = _resolved(root, at)
    beside = {name: value for name, value in given.items() if name != "$ref"}
    return {**target, **beside} if beside else target


def _title(word: str) -> str:
    return word[:1].upper() + word[1:]


def _model_name(name: str) -> str:
    """As datamodel-code-generator writes a class."""
    return _title(re.sub(r"\W|_", "", name))


def _snake(word: str) -> str:
    snake = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", word).lower()
    return f"{snake}_" if keyword.iskeyword(snake) else snake


def _table(root: Json) -> str:
    """Operations as data, for commands: each field with its place and the JSON type that it takes."""
    table: Json = {}
    for path, methods in root["paths"].items():
        for method, one in methods.items():
            if method not in ("get", "post"):
                continue
            fields = [
                (field.name, field.place, "text" if field.annotation == "str" else "json")
                for field in _fields(root, one)
            ]
            body = _json_of(_resolved(root, one.get("requestBody") or {})) or {}
            for name, schema in _resolved(root, body).get("properties", {}).items():
                kind = _resolved(root, schema).get("type")
                fields.append((name, "body", "text" if kind == "string" else "json"))
            table[one["operationId"]] = (
                method.upper(), path, one["summary"], one.get("x-owner", ""), tuple(fields)
            )
    rows = "".join(f"    {name!r}: {row!r},\n" for name, row in sorted(table.items()))
    return (
        f"{HEAD}from typing import Dict, Tuple\n\n"
        "Field = Tuple[str, str, str]\nRow = Tuple[str, str, str, str, Tuple[Field, ...]]\n"
        f"OPERATIONS: Dict[str, Row] = {{\n{rows}}}\n"
    )


def _module(operations: List[Operation], is_async: bool) -> str:
    areas = sorted({one.area for one in operations})
    caller = "AsyncCaller" if is_async else "SyncCaller"
    api = "AsyncApi" if is_async else "SyncApi"
    iterator = "AsyncIterator" if is_async else "Iterator"
    lines = [
        HEAD, "from __future__ import annotations\n\n",
        f"from typing import Any, {iterator}, Literal\n\n",
        "from .. import _call\nfrom . import models\n\n",
    ]
    for area in areas:
        lines.append(f"\nclass {_title(area)}:\n    def __init__(self, caller: _call.{caller}) -> None:\n")
        lines.append("        self._caller = caller\n")
        lines += [_method(one, is_async) for one in operations if one.area == area]
    lines.append(f"\nclass {api}:\n    def __init__(self, caller: _call.{caller}) -> None:\n")
    lines += [f"        self.{_snake(area)} = {_title(area)}(caller)\n" for area in areas]
    return "".join(lines)


def _method(one: Operation, is_async: bool) -> str:
    given = [f"{_snake(field.name)}: {field.annotation}" for field in one.fields if field.required]
    kept = [
        f"{_snake(field.name)}: {field.annotation} | None = None"
        for field in one.fields if not field.required
    ]
    words = ["self"]
    if one.body is not None:
        words.append(f"body: {one.body}{'' if one.body_required else ' | None = None'}")
    if given or kept:
        words += ["*", *given, *kept]
    places = {
        place: "{" + ", ".join(
            f"{field.name!r}: {_snake(field.name)}" for field in one.fields if field.place == place
        ) + "}"
        for place in ("path", "query")
    }
    body_word = "body" if one.body is not None else "None"
    call = (
        f"_call.Call({one.method!r}, {one.path!r}, {places['path']}, {places['query']},"
        f" {body_word}, {one.owner!r}, {one.auth!r}, {one.once!r})"
    )
    prefix, wait = ("async ", "await ") if is_async else ("", "")
    is_typed = one.answer.startswith("models.")
    asked = f"call({call}, {one.answer})" if is_typed else f"read({call})"
    text = (
        f"\n    {prefix}def {_snake(one.verb)}({', '.join(words)}) -> {one.answer}:\n"
        f'        """{one.summary}. ``{one.method} {one.path}``"""\n'
        f"        return {wait}self._caller.{asked}\n"
    )
    if one.list_name is None:
        return text
    iterator = "AsyncIterator" if is_async else "Iterator"
    loop = "async for" if is_async else "for"
    return text + (
        f"\n    {prefix}def iter_{_snake(one.verb)}({', '.join(words)}) -> {iterator}[{one.item}]:\n"
        f'        """Every element over all pages of ``{one.area}.{one.verb}``."""\n'
        f"        {loop} page in self._caller.pages({call}, {one.answer}):\n"
        f"            for item in page.{_snake_member(one.list_name)} or ():\n"
        f"                yield item\n"
    )


def _snake_member(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    generate(here.parents[1] / "generated" / "openapi.json", here / "src/agent_exchange/generated")
