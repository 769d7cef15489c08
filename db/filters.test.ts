import assert from 'node:assert/strict';
import { parseAccount } from '../domain/account.ts';
import { instant } from '../domain/instant.ts';
import { ASSET } from '../domain/network.ts';
import { atomic } from '../domain/money.ts';
import { link, linkOf, type Reader, type Statement, type Value } from './connection.ts';
import { searchStatement, type StatementFilter } from './ledger/statement.ts';
import { listTables, type TableFilter } from './poker/tables.ts';
import { listMarkets, type MarketFilter } from './predictions/markets.ts';
import { listTasks, type TaskFilter } from './tasks/listing.ts';
import { openStore } from './store.ts';
import { disputesWith } from './tasks/disputes.ts';
import { partIn } from './tasks/parties.ts';
import { attemptsNaming } from './tasks/taskFiles.ts';
import { lapsingClaims } from './tasks/turnNotices.ts';
import { tasksOfferedTo } from './tasks/work.ts';
import { atWork, workersOf } from './tasks/workerFigures.ts';
import { eventsBehind } from './wallet/accountEvents.ts';

const LIMIT = 20;
const account = parseAccount('key:3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt')!;
const place = { network: 'sandbox', asset: ASSET } as const;
const task = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
const [from, to] = [instant(5), instant(9)];
const [minReward, maxReward] = [atomic(5_000_000n), atomic(9_000_000n)];

/** Each filter alone; a filter that is new does not compile until it is here. */
function each<F extends object>(all: Required<F>): readonly F[] {
  return Object.entries(all).map(([name, value]) => ({ [name]: value as unknown }) as F);
}

const TASKS: readonly TaskFilter[] = [
  ...each<TaskFilter>({
    states: ['open'],
    mode: 'open',
    verification: 'requester',
    skill: 'a',
    payment: 'escrowed',
    minReward,
    maxReward,
    tags: ['a', 'b'],
    requester: account,
    worker: account,
    words: ['some', 'words'],
    maxDisputeWindow: 5,
    network: 'sandbox',
    from,
    to,
  }),
  { states: ['open'], tags: ['a'] },
  { states: ['open', 'held'], tags: ['a'] },
  { minReward, maxReward },
  { minReward, from, to },
  { from, to },
  { skill: 'a', maxDisputeWindow: 5 },
  { network: 'sandbox', mode: 'open' },
  { requester: account, minReward },
  { worker: account, tags: ['a'] },
  { words: ['some', 'words'], tags: ['a'] },
];
type MarketSearch = MarketFilter & { readonly text?: string };
const MARKETS: readonly MarketSearch[] = [
  ...each<MarketSearch>({ creator: account, text: 'rain', network: 'sandbox', state: 'open' }),
  { state: 'open', creator: account, text: 'rain' },
];
const TABLES: readonly TableFilter[] = [
  ...each<TableFilter>({
    state: 'open',
    format: 'cash',
    network: 'sandbox',
    seats: 2,
    minStake: minReward,
    maxStake: maxReward,
    free: true,
    before: task,
  }),
  { minStake: minReward, maxStake: maxReward },
  { state: 'open', free: true },
  { network: 'sandbox', format: 'cash' },
];
const ENTRIES: readonly StatementFilter[] = [
  ...each<StatementFilter>({
    reason: 'faucet',
    counterparty: account,
    from,
    to,
    minAmount: minReward,
    memo: 'rent',
    task,
  }),
  { counterparty: account, memo: 'rent' },
  { from, to },
];

type Run = (db: Reader) => Promise<unknown>;

/** Every list by every filter that it has, in every order. */
function runs(): ReadonlyMap<string, Run> {
  const after = undefined;
  const all = new Map<string, Run>();
  const add = (list: string, filter: object, run: Run): void => {
    const by = Object.entries(filter).map(([name, value]) => `${name} ${String(value)}`);
    all.set(`${list} by ${by.join(', ')}`, run);
  };
  for (const filter of TASKS) {
    for (const sort of ['newest', 'oldest', 'reward', 'deadline'] as const) {
      add(`tasks, ${sort},`, filter, (db) =>
        listTasks(db, filter, { sort, after, limit: LIMIT, now: instant(0) }),
      );
    }
  }
  for (const filter of MARKETS) {
    for (const sort of ['newest', 'closes', 'pot'] as const) {
      const by = { sort, after, limit: LIMIT };
      add(`markets, ${sort},`, filter, (db) => listMarkets(db, filter, by));
    }
  }
  for (const filter of TABLES) add('tables', filter, (db) => listTables(db, filter, LIMIT));
  for (const filter of ENTRIES) {
    const page = { limit: LIMIT, filter };
    add('entries', filter, (db) => searchStatement(db, account, place, page));
  }
  all.set('events', (db) => eventsBehind(db, account, -1, LIMIT));
  const of = { network: 'sandbox', label: 'a', limit: LIMIT } as const;
  all.set('workers', (db) => workersOf(db, of));
  all.set('workers that are free', (db) => atWork(db, [account]));
  all.set('offers', (db) => tasksOfferedTo(db, { account, before: undefined, limit: LIMIT }));
  all.set('disputes', (db) => disputesWith(db, account, { limit: LIMIT }));
  all.set('results with a file', (db) => attemptsNaming(db, task, 'a'.repeat(64)));
  all.set('the part of a reader', (db) => partIn(db, task, account));
  all.set('claims that lapse', (db) => lapsingClaims(db, { after: from, to }, LIMIT));
  return all;
}

interface Node {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** The nodes of a plan that walk a table or index outside of a subquery, which has its limit. */
async function walksOf(
  { knex }: Reader,
  text: string,
  values: readonly unknown[],
): Promise<readonly string[]> {
  const explain = `EXPLAIN QUERY PLAN ${text}`;
  const plan = await knex.raw<readonly Node[]>(explain, values.map(String));
  const isBounded = ({ parent }: Node): boolean => {
    const above = plan.find(({ id }) => id === parent)?.detail ?? '';
    return /SUBQUERY|CO-ROUTINE|MATERIALIZE/.test(above);
  };
  const isWalk = ({ detail }: Node): boolean => /^SCAN (?!CONSTANT ROW)/.test(detail);
  const walks = plan.filter((node) => isWalk(node) && !isBounded(node));
  return walks.map(({ detail }) => detail);
}

// PostgreSQL weighs each plan by the rows that are there, SQLite takes one for every database.
describe('the plans of lists (SQLite)', () => {
  it('bound the rows that a question reads, whatever it filters by', async () => {
    const store = await openStore('sqlite::memory:');
    const faults: string[] = [];
    await store.read(async (db) => {
      const sent: (readonly [text: string, values: readonly unknown[]])[] = [];
      const rows = async (text: Statement, values: readonly Value[]) => {
        sent.push([text.sqlite, values]);
        return linkOf(db).rows(text, values);
      };
      const spied: Reader = { ...db, [link]: { ...linkOf(db), rows } };
      const note = ({ sql, bindings }: { sql: string; bindings: readonly unknown[] }): void => {
        if (/^select/i.test(sql)) sent.push([sql, bindings]);
      };
      for (const [name, run] of runs()) {
        db.knex.on('query', note);
        await run(spied);
        db.knex.removeListener('query', note);
        assert.ok(sent.length > 0, name);
        for (const [text, values] of sent.splice(0)) {
          faults.push(...(await walksOf(db, text, values)).map((node) => `${name}: ${node}`));
        }
      }
    });
    assert.deepEqual(faults, []);
    await store.close();
  });
});
