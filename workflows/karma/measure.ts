import {
  karmaFigures,
  moveSweep,
  saveKarmaFigures,
  sweepPage,
  type KarmaFigures,
  type SweptAccount,
} from '../../db/karma/figures.ts';
import { gainsOf, type FoundGains } from '../../db/karma/gains.ts';
import { paymentsFrom, receivedBy } from '../../db/karma/payments.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import {
  discountedOf,
  lossesOf,
  NO_LOSSES,
  RETURN_WINDOW_MS,
  type Gain,
} from '../../domain/karmaFigures.ts';
import { returnedShares, type Returned } from '../../domain/returned.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';

/** Standings of one run; a full page is followed by another a second later. */
const PAGE = 50;
const AGAIN_MS = 1_000;
/** Figures are computed again after this long, because payments return without any entry. */
const DAY_MS = 86_400_000;

/** Sweeps over all standings in pages, and measures those that changed or are a day old. */
export const measureKarma: Job = {
  name: 'karmaMeasures',
  everySeconds: 20,
  run: async (hub) => {
    const now = hub.clock.now();
    const page = await hub.store.read((db) => sweepPage(db, instant(now - DAY_MS), PAGE));
    for (const each of page.filter(({ isDue }) => isDue)) {
      const named = { failure: 'karma could not be measured', account: each.subject };
      await apart(hub, named, () => measure(hub, each, now));
    }
    const after = page.length === PAGE ? (page.at(-1)?.subject ?? '') : '';
    await hub.store.write((tx) => moveSweep(tx, after));
    return after === '' ? undefined : AGAIN_MS;
  },
};

async function measure(hub: Hub, { subject, total }: SweptAccount, now: Instant): Promise<void> {
  const figures = await hub.store.read((db) => figuresNow(db, { subject, total }, now));
  await hub.store.write((tx) => saveKarmaFigures(tx, subject, figures));
}

async function figuresNow(
  db: Reader,
  { subject, total }: Pick<SweptAccount, 'subject' | 'total'>,
  now: Instant,
): Promise<KarmaFigures> {
  const last = await karmaFigures(db, subject);
  const { settled, settledUntil } = last ?? { settled: NO_LOSSES, settledUntil: 0 };
  const found = await gainsOf(db, subject, settledUntil - RETURN_WINDOW_MS);
  const { gains, unmeasured } = found;
  const fresh = gains.filter(({ at }) => at > settledUntil);
  const earlier = gains.filter(({ at }) => at <= settledUntil);
  const closesAt = now - RETURN_WINDOW_MS;
  const [over, open] = [
    fresh.filter(({ at }) => at <= closesAt),
    fresh.filter(({ at }) => at > closesAt),
  ];
  const returned = await returnedTo(db, subject, fresh, found);
  const nowSettled = lossesOf(settled, { before: earlier, gains: over }, returned);
  const before = [...earlier, ...over];
  const losses = lossesOf(nowSettled, { before, gains: open }, returned);
  const discounted = discountedOf(total, losses, unmeasured);
  return {
    recorded: total,
    discounted,
    unmeasured,
    losses,
    settled: nowSettled,
    settledUntil: over.at(-1)?.at ?? settledUntil,
    at: now,
  };
}

/** The shares of what each party paid that came back to it, over the windows of these gains. */
async function returnedTo(
  db: Reader,
  subject: Account,
  gains: readonly Gain[],
  { groups }: FoundGains,
): Promise<Returned> {
  const [first] = gains.filter(({ money }) => money === 'real');
  if (first === undefined) return { earned: new Map(), spent: new Map() };
  const received = await receivedBy(db, subject, first.at - RETURN_WINDOW_MS);
  const payments = await paymentsFrom(db, subject, first.at - RETURN_WINDOW_MS);
  const { earned, spent } = returnedShares(payments, subject, received);
  const partyOf = (account: string): string => groups.get(account as Account) ?? account;
  return {
    earned: byParty(received, earned, partyOf),
    spent: byParty(payments.get(subject) ?? new Map(), spent, partyOf),
  };
}

/** The shares of accounts as shares of the parties that they are linked to. */
function byParty(
  amounts: ReadonlyMap<string, number>,
  shares: ReadonlyMap<string, number>,
  partyOf: (account: string) => string,
): ReadonlyMap<string, number> {
  const sums = new Map<string, { readonly paid: number; readonly back: number }>();
  for (const [account, amount] of amounts) {
    const { paid, back } = sums.get(partyOf(account)) ?? { paid: 0, back: 0 };
    const returned = amount * (shares.get(account) ?? 0);
    sums.set(partyOf(account), { paid: paid + amount, back: back + returned });
  }
  return new Map([...sums].map(([party, { paid, back }]) => [party, back / paid]));
}
