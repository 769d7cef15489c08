"""Holds the Python samples of the contract's page against the methods that codegen.py makes."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Dict, List

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "clients" / "python"))
import codegen  # noqa: E402


def members_of(root: codegen.Json, schema: codegen.Json) -> List[str]:
    """Names of fields, also of those that only one of several forms has."""
    whole = codegen._resolved(root, schema)
    forms = [one for word in ("oneOf", "anyOf", "allOf") for one in whole.get(word, [])]
    return [*whole.get("properties", {}), *(n for one in forms for n in members_of(root, one))]


def faults_of(text: str, operation: codegen.Operation, bodies: Dict[str, List[str]]) -> List[str]:
    statement = ast.parse(text).body[0]
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return ["it is no call"]
    call = statement.value
    method = f"hub.{codegen._snake(operation.area)}.{codegen._snake(operation.verb)}"
    if ast.unparse(call.func) != method:
        return [f"it calls {ast.unparse(call.func)}, not {method}"]
    faults = []
    names = {codegen._snake(field.name): field for field in operation.fields}
    given = {word.arg for word in call.keywords}
    faults += [f"no argument {name}" for name in given - set(names)]
    faults += [f"it lacks {n}" for n, field in names.items() if field.required and n not in given]
    if operation.body is None or (not call.args and not operation.body_required):
        return faults + (["it takes no body"] if call.args and operation.body is None else [])
    body = call.args[0]
    if operation.body == "dict[str, Any]":
        return faults + ([] if isinstance(body, ast.Dict) else ["its body is no dict"])
    if not isinstance(body, ast.Call):
        return [*faults, "its body is no model"]
    made = ast.unparse(body.func)
    is_whole = made == f"{operation.body}.model_validate"
    if not is_whole and made != operation.body:
        return [*faults, f"its body is {made}, not {operation.body}"]
    if is_whole:
        members = {str(ast.literal_eval(key)) for key in body.args[0].keys}
    else:
        members = {str(word.arg) for word in body.keywords}
    return faults + [f"no field {name}" for name in members - set(bodies[operation.body])]


def main() -> None:
    root = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    operations = {f"{one.area}.{one.verb}": one for one in codegen._operations(root)}
    bodies = {
        f"models.{name}": members_of(root, schema)
        for name, schema in root["components"]["schemas"].items()
    }
    given = json.load(sys.stdin)
    ast.parse(given["setup"])
    for sample in given["samples"]:
        for fault in faults_of(sample["text"], operations[sample["id"]], bodies):
            print(f"{sample['id']}: {fault}")
    print(f"{len(given['samples'])} calls read")


if __name__ == "__main__":
    main()
