"""Writes generated pairs of JSON Schema and value with the verdict of `jsonschema`, a line each.

Values are drawn from a small set, so that schemas of a few keywords accept about half of them.
Decimals are multiples of a quarter, which doubles hold exactly, because `jsonschema` divides them.
"""
import json
import random
import sys

from jsonschema import Draft7Validator, Draft202012Validator

COUNT, SEED = int(sys.argv[1]), int(sys.argv[2])
PICK = random.Random(SEED)
NAMES = ["a", "b", "c", "aa", "ab"]
TEXTS = ["", "a", "b", "ab", "abc", "aab", "\u00e9", "\U0001f600", "0"]
NUMBERS = [-2, -1, 0, 1, 2, 3, 4, 6, 0.5, 1.25, 2.5, 1.0, -0.75, 1e3]
PATTERNS = ["^a", "b$", "a+b", "^[ab]*$", "^.$", "c|^$", "^(a|ab){1,2}$"]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]


def value(depth=3):
    kinds = "nbistt" + ("llloooo" if depth > 0 else "")
    kind = PICK.choice(kinds)
    if kind == "n":
        return None
    if kind == "b":
        return PICK.choice([True, False])
    if kind in "is":
        return PICK.choice(NUMBERS)
    if kind == "t":
        return PICK.choice(TEXTS)
    if kind == "l":
        return [value(depth - 1) for _ in range(PICK.randrange(4))]
    return {name: value(depth - 1) for name in PICK.sample(NAMES, PICK.randrange(4))}


def schemas(depth):
    return [schema(depth) for _ in range(PICK.randrange(1, 4))]


def members(depth, names=NAMES):
    return {name: schema(depth) for name in PICK.sample(names, PICK.randrange(1, 4))}


def names():
    return PICK.sample(NAMES, PICK.randrange(1, 3))


def number():
    return PICK.choice(NUMBERS)


COMMON = {
    "type": lambda d: PICK.choice([PICK.choice(TYPES), PICK.sample(TYPES, 2)]),
    "enum": lambda d: [value(1) for _ in range(PICK.randrange(1, 5))],
    "const": lambda d: value(2),
    "multipleOf": lambda d: PICK.choice([1, 2, 3, 0.5, 0.25, 1.25]),
    "maximum": lambda d: number(),
    "minimum": lambda d: number(),
    "exclusiveMaximum": lambda d: number(),
    "exclusiveMinimum": lambda d: number(),
    "maxLength": lambda d: PICK.randrange(4),
    "minLength": lambda d: PICK.randrange(3),
    "pattern": lambda d: PICK.choice(PATTERNS),
    "maxItems": lambda d: PICK.randrange(4),
    "minItems": lambda d: PICK.randrange(3),
    "uniqueItems": lambda d: PICK.choice([True, True, False]),
    "maxProperties": lambda d: PICK.randrange(4),
    "minProperties": lambda d: PICK.randrange(3),
    "required": lambda d: names(),
    "properties": lambda d: members(d),
    "patternProperties": lambda d: members(d, PATTERNS),
    "additionalProperties": lambda d: schema(d),
    "propertyNames": lambda d: schema(d),
    "contains": lambda d: schema(d),
    "allOf": lambda d: schemas(d),
    "anyOf": lambda d: schemas(d),
    "oneOf": lambda d: schemas(d),
    "not": lambda d: schema(d),
    "if": lambda d: schema(d),
}
OF_2020 = {
    "prefixItems": lambda d: schemas(d),
    "items": lambda d: schema(d),
    "minContains": lambda d: PICK.randrange(3),
    "maxContains": lambda d: PICK.randrange(1, 3),
    "dependentRequired": lambda d: {PICK.choice(NAMES): names()},
    "dependentSchemas": lambda d: members(d),
    "unevaluatedItems": lambda d: PICK.choice([False, schema(d)]),
    "unevaluatedProperties": lambda d: PICK.choice([False, schema(d)]),
}
OF_07 = {
    "items": lambda d: PICK.choice([schema(d), schemas(d)]),
    "additionalItems": lambda d: schema(d),
    "dependencies": lambda d: {PICK.choice(NAMES): PICK.choice([names(), schema(d)])},
}
NEEDED = {
    "minContains": "contains",
    "maxContains": "contains",
    "additionalItems": "items",
}
DRAFT = {}


def schema(depth=3):
    if depth <= 0 or PICK.random() < 0.15:
        return PICK.choice([True, False, {}, {"type": PICK.choice(TYPES)}])
    if PICK.random() < 0.06:
        return {"$ref": "#/$defs/one"}
    table = {**COMMON, **DRAFT["keywords"]}
    chosen = PICK.sample(sorted(table), PICK.randrange(1, 4))
    chosen += [NEEDED[name] for name in chosen if name in NEEDED]
    made = {name: table[name](depth - 1) for name in dict.fromkeys(chosen)}
    if "additionalItems" in made and isinstance(made["items"], bool):
        # `jsonschema` asks such a schema for its length.
        made["items"] = [made["items"]]
    if "if" in made:
        for name in PICK.sample(["then", "else"], PICK.randrange(3)):
            made[name] = schema(depth - 1)
    return made


def pair():
    is_new = PICK.random() < 0.7
    DRAFT["keywords"] = OF_2020 if is_new else OF_07
    uri = (
        "https://json-schema.org/draft/2020-12/schema"
        if is_new
        else "http://json-schema.org/draft-07/schema#"
    )
    root = schema()
    root = root if isinstance(root, dict) else {"allOf": [root]}
    one = {"type": PICK.choice(TYPES)}
    body = {"allOf": [root]} if "$ref" in root and not is_new else root
    return {"$schema": uri, "$defs": {"one": one}, **body}


made = 0
while made < COUNT:
    given = pair()
    checker = Draft202012Validator if "2020" in given["$schema"] else Draft7Validator
    for _ in range(2):
        instance = value()
        line = {"schema": given, "value": instance, "valid": checker(given).is_valid(instance)}
        print(json.dumps(line))
        made += 1
