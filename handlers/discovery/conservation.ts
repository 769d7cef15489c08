import { audit, type NetworkSum } from '../../db/audit/audit.ts';
import { bookSums, type BookSums } from '../../db/ledger/books.ts';
import { sealCovering } from '../../db/ledger/seals.ts';
import { newestTransfer } from '../../db/ledger/transferDigests.ts';
import type { Reader } from '../../db/store.ts';
import { iso } from '../../domain/instant.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { ASSET } from '../../domain/network.ts';
import { breachOf, RULES, type Breach } from './present/books.ts';

type Conservation = Schemas['Conservation'];
type LedgerSums = Schemas['LedgerSums'];

const SHOWN_MAX = 100;
/** A count reads the whole journal, so callers who come while one runs share it. */
const running = new WeakMap<Hub, Promise<Conservation>>();

export const conservation: Handler<'discovery.conservation'> = async (_, hub) => {
  const started = running.get(hub);
  if (started !== undefined) return { status: 200, body: await started };
  const count = hub.store.read((db) => recount(db, hub));
  running.set(hub, count);
  try {
    return { status: 200, body: await count };
  } finally {
    running.delete(hub);
  }
};

async function recount(db: Reader, { store, clock }: Hub): Promise<Conservation> {
  const checkedAt = iso(clock.now());
  const { differences: found, sums: totals } = await audit(db);
  const sums = await bookSums(db);
  const newest = await presentNewest(db);
  const differences = found.map(breachOf).concat(sums.flatMap(breachesOf));
  return {
    balanced: differences.length === 0,
    frozen: store.frozenSince() !== undefined,
    checkedAt,
    ledgers: sums.map((each) => ledgerOf(each, totals)),
    newest,
    checks: RULES.map(({ check, says }) => ({
      check,
      ok: !differences.some((each) => each.check === check),
      says,
    })),
    differences: differences.slice(0, SHOWN_MAX),
  };
}

async function presentNewest(db: Reader): Promise<Conservation['newest']> {
  const newest = await newestTransfer(db);
  if (newest === undefined) return undefined;
  const seal = (await sealCovering(db, newest.seq))?.seal;
  const { seq, transferId, at, digest } = newest;
  return {
    seq,
    transferId,
    at,
    digest,
    ...(seal !== undefined && { seal: { blockNo: seal.body.blockNo, digest: seal.digest } }),
  };
}

/** Breaches that only sums show: escrow against promises, and pots that no table accounts for. */
function breachesOf({ network, escrow, liveRewards, pots, atTables }: BookSums): readonly Breach[] {
  const place = { network, asset: ASSET };
  const breaches: Breach[] = [];
  if (escrow !== liveRewards) {
    const [expected, found] = [`${liveRewards}`, `${escrow}`];
    breaches.push({
      check: 'escrow-match',
      ...place,
      subject: 'escrow of live work',
      expected,
      found,
    });
  }
  if (pots !== atTables) {
    breaches.push({
      check: 'pots-match',
      ...place,
      subject: 'pots',
      expected: atTables,
      found: pots,
    });
  }
  return breaches;
}

function ledgerOf(sums: BookSums, totals: readonly NetworkSum[]): LedgerSums {
  const { network, asset } = sums;
  const total = totals.find((each) => each.network === network && each.asset === asset);
  if (total === undefined) throw new Error(`no sums of ${network} ${asset}`);
  return {
    network,
    asset: ASSET,
    accounts: sums.accounts,
    sum: total.total,
    supply: total.supply,
    users: sums.users,
    hub: sums.hub,
    held: total.held,
    commitments: total.committed,
    escrow: sums.escrow,
    liveRewards: sums.liveRewards,
    transfers: sums.transfers,
  };
}
