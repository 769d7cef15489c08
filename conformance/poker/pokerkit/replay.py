"""Replays hands of the engine (hands.ts) with PokerKit, and compares whatever both know.

Every turn: who acts, what a call costs, and the least and largest raise. At the end: the pots that
more than one can win, their winners, and every stack. The two part in three places, each told by
what PokerKit itself has, counted, and nowhere else:

reopened    PokerKit reopens for the whole table, also to who does not face a full raise (TDA 47-A)
idle checks PokerKit asks the big blind for a check when all others are all in for less
odd chips   PokerKit gives all odd chips of a pot to one winner; stacks may differ by those alone
"""

import json
import sys
from collections import Counter

from pokerkit import Automation, NoLimitTexasHoldem

BLINDS = (50, 100)
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
)


class Differs(Exception):
    """The hands are not the same."""


def same(what, ours, theirs):
    if ours != theirs:
        raise Differs(f"{what}: {ours} here, {theirs} in PokerKit")


def started(hand):
    stacks = hand["stacks"]
    state = NoLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, BLINDS, BLINDS[1], stacks, len(stacks)
    )
    for hole in hand["holes"]:
        state.deal_hole(hole)
    return state


def raise_of(state):
    least = state.min_completion_betting_or_raising_to_amount
    if least is None:
        return None
    return [least, state.max_completion_betting_or_raising_to_amount]


class Street:
    """TDA 47-A by itself: who acted may raise again once the bet grew by a full raise since."""

    def __init__(self):
        self.index = None
        self.full = BLINDS[1]
        self.faced = {}

    def enter(self, index):
        if index == self.index:
            return
        self.index = index
        self.full = BLINDS[1]
        self.faced = {}

    def is_closed(self, actor, bet):
        return actor in self.faced and bet - self.faced[actor] < self.full

    def acted(self, actor, before, after):
        if after - before >= self.full:
            self.full = after - before
        self.faced[actor] = after


def parting_of(state, street, ours, theirs):
    """The known place in which the raises may differ, or None."""
    actor = state.actor_index
    if ours is None and theirs is not None:
        return "reopened" if street.is_closed(actor, max(state.bets)) else None
    return None


def take(state, street, turn, counts):
    same("on turn", turn["place"], state.actor_index)
    same("call", turn["call"], state.checking_or_calling_amount)
    street.enter(state.street_index)
    ours, theirs = turn["raise"], raise_of(state)
    if ours != theirs:
        parting = parting_of(state, street, ours, theirs)
        if parting is None:
            same("raise", ours, theirs)
        counts[parting] += 1
    counts["moves"] += 1
    before = max(state.bets)
    if turn["move"] == "fold":
        state.fold()
    elif turn["move"] == "call":
        state.check_or_call()
    else:
        state.complete_bet_or_raise_to(turn["to"])
    after = before if turn["to"] is None else turn["to"]
    street.acted(turn["place"], before, after)


def step(state, board):
    """One thing that is due beside the moves: cards turned, hands shown."""
    if state.can_burn_card():
        state.burn_card("??")
    elif state.can_show_or_muck_hole_cards():
        state.show_or_muck_hole_cards(True)
    elif state.can_deal_board():
        count = state.board_dealing_count
        state.deal_board("".join(board[:count]))
        del board[:count]
    else:
        return False
    return True


def winners_of(state, eligible):
    """Who has the best hand; PokerKit itself pays pots together once beaten hands are killed."""
    hands = {i: state.get_hand(i, 0, 0) for i in eligible}
    best = max(hands.values())
    return [i for i in eligible if hands[i] == best]


def finish(state, hand, counts):
    contested = [
        (pot.amount, list(pot.player_indices)) for pot in state.pots if len(pot.player_indices) > 1
    ]
    same("pots", [(pot["amount"], pot["eligible"]) for pot in hand["pots"]], contested)
    board = list(hand["board"][sum(len(cards) for cards in state.board_cards) :])
    while step(state, board):
        pass
    winners = [winners_of(state, eligible) for _, eligible in contested]
    same("winners", [pot["winners"] for pot in hand["pots"]], winners)
    while state.can_kill_hand():
        state.kill_hand()
    while state.can_push_chips():
        state.push_chips()
    while state.can_pull_chips():
        state.pull_chips()
    same("over", False, state.status)
    odd = sum(pot["amount"] % len(pot["winners"]) for pot in hand["pots"])
    for place, (mine, theirs) in enumerate(zip(hand["after"], state.stacks)):
        if abs(mine - theirs) > odd:
            raise Differs(f"stack of {place}: {mine} here, {theirs} in PokerKit, odd {odd}")
    same("chips", sum(hand["stacks"]), sum(state.stacks))
    counts["odd chips"] += 1 if odd > 0 else 0
    counts["showdowns"] += 1 if contested else 0
    counts["side pots"] += 1 if len(contested) > 1 else 0


def replay(hand, counts):
    state = started(hand)
    board = list(hand["board"])
    street = Street()
    for turn in hand["turns"]:
        while state.actor_index is None and step(state, board):
            pass
        take(state, street, turn, counts)
    if state.actor_index is not None:
        same("left to decide", 0, state.checking_or_calling_amount)
        same("left to raise", None, raise_of(state))
        counts["idle checks"] += 1
        state.check_or_call()
    finish(state, hand, counts)


def main():
    expected = int(sys.argv[1])
    counts = Counter()
    hands = 0
    for line in sys.stdin:
        hand = json.loads(line)
        try:
            replay(hand, counts)
        except (Differs, ValueError) as error:
            print(f"hand {hands}: {error}\n{line}")
            return 1
        hands += 1
    told = ", ".join(f"{name} {counts[name]}" for name in sorted(counts))
    print(f"{hands} hands are the same in PokerKit: {told}")
    enough = hands == expected and counts["showdowns"] > hands // 10 and counts["side pots"] > 0
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
