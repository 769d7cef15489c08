"""Proofs of inclusion and of consistency (RFC 6962 2.1, spec/BYTES.md 2, spec/LOG.md)."""

from __future__ import annotations

import hashlib
from typing import Optional, Sequence, Tuple


def root_from(data: bytes, index: int, leaves: int, path: Sequence[bytes]) -> Optional[bytes]:
    """The root that the data of a leaf lead to; None when the path has not that leaf's length.

    ``index`` is below ``leaves``; the path begins beside the leaf.
    """
    found = hashlib.sha256(b"\x00" + data).digest()
    place, last = index, leaves - 1
    for beside in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            found = hashlib.sha256(b"\x01" + beside + found).digest()
            # The last of an odd level rises unpaired until it has a neighbour on its left.
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            found = hashlib.sha256(b"\x01" + found + beside).digest()
        place, last = place >> 1, last >> 1
    return found if last == 0 else None


Tree = Tuple[int, bytes]


def is_consistent(before: Tree, after: Tree, path: Sequence[bytes]) -> bool:
    """Whether a tree begins with an earlier one (RFC 9162 2.1.4.2)."""
    (size, root), (later, later_root) = before, after
    if size > later:
        return False
    if size == later:
        return not path and root == later_root
    if size == 0:
        return not path
    place, last = size - 1, later - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    # A whole subtree of the smaller tree is its root, which the proof leaves out.
    walk = [root, *path] if place == 0 else list(path)
    if not walk:
        return False
    old = now = walk[0]
    for beside in walk[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            old = hashlib.sha256(b"\x01" + beside + old).digest()
            now = hashlib.sha256(b"\x01" + beside + now).digest()
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            now = hashlib.sha256(b"\x01" + now + beside).digest()
        place, last = place >> 1, last >> 1
    return last == 0 and old == root and now == later_root
