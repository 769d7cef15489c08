import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { MARKETS } from '../../db/predictions/markets.ts';
import {
  BETS,
  POSITIONS,
  type StoredBet,
  type StoredPosition,
} from '../../db/predictions/positions.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { commitmentId, type CommitmentId, type Step } from '../../domain/ledger/transfer.ts';
import { closedBy, placeBet, type Bet } from '../../domain/predictions/change.ts';
import type { Market } from '../../domain/predictions/model.ts';
import type { Atomic } from '../../domain/money.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { move } from '../wallet/transfer.ts';
import { noSuchMarket } from './settle.ts';

/** A bet: the market counts it and its side's hold grows by it, in one transaction. */
export interface PlacedBet {
  readonly before: Market;
  readonly market: Market;
  readonly held: StoredPosition;
  readonly bet: StoredBet;
  readonly spendableAfter: bigint;
}

/** Returns the known reads of `takeBet`; the account's network is that of the market. */
export function readsOfBet(marketId: string, account: Account): readonly Need[] {
  return [need(MARKETS, marketId), need(POSITIONS, { marketId, account })];
}

/** A market takes no bet after its closing time: its row is locked before the clock is read. */
export function takeBet(db: Decider, hub: Hub, marketId: string, asked: Bet): PlacedBet {
  const { account, side, amount } = asked;
  const known = db.find(MARKETS, marketId) ?? noSuchMarket();
  const at = hub.clock.now();
  const before = closedBy(known, at);
  const key = { marketId, account };
  const held = db.find(POSITIONS, key);
  const placed = placeBet(before, held?.position, asked);
  if ('refused' in placed) {
    const { refused, why, field } = placed;
    return refuse(refused, { error: why, ...defined({ field }) });
  }
  const { market, position } = placed;
  const hold = commitmentId(db.newId(hub.ids));
  const staked = { bet: asked, hold, stake: position[side], was: held?.holds[side] };
  const moved = holdStake(db, hub, market, staked);
  const after = {
    marketId,
    position,
    firstBetAt: held?.firstBetAt ?? at,
    holds: { ...held?.holds, [side]: hold },
  };
  const { version, pots } = market;
  const { transferId } = moved;
  const id = db.newId(hub.ids);
  const bet: StoredBet = { id, marketId, version, account, side, amount, pots, transferId, at };
  db.put(MARKETS, marketId, market);
  db.put(POSITIONS, key, after);
  db.insert(BETS, bet, bet);
  return { before, market, held: after, bet, spendableAfter: moved.spendable };
}

interface Staked {
  readonly bet: Bet;
  readonly hold: CommitmentId;
  /** All that the account has on the side with this bet. */
  readonly stake: Atomic;
  /** The commitment that holds the earlier stake. */
  readonly was: CommitmentId | undefined;
}

/** One hold a side: the earlier one is given up for one of the whole stake. */
function holdStake(db: Decider, hub: Hub, market: Market, staked: Staked) {
  const { bet, hold, stake, was } = staked;
  const { account } = bet;
  const reason = 'bet.hold' as const;
  const steps: Step[] = was === undefined ? [] : [{ verb: 'release', commitment: was, reason }];
  steps.push({ verb: 'hold', commitment: hold, account, kind: 'bet', amount: stake, reason });
  const posted = move(db, hub, {
    network: market.network,
    event: 'market.bet',
    ref: { kind: 'market', id: market.id },
    actor: account,
    steps,
  });
  if ('refused' in posted) {
    return refuseFunds(hub, posted, { network: market.network, field: 'body.amount' });
  }
  const balance = posted.balances.get(account);
  if (balance === undefined) throw new Error('a hold touches the balance that it is in');
  return { transferId: posted.transferId, spendable: balance.posted - balance.held };
}
