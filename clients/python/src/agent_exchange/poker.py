"""Checks published hold'em hands without the hub (spec/BYTES.md, deck v1).

The commitment, the entropy, the deck, the cards that were dealt, the pots, and that those who won
had the best hands. ``verify_hands`` answers None, or the first fault as (hand, fault, says).
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from itertools import combinations
from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence, Tuple

RANKS = "23456789TJQKA"
SUITS = "cdhs"
Hand = Mapping[str, Any]
Fault = Tuple[int, str, str]


def verify_hands(table_id: str, hands: Sequence[Hand]) -> Optional[Fault]:
    """Hands of one table in the order of their numbers, each the next of the one before."""
    before: Optional[Hand] = None
    for hand in hands:
        fault = _shuffle(table_id, hand, before) or (_void(hand) if hand["voided"] else _pots(hand))
        if fault is not None:
            return (hand["n"], *fault)
        before = hand
    return None


def deck_of(seed: bytes, table_id: str, n: int, entropy: str) -> Sequence[str]:
    """The deck in the order in which it is dealt."""
    label = f"hub/poker/deck/v1|{table_id}|{n}|{entropy}".encode()
    words = _words(_hmac(seed, label))
    deck = [RANKS[card % 13] + SUITS[card // 13] for card in range(52)]
    for last in range(51, 0, -1):
        limit = 2**32 // (last + 1) * (last + 1)
        word = next(words)
        while word >= limit:
            word = next(words)
        other = word % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def commit_to(seed: bytes) -> str:
    return hashlib.sha256(b"hub/poker/commit/v1|" + seed).hexdigest()


def _words(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        data = _hmac(key, block.to_bytes(4, "big"))
        for at in range(0, 32, 4):
            yield int.from_bytes(data[at : at + 4], "big")
        block += 1


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def _digest(value: Any) -> str:
    # RFC 8785: these records hold strings, whole numbers and booleans, with ASCII member names.
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _shuffle(table_id: str, hand: Hand, before: Optional[Hand]) -> Optional[Tuple[str, str]]:
    seed = bytes.fromhex(hand["seed"])
    if commit_to(seed) != hand["commit"]:
        return ("commit", "The seed is not the one that was committed to.")
    if before is not None and before["n"] + 1 != hand["n"]:
        return ("entropy", f"Hand {hand['n']} does not follow hand {before['n']}.")
    record: Any = None
    if before is not None:
        record = {name: before[name] for name in ("actions", "players", "results")}
    elif hand["n"] == 1:
        record = hand.get("sat", [])
    if record is not None and _digest(record) != hand["entropy"]:
        return ("entropy", "The entropy is not the digest of what went before.")
    deck = deck_of(seed, table_id, hand["n"], hand["entropy"])
    seats = _clockwise((player["seat"] for player in hand["players"]), hand["button"])
    holes = {hole["seat"]: hole["cards"] for hole in hand["cards"]["holes"]}
    for nth, seat in enumerate(seats):
        if holes.get(seat) != [deck[nth], deck[len(seats) + nth]]:
            return ("deal", f"Seat {seat} was dealt other cards.")
    board = hand["cards"]["board"]
    if list(deck[2 * len(seats) : 2 * len(seats) + len(board)]) != board:
        return ("deal", "The board was another.")
    return None


def _void(hand: Hand) -> Optional[Tuple[str, str]]:
    for player in hand["players"]:
        if player["startStack"] != player["endStack"]:
            return ("stacks", "A seat won or lost in a hand that was cancelled.")
    return None


def _pots(hand: Hand) -> Optional[Tuple[str, str]]:
    paid = _contributions(hand)
    folded = {action["seat"] for action in hand["actions"] if action["move"] == "fold"}
    if sum(paid.values()) != sum(int(pot["amount"]) for pot in hand["pots"]):
        return ("pots", "What went in is not what the pots hold.")
    won: Counter[int] = Counter()
    for pot in hand["pots"]:
        if folded & set(pot["eligible"]):
            return ("pots", "A seat that folded could win a pot.")
        got = {winner["seat"]: int(winner["amount"]) for winner in pot["winners"]}
        if got != _shares(hand, pot):
            return ("winners", f"A pot of {pot['amount']} goes elsewhere.")
        won.update(got)
    for player in hand["players"]:
        seat = player["seat"]
        if int(player["startStack"]) - paid[seat] + won[seat] != int(player["endStack"]):
            return ("stacks", f"Seat {seat} ends with another stack.")
    return None


def _shares(hand: Hand, pot: Mapping[str, Any]) -> Mapping[int, int]:
    holes = {hole["seat"]: hole["cards"] for hole in hand["cards"]["holes"]}
    eligible = pot["eligible"]
    board = hand["cards"]["board"]
    worth = {seat: (0,) if len(eligible) == 1 else _best(holes[seat] + board) for seat in eligible}
    best = max(worth.values())
    winners = _clockwise((seat for seat in eligible if worth[seat] == best), hand["button"])
    part, odd = divmod(int(pot["amount"]), len(winners))
    return {seat: part + (nth < odd) for nth, seat in enumerate(winners)}


def _contributions(hand: Hand) -> Counter[int]:
    streets: dict[str, dict[int, int]] = {}
    for action in hand["actions"]:
        streets.setdefault(action["street"], {})[action["seat"]] = int(action["bet"])
    paid: Counter[int] = Counter()
    for bets in streets.values():
        top, second = (sorted(bets.values(), reverse=True) + [0])[:2]
        for seat, bet in bets.items():
            paid[seat] += second if bet == top and top > second else bet
    return paid


def _clockwise(seats: Iterable[int], position: int) -> Sequence[int]:
    return sorted(seats, key=lambda seat: (seat <= position, seat))


def _best(cards: Sequence[str]) -> Tuple[int, ...]:
    return max(_worth(five) for five in combinations(cards, 5))


def _worth(five: Sequence[str]) -> Tuple[int, ...]:
    counts = Counter(RANKS.index(card[0]) for card in five)
    groups = sorted(counts.items(), key=lambda group: (-group[1], -group[0]))
    order = tuple(rank for rank, _ in groups)
    sizes = tuple(count for _, count in groups)
    flush = len({card[1] for card in five}) == 1
    ranks = sorted(counts, reverse=True)
    high = 0
    if len(ranks) == 5:
        if ranks[0] - ranks[4] == 4:
            high = ranks[0]
        elif ranks[:2] == [12, 3]:
            high = 3
    if flush and high:
        return (8, high)
    shapes = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    shape = shapes.get(sizes, 0)
    if shape >= 6:
        return (shape, *order)
    if flush:
        return (5, *order)
    if high:
        return (4, high)
    return (shape, *order)
