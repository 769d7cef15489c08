import { postInside } from '../../db/ledger/postInside.ts';
import { insertBet, positionOf, savePosition } from '../../db/predictions/positions.ts';
import type { StoredBet, StoredPosition } from '../../db/predictions/positions.ts';
import { updateMarket } from '../../db/predictions/markets.ts';
import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import {
  commitmentId,
  transferId,
  type CommitmentId,
  type Step,
} from '../../domain/ledger/transfer.ts';
import { placeBet, type Bet } from '../../domain/market/change.ts';
import type { Market } from '../../domain/market/model.ts';
import type { Atomic } from '../../domain/money.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { lockSettled } from './settle.ts';

/** A bet: the market counts it and its side's hold grows by it, in one transaction. */
export interface PlacedBet {
  readonly before: Market;
  readonly market: Market;
  readonly held: StoredPosition;
  readonly bet: StoredBet;
  readonly spendableAfter: bigint;
}

export async function takeBet(
  tx: Writer,
  hub: Hub,
  marketId: string,
  asked: Bet,
): Promise<PlacedBet> {
  const { account, side, amount } = asked;
  const at = hub.clock.now();
  const before = await lockSettled(tx, hub, marketId);
  const held = await positionOf(tx, marketId, account);
  const placed = placeBet(before, held?.position, asked);
  if ('refused' in placed) {
    const { refused, why, field } = placed;
    return refuse(refused, { error: why, ...defined({ field }) });
  }
  const { market, position } = placed;
  const hold = commitmentId(hub.ids.uuid());
  const stake = position[side];
  const moved = await holdStake(tx, hub, market, {
    bet: asked,
    hold,
    stake,
    was: held?.holds[side],
  });
  const after: StoredPosition = {
    position,
    firstBetAt: held?.firstBetAt ?? at,
    holds: { ...held?.holds, [side]: hold },
  };
  const bet: StoredBet = {
    id: hub.ids.uuid(),
    marketId,
    version: market.version,
    account,
    side,
    amount,
    pots: market.pots,
    transferId: moved.transferId,
    at,
  };
  await updateMarket(tx, market);
  await savePosition(tx, marketId, after);
  await insertBet(tx, bet);
  return { before, market, held: after, bet, spendableAfter: moved.spendable };
}

interface Staked {
  readonly bet: Bet;
  readonly hold: CommitmentId;
  /** All that the account has on the side with this bet. */
  readonly stake: Atomic;
  /** What holds the stake that it had before. */
  readonly was: CommitmentId | undefined;
}

/** One hold a side: the earlier one is given up for one of the whole stake. */
async function holdStake(tx: Writer, hub: Hub, market: Market, staked: Staked) {
  const { bet, hold, stake, was } = staked;
  const { account } = bet;
  const reason = 'bet.hold' as const;
  const steps: Step[] = was === undefined ? [] : [{ verb: 'release', commitment: was, reason }];
  steps.push({ verb: 'hold', commitment: hold, account, kind: 'bet', amount: stake, reason });
  const posted = await postInside(tx, {
    id: transferId(hub.ids.uuid()),
    at: hub.clock.now(),
    network: market.network,
    asset: 'USDC',
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
