import { strict as assert } from 'node:assert';
import { need } from '../../db/batch/need.ts';
import { updateRow } from '../../db/batch/write.ts';
import { LedgerFrozen } from '../../db/ledger/memory.ts';
import { postInside } from '../../db/ledger/postInside.ts';
import { dueMarkets, lockMarket, MARKETS } from '../../db/predictions/markets.ts';
import { ODDS, oddsOf, positionsIn, saveReturned } from '../../db/predictions/positions.ts';
import type { Odds, StoredPosition } from '../../db/predictions/positions.ts';
import { numberAt } from '../../db/predictions/numbers.ts';
import type { Writer } from '../../db/store.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { houseAccount, type Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { transferId, type Step } from '../../domain/ledger/transfer.ts';
import {
  closedBy,
  decidingCheck,
  dueAt,
  endedByClock,
  type Ending,
} from '../../domain/predictions/change.ts';
import { SIDES, type Market, type Sample } from '../../domain/predictions/model.ts';
import type { Payout } from '../../domain/predictions/payout.ts';
import { atomic } from '../../domain/money.ts';
import { ASSET } from '../../domain/network.ts';
import { refuse } from '../kernel/errors.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';

/** Closes and ends markets; due changes come before every read and write (choices pipeline.due). */
const DUE_BATCH_MAX = 20;

export function noSuchMarket(): never {
  return refuse('not-found', {
    error: 'There is no market with this id.',
    hint: 'GET /api/v1/games/predictions/markets lists the markets.',
  });
}

/**
 * The market, locked, with everything due applied; refuses an id that does not exist. Callers that
 * counted the number which decides it hand it over; without it such a market stays closed.
 */
export async function lockSettled(
  tx: Writer,
  hub: Hub,
  id: string,
  sample?: Sample,
): Promise<Market> {
  const stored = (await lockMarket(tx, id)) ?? noSuchMarket();
  const now = hub.clock.now();
  const market = closedBy(stored, now);
  const due = dueAt(market);
  const ended =
    due !== undefined && due <= now
      ? await endByClock(tx, hub, { market, stored, sample })
      : undefined;
  if (ended !== undefined) return ended;
  if (market !== stored) await updateRow(tx, MARKETS, market, stored);
  return market;
}

async function endByClock(
  tx: Writer,
  hub: Hub,
  of: { readonly market: Market; readonly stored: Market; readonly sample: Sample | undefined },
): Promise<Market | undefined> {
  const { market, stored, sample } = of;
  const held = await positionsIn(tx, market.id);
  const positions = held.map(({ position }) => position);
  const ending = endedByClock(market, positions, sample, hub.clock.now());
  return ending && endMarket(tx, hub, market, { ending, held, stored, ...defined({ sample }) });
}

/** Applies what is due. A number is counted before the transaction, since it changes no more. */
async function settle(hub: Hub, market: Market): Promise<Market> {
  const { id, network, closesAt } = market;
  const check = decidingCheck(market, hub.clock.now());
  const sample =
    check && (await hub.store.read((db) => numberAt(db, check.metric, network, closesAt)));
  return hub.store.write((tx) => lockSettled(tx, hub, id, sample));
}

export interface EndedBy {
  readonly ending: Ending;
  readonly held: readonly StoredPosition[];
  /** As the database has it, where the clock has just closed it. */
  readonly stored?: Market;
  readonly sample?: Sample;
  readonly judge?: Account;
  readonly evidence?: string;
}

/** Pays a market out in one transfer and writes how it ended. */
export async function endMarket(
  tx: Writer,
  hub: Hub,
  market: Market,
  { ending, held, stored = market, sample, judge, evidence }: EndedBy,
): Promise<Market> {
  const { settlement, voidReason } = ending;
  const at = hub.clock.now();
  const moved = await payOut(tx, hub, market, { ending, held, ...(judge && { judge }) });
  const returned = settlement.payouts.map(
    (payout) => [payout.account, atomic(payout.returned + payout.won)] as const,
  );
  const ended: Market = {
    ...market,
    state: settlement.outcome === 'void' ? 'voided' : 'resolved',
    version: market.version + 1,
    ended: {
      outcome: settlement.outcome,
      ...defined({ voidReason, resolvedBy: judge, evidence, sample }),
      judgeShare: settlement.judgeShare,
      won: settlement.won,
      returned: settlement.returned,
      ...defined({ transferId: moved }),
      at,
    },
  };
  await updateRow(tx, MARKETS, ended, stored);
  await saveReturned(tx, market.id, returned);
  noteEvent(tx, [market.creator, ...held.map(({ position }) => position.account)], {
    at,
    kind: `market.${ended.state}`,
    subjectId: market.id,
    state: ended.state,
    ...defined({ actor: judge }),
  });
  return ended;
}

/** Losing stakes go to the pot account, which winners and judge empty in the same transfer. */
async function payOut(
  tx: Writer,
  hub: Hub,
  market: Market,
  { ending, held, judge }: EndedBy,
): Promise<string | undefined> {
  if (held.length === 0) return undefined;
  const pot = houseAccount(`hub:pot:market:${market.id}`);
  const { outcome, payouts, judgeShare } = ending.settlement;
  const steps: Step[] = held.flatMap((each) => stakesOf(each, outcome, pot));
  for (const { account, won } of payouts.filter(wins)) {
    steps.push({ verb: 'move', from: pot, to: account, amount: won, reason: 'bet.won' });
  }
  if (judgeShare > 0n && judge !== undefined) {
    const reason = 'market.judge';
    steps.push({ verb: 'move', from: pot, to: judge, amount: judgeShare, reason });
  }
  const posted = await postInside(tx, {
    id: transferId(hub.ids.uuid()),
    at: hub.clock.now(),
    network: market.network,
    asset: ASSET,
    event: outcome === 'void' ? 'market.voided' : 'market.resolved',
    ref: { kind: 'market', id: market.id },
    actor: judge ?? 'hub',
    steps,
  });
  assert(!('refused' in posted), 'held stakes cover their own settlement');
  return posted.transferId;
}

function wins({ won }: Payout): boolean {
  return won > 0n;
}

function stakesOf(
  { position, holds }: StoredPosition,
  outcome: Ending['settlement']['outcome'],
  pot: Account,
): readonly Step[] {
  return SIDES.flatMap((side): readonly Step[] => {
    const commitment = holds[side];
    if (commitment === undefined) return [];
    if (outcome === 'void' || side === outcome) {
      return [{ verb: 'release', commitment, reason: 'bet.return' }];
    }
    const to = [{ account: pot, amount: position[side], reason: 'bet.lost' as const }];
    return [{ verb: 'capture', commitment, reason: 'bet.lost', to }];
  });
}

/** The market with its odds; writes only when the clock has decided something since. */
export async function readSettled(hub: Hub, id: string): Promise<ShownMarket> {
  const seen = await hub.store.look({
    needs: [need(MARKETS, id), need(ODDS, id)],
    decide: (db) => ({ market: db.find(MARKETS, id) ?? noSuchMarket(), odds: oddsOf(db, id) }),
  });
  const due = dueAt(seen.market);
  if (due === undefined || due > hub.clock.now()) return seen;
  try {
    return { ...seen, market: await settle(hub, seen.market) };
  } catch (error) {
    if (error instanceof LedgerFrozen) return seen;
    throw error;
  }
}
interface ShownMarket {
  readonly market: Market;
  readonly odds: Odds;
}

/** Applies what is due, one batch, each market in its own transaction. */
export async function settleDueMarkets(hub: Hub): Promise<void> {
  const due = await hub.store.read((db) => dueMarkets(db, hub.clock.now(), DUE_BATCH_MAX));
  for (const market of due) {
    const named = { failure: 'a market could not be settled', market: market.id };
    await apart(hub, named, () => settle(hub, market));
  }
}
