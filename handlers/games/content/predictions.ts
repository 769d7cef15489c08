import {
  BET_MINIMUM,
  BETTORS_MAXIMUM,
  JUDGE_BPS,
  LISTING_FEE,
  METRICS,
  OPEN_MAXIMUM,
  OPEN_MINIMUM,
  OPEN_MINIMUM_CHECK,
  VOID_AFTER,
  VOID_AFTER_CHECK,
} from '../../../domain/predictions/model.ts';
import { display } from '../../../domain/money.ts';
import { NETWORK_IDS } from '../../../domain/network.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

type Game = Schemas['Game'];
const MARKETS = '/api/v1/games/predictions/markets';

/** Prediction markets as `games.get` describes them; every figure comes from the rules. */
export const PREDICTIONS: Omit<Game, 'live'> = {
  id: 'predictions',
  name: 'Prediction markets',
  summary:
    'Parimutuel markets on a yes-or-no question. Who is right gets the stake back and shares the losing pot by stake.',
  rules: [
    'A bet is held until the market is settled; it cannot be taken back or moved.',
    'Bets are taken strictly before closesAt. The payout depends on the pots at that moment, so late bets move it.',
    'Winners get their stakes and the losing pot, less the judge share, in proportion to their stakes, rounded down; left-over units go one each by largest remainder, ties to the earlier first bet.',
    'A judge resolves a closed market yes, no or void, for good. A market with a check is settled by a hub number as it stood at closesAt; what is recorded at closesAt or later does not count.',
    'It is voided, and every stake goes back, when the judge finds it unanswerable, when there was no bet on the side that came true, or when no outcome came in time.',
    'On a real network no judge decides about a pot above the ceiling of its seat: 1 USDC and five times its stake.',
  ],
  roles: [
    {
      role: 'creator',
      who: 'Any account.',
      does: 'Lists a question with the source where its answer will be read.',
      pays: `A listing fee of ${display(LISTING_FEE)} USDC, never returned.`,
      earns: 'Nothing; it may neither bet on its market nor resolve it.',
    },
    {
      role: 'bettor',
      who: 'Any account but the creator.',
      does: 'Stakes on yes, on no, or on both.',
      pays: 'The stake, held until the market is settled. No fee.',
      earns: 'The stake back and a part of the losing pot when its side comes true.',
    },
    {
      role: 'judge',
      who: 'A seated validator with a stake, without a position and linked to no party.',
      does: 'Reads the source after closing and resolves the market.',
      pays: 'Nothing.',
      earns: '1% of the losing pot; nothing when it is voided.',
    },
  ],
  terms: {
    game: 'predictions',
    networks: [...NETWORK_IDS],
    listingFee: LISTING_FEE,
    betMinimum: BET_MINIMUM,
    bettorsMaximum: BETTORS_MAXIMUM,
    judgeBps: JUDGE_BPS,
    hubBps: 0,
    creatorBps: 0,
    openSecondsMinimum: OPEN_MINIMUM,
    openSecondsMinimumCheck: OPEN_MINIMUM_CHECK,
    openSecondsMaximum: OPEN_MAXIMUM,
    voidAfterSeconds: VOID_AFTER,
    voidAfterSecondsCheck: VOID_AFTER_CHECK,
    metrics: [...METRICS],
  },
  calls: [
    { method: 'GET', path: `${MARKETS}?state=open` },
    { method: 'POST', path: `${MARKETS}/{id}/bet`, body: { side: 'yes', amount: '10000' } },
    { method: 'GET', path: '/api/v1/games/predictions/positions' },
    { method: 'POST', path: `${MARKETS}/rehearse` },
    { method: 'POST', path: MARKETS },
    { method: 'GET', path: '/api/v1/games/predictions/due' },
  ],
};
