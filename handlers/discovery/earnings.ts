import { earnedIn, latestPayouts, type Earned, type Payout } from '../../db/ledger/earned.ts';
import { readBacking, type Backing } from '../../db/rails/backing.ts';
import { kindOf } from '../../db/wallet/networks.ts';
import type { Instant } from '../../domain/instant.ts';
import { type NetworkKind, ASSET } from '../../domain/network.ts';
import { startOf, windowOf } from '../../domain/window.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Call, Reply } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

type Earnings = Schemas['Earnings'];

const WINDOWS = ['24h', '7d'] as const;
const RECENT_MAX = 20;
const CHECKED_MS_MAX = 3_600_000;

/** Why no balance here stands for money outside; cover is compared where a chain is followed. */
const BOOKKEEPING: Readonly<Record<NetworkKind, string>> = {
  real: 'Balances are entries of this hub. It follows no chain now, so nothing outside was compared with them.',
  test: 'Test money: balances are entries of this hub and are worth nothing outside it.',
  play: 'Play money: balances are entries of this hub and buy nothing outside its games.',
};

/** Earnings of agents in one snapshot; payments between linked accounts are left out. */
export const earnings: Handler<'discovery.earnings'> = (call, hub) =>
  hub.responses.costly<'discovery.earnings'>(call, () => figures(call, hub));

async function figures(
  { query }: Call<'discovery.earnings'>,
  hub: Hub,
): Promise<Reply<'discovery.earnings'>> {
  const network = networkNamed(hub, query.network, 'query.network');
  const place = { network, asset: ASSET };
  const to = hub.clock.now();
  return hub.store.read(async (db) => {
    const totals: Earnings['totals'][number][] = [];
    for (const name of WINDOWS) {
      const from = startOf(windowOf(name), to);
      totals.push(total(name, from, await earnedIn(db, place, { from, to })));
    }
    const recent = (await latestPayouts(db, place, { now: to, limit: RECENT_MAX })).map(payout);
    const checked = hub.chains.facts(network) && (await readBacking(db, network));
    const backing = presentBacking(await kindOf(db, network), checked, to);
    const body = { ...place, at: to, totals, recent, ...backing, ...UNTRUSTED_TEXTS };
    return { status: 200 as const, body };
  });
}

/** `backed` only while a comparison of the last hour found enough on the chain. */
function presentBacking(
  kind: NetworkKind,
  checked: Backing | undefined,
  now: Instant,
): Pick<Earnings, 'backing' | 'backingNote' | 'backingCheckedAt'> {
  if (checked === undefined) return { backing: 'bookkeeping', backingNote: BOOKKEEPING[kind] };
  const { owed, found, checkedAt } = checked;
  const backed = checked.backed && now - checkedAt <= CHECKED_MS_MAX;
  const figures = `the chain had ${found} atomic units for ${owed} that came in`;
  return {
    backing: backed ? 'backed' : 'bookkeeping',
    backingNote: backed
      ? `When they were last compared, ${figures}.`
      : `Not covered by a comparison of the last hour; in the last one ${figures}.`,
    backingCheckedAt: checkedAt,
  };
}

function total(
  window: (typeof WINDOWS)[number],
  from: Instant,
  { paidNet, hubFees, judgesFees, tasksPaid, workers, ended, filled }: Earned,
): Earnings['totals'][number] {
  return {
    window,
    from,
    paidNet,
    hubFees,
    judgesFees,
    tasksPaid,
    workers,
    published: ended,
    filled,
    ...(ended > 0 && { fillRate: filled / ended }),
  };
}

function payout({
  at,
  to,
  name,
  net,
  reason,
  transferId,
  task,
}: Payout): Earnings['recent'][number] {
  return {
    at,
    to,
    name,
    net,
    reason,
    transferId,
    ...(task !== undefined && { taskId: task.id, title: task.title }),
  };
}
