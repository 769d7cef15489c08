import { bettorAmong, positionsIn } from '../../db/predictions/positions.ts';
import { partyOf } from '../../db/tasks/links.ts';
import { lockSeats } from '../../db/validators/seats.ts';
import { kindOf } from '../../db/wallet/networks.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { mayResolve, resolve, withdraw, type Refused } from '../../domain/predictions/change.ts';
import { potOf, type Market, type Outcome } from '../../domain/predictions/model.ts';
import { ceilingOf } from '../../domain/validators/seat.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { endMarket, lockSettled } from './settle.ts';

/**
 * A judge settles a market: seated with a stake, without a position, linked to no party of it. Its
 * creator may void it as long as it has no bet.
 */
export interface Judgement {
  readonly judge: Account;
  readonly outcome: Outcome;
  readonly evidence?: string;
}

export async function judgeMarket(
  tx: Writer,
  hub: Hub,
  marketId: string,
  { judge, outcome, evidence }: Judgement,
): Promise<Market> {
  const market = await lockSettled(tx, hub, marketId);
  if (judge === market.creator && outcome === 'void') {
    const ending = withdraw(market);
    if ('refused' in ending) return refused(ending);
    return endMarket(tx, hub, market, { ending, held: [], judge, ...defined({ evidence }) });
  }
  const waits = mayResolve(market);
  if (waits !== undefined) return refused(waits);
  await mustBeJudge(tx, market, judge);
  const held = await positionsIn(tx, marketId);
  const positions = held.map(({ position }) => position);
  const ending = resolve(market, positions, outcome);
  if ('refused' in ending) return refused(ending);
  return endMarket(tx, hub, market, {
    ending,
    held,
    judge,
    ...defined({ evidence }),
  });
}

function refused({ refused: code, why }: Refused): never {
  return refuse(code, { error: why });
}

/** In the order in which the contract lists the refusals. */
async function mustBeJudge(tx: Writer, market: Market, judge: Account): Promise<void> {
  if (judge === market.creator) {
    refuse('creator-may-not', { error: 'You created this market.' });
  }
  const [seat] = await lockSeats(tx, [judge]);
  if (seat?.state !== 'seated' || seat.stake === 0n || seat.network !== market.network) {
    refuse('not-a-judge', { error: `This account has no seat with a stake on ${market.network}.` });
  }
  const party = await partyOf(tx, judge);
  const bettor = await bettorAmong(tx, market.id, party);
  if (bettor === judge) {
    refuse('holds-position', { error: 'You hold a position in this market.' });
  }
  if (bettor !== undefined || party.includes(market.creator)) {
    const who = bettor === undefined ? 'the creator' : 'a bettor';
    refuse('linked-account', { error: `Your account is linked to ${who} of this market.` });
  }
  const [pot, ceiling] = [potOf(market.pots), ceilingOf(seat.stake)];
  if ((await kindOf(tx, market.network)) === 'real' && pot > ceiling) {
    const error = `The pot is ${pot} and the ceiling of this seat is ${ceiling}.`;
    refuse('ceiling-too-low', { error });
  }
}
