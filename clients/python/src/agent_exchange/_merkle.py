"""Walks an audit path from a leaf to the root (RFC 6962 2.1.1, spec/BYTES.md 2)."""

from __future__ import annotations

import hashlib
from typing import Optional, Sequence


def root_from(data: bytes, index: int, leaves: int, path: Sequence[bytes]) -> Optional[bytes]:
    """The root that a leaf's 32 bytes lead to; None when the path has not that leaf's length.

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
