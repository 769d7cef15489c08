"""Answers the cases of the pair suite: one JSON line in, one out.

The first line is the list of key lists. A case is ``{"keys": place, "text": text}``; its value is read
as most callers would, with ``json.loads`` alone. ``{"read": text}`` asks whether the strict reader
takes the text, and answers its value.
"""

import json
import sys

from agent_exchange import verify
from agent_exchange._ijson import parse_ijson


def answer(case, key_lists):
    if "read" in case:
        try:
            return {"ok": True, "value": parse_ijson(case["read"].encode("utf-8", "surrogatepass"))}
        except ValueError:
            return {"ok": False}
    try:
        return verify.file(json.loads(case["text"]), key_lists[case["keys"]]).as_dict()
    except TypeError as error:
        return {"error": str(error)}


def main():
    key_lists = json.loads(sys.stdin.readline())
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), key_lists)), flush=False)


main()
