import { LOAN_CHECKS } from '../credit/checks.ts';
import { ACCOUNT_CHECKS, JOURNAL_CHECKS, NEW_ENTRY_CHECKS } from '../ledger/checks.ts';
import { MODEL_CHARGE_CHECKS, MODEL_CHECKS } from '../models/checks.ts';
import { TABLE_CHECKS } from '../poker/checks.ts';
import { MARKET_CHECKS } from '../predictions/checks.ts';
import { DEPOSIT_CHECKS, WITHDRAWAL_CHECKS } from '../rails/checks.ts';
import { CALL_CHECKS, CHARGE_CHECKS } from '../router/checks.ts';
import { ESCROW_CHECKS } from '../tasks/checks.ts';
import { STAKE_CHECKS } from '../validators/checks.ts';
import { PAYMENT_CHECKS, UPSTREAM_CHARGE_CHECKS, UPSTREAM_CHECKS } from '../x402/checks.ts';
import type { Reader } from '../connection.ts';
import { prepared, type Check, type Prepared } from './check.ts';

interface AreaChecks {
  /** While the database has no such table the area has nothing to look at. */
  readonly table: string;
  /** Over accounts, open commitments and the area's own rows: asked every minute. */
  readonly current?: readonly Check[];
  /** Over the whole journal: asked by a full count alone. */
  readonly journal?: readonly Check[];
  /** Over the transfers with a number above the placeholder: asked every minute. */
  readonly newEntries?: readonly Check[];
}
type CheckKind = 'current' | 'journal' | 'newEntries';

/** An area that moves or holds money adds its line here. */
const AREAS: readonly AreaChecks[] = [
  {
    table: 'accounts',
    current: ACCOUNT_CHECKS,
    journal: JOURNAL_CHECKS,
    newEntries: NEW_ENTRY_CHECKS,
  },
  { table: 'loans', current: LOAN_CHECKS },
  { table: 'tasks', current: ESCROW_CHECKS },
  { table: 'calls', current: CALL_CHECKS, journal: CHARGE_CHECKS },
  { table: 'model_calls', current: MODEL_CHECKS, journal: MODEL_CHARGE_CHECKS },
  { table: 'seats', current: STAKE_CHECKS },
  { table: 'markets', current: MARKET_CHECKS },
  { table: 'poker_tables', current: TABLE_CHECKS },
  { table: 'withdrawals', current: WITHDRAWAL_CHECKS, journal: DEPOSIT_CHECKS },
  { table: 'x402_payments', journal: PAYMENT_CHECKS },
  { table: 'x402_upstream', current: UPSTREAM_CHECKS, journal: UPSTREAM_CHARGE_CHECKS },
];

interface PreparedArea extends Readonly<Record<CheckKind, readonly Prepared[]>> {
  readonly table: string;
}
const PREPARED: readonly PreparedArea[] = AREAS.map(
  ({ table, current = [], journal = [], newEntries = [] }) => ({
    table,
    current: prepared(current),
    journal: prepared(journal),
    newEntries: prepared(newEntries),
  }),
);

export type RegisteredChecks = Readonly<Record<CheckKind, readonly Prepared[]>>;

export async function registeredChecks(db: Reader): Promise<RegisteredChecks> {
  const present: PreparedArea[] = [];
  for (const area of PREPARED) {
    if (await db.knex.schema.hasTable(area.table)) present.push(area);
  }
  return {
    current: present.flatMap(({ current }) => current),
    journal: present.flatMap(({ journal }) => journal),
    newEntries: present.flatMap(({ newEntries }) => newEntries),
  };
}
