import { HOLD_KINDS, type HoldKind } from '../../domain/ledger/reasons.ts';
import { commitmentId, type CommitmentId, type Ref } from '../../domain/ledger/transfer.ts';
import type { Instant } from '../../domain/instant.ts';
import { atomic, ZERO, type Atomic } from '../../domain/money.ts';
import { account, amount, integer, moment, network, oneOf, text } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import { rows } from '../batch/rows.ts';
import type { Decider } from '../batch/transaction.ts';
import type { OnNetwork } from './onNetwork.ts';

/** Commitments shown one by one; a balance with more of them shows the newest. */
export const HOLDS_LISTED_MAX = 500;

interface HeldFor {
  readonly commitment: CommitmentId;
  readonly kind: HoldKind;
  readonly ref: Ref;
  /** The amount that remains of it. */
  readonly amount: Atomic;
  readonly since: Instant;
  readonly expiresAt?: Instant;
}

/** The open holds of an account; listed and older ones together are what it holds. */
export interface OpenHolds {
  /** The newest, oldest of them first. */
  readonly listed: readonly HeldFor[];
  /** Those too many to list, as one line a kind. */
  readonly older: readonly OlderHolds[];
}
interface OlderHolds {
  readonly kind: HoldKind;
  readonly count: number;
  readonly amount: Atomic;
  readonly since: Instant;
}

const listed = rows({
  id: text(),
  kind: oneOf(HOLD_KINDS),
  refKind: text(),
  refId: text(),
  remaining: amount(),
  openedAt: moment(),
  expiresAt: moment().optional(),
});
const byKind = rows({ kind: oneOf(HOLD_KINDS), open: integer(), since: moment(), total: amount() });

export const OPEN_HOLDS = lookup('open_holds', {
  by: { account: account(), network: network(), asset: text() },
  found: { listed: listed.column(), byKind: byKind.column() },
  sql(key, dialect) {
    const open = `FROM commitments c JOIN accounts a ON a.id = c.account_id
      WHERE a.network = ${key.network} AND a.asset = ${key.asset} AND a.name = ${key.account}
        AND c.state = 'open'`;
    return {
      listed: listed.sql(
        `SELECT c.id, c.kind, c.ref_kind, c.ref_id, c.remaining, c.opened_at, c.expires_at ${open}
          ORDER BY c.opened_at DESC, c.id DESC LIMIT ${HOLDS_LISTED_MAX}`,
        dialect,
      ),
      byKind: byKind.sql(
        `SELECT c.kind, count(*) AS open, min(c.opened_at) AS since, sum(c.remaining) AS total
          ${open} GROUP BY c.kind ORDER BY c.kind`,
        dialect,
      ),
    };
  },
});

export function openHolds(db: Decider, of: OnNetwork): OpenHolds {
  const found = db.find(OPEN_HOLDS, of);
  const shown = (found?.listed ?? []).map(
    ({ id, refKind, refId, remaining, openedAt, ...held }) => ({
      ...held,
      commitment: commitmentId(id),
      ref: { kind: refKind, id: refId },
      amount: remaining,
      since: openedAt,
    }),
  );
  shown.reverse();
  const older = (found?.byKind ?? []).map(({ kind, open, since, total }) => {
    const alike = shown.filter((each) => each.kind === kind);
    const rest = atomic(total - alike.reduce<bigint>((sum, each) => sum + each.amount, ZERO));
    return { kind, count: open - alike.length, amount: rest, since };
  });
  return { listed: shown, older: older.filter(({ count }) => count > 0) };
}
