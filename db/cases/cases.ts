import { CASE_FAMILIES, netOf } from '../../domain/cases/shape.ts';
import type {
  CaseFamily,
  CaseResult,
  CaseSource,
  CaseStep,
  Shape,
} from '../../domain/cases/shape.ts';
import type { NetworkKind } from '../../domain/network.ts';
import * as column from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { one } from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

const APART = { apart: 'cases are rebuilt from tasks' };

/** Shapes: how often, by how many, the best run and the first one. */
export const CASES = table(
  'cases',
  {
    id: column.text().key(),
    family: column.oneOf(CASE_FAMILIES),
    networkKind: column.text<NetworkKind>(),
    steps: column.json<readonly CaseStep[]>(),
    stepCount: column.integer(),
    cut: column.flag(),
    times: column.integer(),
    accounts: column.integer(),
    firstAt: column.moment(),
    lastAt: column.moment(),
    bestNet: column.signedAmount(),
    best: column.json<CaseResult>(),
    source: column.json<CaseSource>(),
  },
  { use: 'single', personal: APART },
);
export type StoredCase = RowIn<typeof CASES>;

export const CASE_ACCOUNTS = table(
  'case_accounts',
  { caseId: column.text().key(), account: column.account().key() },
  { use: 'single', personal: APART },
);

const KNOW = statement(`
  ${CASES.insertion} ON CONFLICT (id) DO UPDATE SET times = cases.times + 1, last_at = excluded.last_at,
    cut = CASE WHEN excluded.cut = 1 THEN 1 ELSE cases.cut END,
    best = CASE WHEN excluded.best_net > cases.best_net THEN excluded.best ELSE cases.best END,
    best_net = CASE WHEN excluded.best_net > cases.best_net
      THEN excluded.best_net ELSE cases.best_net END`);
const SEEN = statement(`
  ${CASE_ACCOUNTS.insertion} ON CONFLICT (case_id, account) DO NOTHING`);
const COUNT = statement(`
  UPDATE cases SET accounts = (SELECT COUNT(*) FROM case_accounts WHERE case_id = ?) WHERE id = ?`);

export async function addRun(
  tx: Writer,
  shape: Shape,
  run: {
    readonly family: CaseFamily;
    readonly networkKind: NetworkKind;
    readonly source: CaseSource;
  },
): Promise<void> {
  const { id, steps } = shape;
  const { account, endedAt, result } = run.source;
  const first = { stepCount: steps.length, times: 1, accounts: 1, firstAt: endedAt };
  const best = { lastAt: endedAt, bestNet: netOf(result), best: result };
  await linkOf(tx).rows(KNOW, CASES.cells({ ...shape, ...run, ...first, ...best }));
  await linkOf(tx).rows(SEEN, CASE_ACCOUNTS.cells({ caseId: id, account }));
  await linkOf(tx).rows(COUNT, [id, id]);
}

export type CaseOrder = 'last' | 'first' | 'best' | 'times' | 'steps';

const ORDERS: Readonly<Record<CaseOrder, readonly { column: string; order: 'asc' | 'desc' }[]>> = {
  last: [{ column: 'last_at', order: 'desc' }],
  first: [{ column: 'first_at', order: 'asc' }],
  best: [{ column: 'best_net', order: 'desc' }],
  times: [{ column: 'times', order: 'desc' }],
  steps: [{ column: 'step_count', order: 'asc' }],
};

export async function listCases(
  db: Reader,
  page: {
    readonly family?: CaseFamily;
    readonly order: CaseOrder;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<readonly StoredCase[]> {
  const { family, order, limit, offset } = page;
  let query = db
    .knex('cases')
    .select<Row[]>('*')
    .orderBy([...ORDERS[order], { column: 'id', order: 'asc' }])
    .limit(limit)
    .offset(offset);
  if (family !== undefined) query = query.where('family', family);
  return (await query).map(CASES.fromRow);
}

const BY_ID = statement('SELECT * FROM cases WHERE id = ?');

export async function readCase(db: Reader, id: string): Promise<StoredCase | undefined> {
  const row = one(await linkOf(db).rows(BY_ID, [id]));
  return row && CASES.fromRow(row);
}
