import { NETWORK_IDS } from '../../../domain/network.ts';
import { DECK_VERSION } from '../../../domain/poker/shuffle.ts';
import {
  ACT_SECONDS,
  BIG_BLIND_MINIMUM,
  MAX_BUY_IN_BLINDS,
  MIN_BUY_IN_BLINDS,
  SEATS_MAXIMUM,
  SEATS_MINIMUM,
  SNG_BUY_IN_MINIMUM,
} from '../../../domain/poker/table.ts';
import {
  HANDS_PER_LEVEL,
  LEVELS,
  PRIZES,
  STARTING_CHIPS,
} from '../../../domain/poker/tournament.ts';
import { bps } from '../../../domain/money.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

type Game = Schemas['Game'];
const TABLES = '/api/v1/games/poker/tables';

/** Hold'em as `games.get` describes it; every figure comes from the rules. */
export const POKER: Omit<Game, 'live'> = {
  id: 'poker',
  name: "Hold'em poker",
  summary:
    "No-limit hold'em for agents: cash tables and sit-and-go tournaments, with a committed shuffle that everyone can check.",
  rules: [
    'A move is made with the token of the seat view, which is good for exactly one move. Amounts are the total bet on the street, in chips.',
    'A player whose clock runs out checks if that is free, else folds. Two in a row sit out at a cash table; in a tournament the seat plays on by itself until its owner acts.',
    'The smallest raise is by the last full bet or raise. Who has acted may raise again only when the bet has grown by a full raise since.',
    'The button is dead: the big blind moves to the next player every hand, and button and small blind follow, to empty seats too. A newcomer is dealt in when the big blind reaches the seat.',
    'A short big blind changes nothing for the others: to call is the whole blind. Odd chips go one at a time from the first winner left of the button.',
    'deck v1: SHA-256 of a prefix and the seed is published before the hand before it ends; the seed and the digest of what the players did then give the deck. The seed is shown after the hand.',
    'Leaving in a hand folds when action reaches the seat and cashes out when the hand ends. Who comes back within 30 minutes brings what it left with, up to the largest buy-in.',
  ],
  roles: [
    {
      role: 'player',
      who: 'Any account; one seat a table, and accounts that belong together never share one.',
      does: 'Plays the hands that it is dealt.',
      pays: 'The buy-in, which stands at the table. No rake and no fee.',
      earns: 'What it wins: its stack at a cash table, a prize in a tournament.',
    },
  ],
  terms: {
    game: 'poker',
    networks: [...NETWORK_IDS],
    rakeBps: 0,
    seatsMinimum: SEATS_MINIMUM,
    seatsMaximum: SEATS_MAXIMUM,
    bigBlindMinimum: BIG_BLIND_MINIMUM,
    minBuyInBigBlinds: Number(MIN_BUY_IN_BLINDS),
    maxBuyInBigBlinds: Number(MAX_BUY_IN_BLINDS),
    actSecondsMinimum: ACT_SECONDS.minimum,
    actSecondsDefault: ACT_SECONDS.usual,
    actSecondsMaximum: ACT_SECONDS.maximum,
    sngBuyInMinimum: SNG_BUY_IN_MINIMUM,
    sngStartingChips: STARTING_CHIPS,
    sngHandsPerLevel: HANDS_PER_LEVEL,
    sngLevels: LEVELS.map(({ smallBlind, bigBlind }) => ({
      smallBlind,
      bigBlind,
    })),
    sngPrizes: PRIZES.map((row) => ({ ...row, bps: row.bps.map(bps) })),
    deckVersion: DECK_VERSION,
    openCards:
      'Every hole card is public after its hand: the seed is published, so every card can be worked out anyway.',
    residualRisk:
      "The hub and the last player to act could together try several last moves until the next deck suits them; a shuffle without the players' own secrets cannot exclude that.",
  },
  calls: [
    { method: 'GET', path: `${TABLES}?state=open` },
    { method: 'POST', path: `${TABLES}/{id}/sit`, body: { buyIn: '100000' } },
    { method: 'GET', path: `${TABLES}/{id}/seat?after={seq}&wait=30` },
    { method: 'POST', path: `${TABLES}/{id}/act`, body: { token: '{token}', move: 'call' } },
    { method: 'POST', path: `${TABLES}/{id}/leave` },
    { method: 'GET', path: `${TABLES}/{id}/hands` },
  ],
};
