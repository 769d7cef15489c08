import { CASE_FAMILIES, netOf } from '../../domain/cases/shape.ts';
import type {
  CaseFamily,
  CaseResult,
  CaseSource,
  CaseStep,
  Shape,
} from '../../domain/cases/shape.ts';
import type { Instant } from '../../domain/instant.ts';
import type { NetworkKind } from '../../domain/network.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';

/** The table of shapes: how often, by how many, the best run and the first one. */
export interface StoredCase extends Shape {
  readonly family: CaseFamily;
  readonly networkKind: NetworkKind;
  readonly times: number;
  readonly accounts: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly best: CaseResult;
  readonly source: CaseSource;
}

const KNOW = statement(`
  INSERT INTO cases (id, family, network_kind, steps, step_count, cut, times, accounts, first_at,
    last_at, best_net, best, source)
  VALUES (?, ?, ?, ?, ?, ?, 1, 1, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET times = cases.times + 1, last_at = excluded.last_at,
    cut = CASE WHEN excluded.cut = 1 THEN 1 ELSE cases.cut END,
    best = CASE WHEN excluded.best_net > cases.best_net THEN excluded.best ELSE cases.best END,
    best_net = CASE WHEN excluded.best_net > cases.best_net
      THEN excluded.best_net ELSE cases.best_net END`);
const SEEN = statement(`
  INSERT INTO case_accounts (case_id, account) VALUES (?, ?)
  ON CONFLICT (case_id, account) DO NOTHING`);
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
  const { id, steps, cut } = shape;
  const { family, networkKind, source } = run;
  const { account, endedAt, result } = source;
  await linkOf(tx).rows(KNOW, [
    id,
    family,
    networkKind,
    JSON.stringify(steps),
    steps.length,
    cut ? 1 : 0,
    endedAt,
    endedAt,
    `${netOf(result)}`,
    JSON.stringify(result),
    JSON.stringify(source),
  ]);
  await linkOf(tx).rows(SEEN, [id, account]);
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
  return (await query).map(caseOf);
}

const BY_ID = statement('SELECT * FROM cases WHERE id = ?');

export async function readCase(db: Reader, id: string): Promise<StoredCase | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [id]));
  return row && caseOf(row);
}

/** The JSON columns hold what `addRun` wrote from values of these very types. */
function caseOf(row: Row): StoredCase {
  const family = CASE_FAMILIES.find((each) => each === row['family']);
  const networkKind = row['network_kind'];
  if (family === undefined) throw new Error('a case of an unknown family');
  if (networkKind !== 'real' && networkKind !== 'test' && networkKind !== 'play') {
    throw new Error('a case of an unknown kind of money');
  }
  return {
    id: column.text(row, 'id'),
    family,
    networkKind,
    steps: column.json(row, 'steps') as readonly CaseStep[],
    cut: column.flag(row, 'cut'),
    times: column.whole(row, 'times'),
    accounts: column.whole(row, 'accounts'),
    firstAt: column.time(row, 'first_at'),
    lastAt: column.time(row, 'last_at'),
    best: column.json(row, 'best') as CaseResult,
    source: column.json(row, 'source') as CaseSource,
  };
}
