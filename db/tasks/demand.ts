import type { Instant } from '../../domain/instant.ts';
import { ZERO, type Atomic } from '../../domain/money.ts';
import { DEMAND_KINDS } from '../../domain/tasks/demand.ts';
import type { DemandKind, DemandTarget } from '../../domain/tasks/demand.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

const APART = { apart: 'about no account' };

/** House tasks about listings. */
export const DEMAND_TASKS = table(
  'demand_tasks',
  {
    listingId: columns.text().key(),
    kind: columns.oneOf(DEMAND_KINDS).key(),
    taskId: columns.text(),
    at: columns.moment().key(),
  },
  { use: 'single', personal: APART },
);
export type DemandTask = RowIn<typeof DEMAND_TASKS>;

const INSERT = statement(DEMAND_TASKS.insertion);

export async function insertDemand(tx: Writer, demand: DemandTask): Promise<void> {
  await linkOf(tx).rows(INSERT, DEMAND_TASKS.cells(demand));
}

export const DEMAND_DAYS = table(
  'demand_days',
  {
    network: columns.network().key(),
    day: columns.moment().key(),
    budget: columns.amount(),
    spent: columns.amount(),
  },
  { use: 'single', personal: APART },
);
export type DemandDay = Pick<RowIn<typeof DEMAND_DAYS>, 'network' | 'day'>;

const OPEN_DAY = statement(`
  ${DEMAND_DAYS.insertion} ON CONFLICT (network, day) DO NOTHING RETURNING 1 AS opened`);

/** True for the one process that opened the day; its budget is fixed then. */
export async function openDemandDay(tx: Writer, day: DemandDay, budget: Atomic): Promise<boolean> {
  const cells = DEMAND_DAYS.cells({ ...day, budget, spent: ZERO });
  return (await linkOf(tx).rows(OPEN_DAY, cells)).length > 0;
}

const HAS_DAY = statement('SELECT 1 AS yes FROM demand_days WHERE network = ? AND day = ?');

export async function hasDemandDay(db: Reader, { network, day }: DemandDay): Promise<boolean> {
  return (await linkOf(db).rows(HAS_DAY, [network, day])).length > 0;
}

const SPEND = statement(`
  UPDATE demand_days SET spent = spent + ?
   WHERE network = ? AND day = ? AND spent + ? <= budget RETURNING spent`);

/** False when the day has less left; processes take turns on the row, so none overspends. */
export async function spendDemand(
  tx: Writer,
  { network, day }: DemandDay,
  amount: Atomic,
): Promise<boolean> {
  const rows = await linkOf(tx).rows(SPEND, [`${amount}`, network, day, `${amount}`]);
  return rows.length > 0;
}

/** Best known first; the kinds of one listing follow each other. */
const TARGETS = statement(
  `SELECT l.id, l.origin, l.name, l.endpoint, k.value AS kind
     FROM listings AS l CROSS JOIN json_each(?) AS k
    WHERE l.answers = 1 AND NOT EXISTS (
      SELECT 1 FROM demand_tasks AS d
       WHERE d.listing_id = l.id AND d.kind = k.value AND d.at > ?)
    ORDER BY l.karma DESC, l.reach DESC, l.id, k.value LIMIT ?`,
  `SELECT l.id, l.origin, l.name, l.endpoint, k.value AS kind
     FROM listings AS l CROSS JOIN unnest(?::text[]) AS k (value)
    WHERE l.answers = 1 AND NOT EXISTS (
      SELECT 1 FROM demand_tasks AS d
       WHERE d.listing_id = l.id AND d.kind = k.value AND d.at > ?)
    ORDER BY l.karma DESC, l.reach DESC, l.id, k.value COLLATE "C" LIMIT ?`,
);

/** Returns listings that answer, each with a kind of look that no task asked for since. */
export async function demandTargets(
  db: Reader,
  askedSince: Instant,
  limit: number,
): Promise<readonly { readonly kind: DemandKind; readonly target: DemandTarget }[]> {
  const rows = await linkOf(db).rows(TARGETS, [DEMAND_KINDS, askedSince, limit]);
  return rows.map((row) => {
    const kind = DEMAND_KINDS.find((each) => each === row['kind']);
    if (kind === undefined) throw new Error('a look of an unknown kind');
    const target = {
      listingId: column.text(row, 'id'),
      origin: column.text(row, 'origin'),
      name: column.text(row, 'name'),
      endpoint: column.text(row, 'endpoint'),
    };
    return { kind, target };
  });
}
