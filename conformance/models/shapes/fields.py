"""Prints the fields of the chunk types of Python SDKs, read from their source, as JSON.

Nothing is imported or run: a type is what its annotations say. Usage: fields.py < types.json, with
the files and the class of each SDK, whose files are those of this environment.
"""

import ast
import json
import pathlib
import sys
import sysconfig

PLAIN = {
    "str": "string",
    "int": "number",
    "float": "number",
    "bool": "boolean",
    "None": "null",
    "Any": "any",
    "object": "any",
    "builtins.object": "any",
    "JsonValue": "any",
}
LISTS = {"List", "list", "Sequence", "Iterable", "tuple"}
MAPS = {"Dict", "dict", "Mapping"}
WRAPPERS = {"Union", "Optional", "Required", "NotRequired", "ReadOnly", "Annotated", "Final"}


class Types:
    """The classes and type aliases of one SDK by name; a later file does not replace an earlier."""

    def __init__(self, folder, files):
        self.classes, self.aliases = {}, {}
        for pattern in files:
            for path in sorted(folder.glob(pattern)):
                self.read(ast.parse(path.read_text()))

    def read(self, tree):
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                self.classes.setdefault(node.name, node)
            elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
                self.aliases.setdefault(node.target.id, node.value)

    def annotations(self, name):
        """The annotated members of a class and of those that it extends."""
        node = self.classes[name]
        found = {}
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id in self.classes:
                found.update(self.annotations(base.id))
        for each in [*node.body, *conditional(node.body)]:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                if not each.target.id.startswith("_"):
                    found[each.target.id] = each.annotation
        return found

    def walk(self, node, path, above, out):
        """Adds `path kind` for every value that an annotation allows."""
        if isinstance(node, ast.BinOp):
            self.walk(node.left, path, above, out)
            self.walk(node.right, path, above, out)
        elif isinstance(node, ast.Tuple):
            for each in node.elts:
                self.walk(each, path, above, out)
        elif isinstance(node, ast.Subscript):
            self.walk_generic(node, path, above, out)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.walk(ast.parse(node.value, mode="eval").body, path, above, out)
        else:
            self.walk_name(ast.unparse(node), path, above, out)

    def walk_generic(self, node, path, above, out):
        name = ast.unparse(node.value).split(".")[-1]
        if name in LISTS:
            out.add(f"{path} array")
            self.walk(node.slice, f"{path}[]", above, out)
        elif name in MAPS:
            out.add(f"{path} object")
        elif name == "Literal":
            values = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            out.update(f"{path} {json.dumps(each.value)}" for each in values)
        elif name in WRAPPERS:
            if name == "Optional":
                out.add(f"{path} null")
            self.walk(node.slice, path, above, out)
        else:
            raise SystemExit(f"{path}: {ast.unparse(node)} is a form that this program cannot read.")

    def walk_name(self, name, path, above, out):
        if name in PLAIN:
            out.add(f"{path} {PLAIN[name]}")
        elif name in self.aliases:
            self.walk(self.aliases[name], path, above, out)
        elif name in MAPS:
            out.add(f"{path} object")
        elif name not in self.classes:
            out.add(f"{path} any")
        elif name not in above:
            if path:
                out.add(f"{path} object")
            for member, annotation in self.annotations(name).items():
                self.walk(annotation, f"{path}.{member}" if path else member, above | {name}, out)


def conditional(body):
    """Members that only type checkers see."""
    return [each for node in body if isinstance(node, ast.If) for each in node.body]


def main():
    folder = pathlib.Path(sysconfig.get_paths()["purelib"])
    fields = {}
    for sdk, (files, root) in json.load(sys.stdin).items():
        out = set()
        Types(folder, files).walk_name(root, "", frozenset(), out)
        fields[sdk] = sorted(out)
    json.dump(fields, sys.stdout)


main()
