import assert from 'node:assert/strict';
import { emptyDatabases } from '../../conformance/harness/emptyDatabases.ts';
import { migrateThrough } from '../migrate.ts';
import { openStore } from '../store.ts';
import { migrations } from './index.ts';

const NAMES = migrations.map(({ name }) => name);
const BEFORE_ROWS = NAMES.slice(0, NAMES.indexOf('0039_spent_parts'));
const START_MS_MAX = 30_000;

type Row = Readonly<Record<string, string | number>>;
const CALL: Row = {
  id: 'call',
  caller: 'a',
  network: 'sandbox',
  operation: 'o',
  at: 1,
  resolve_at: 1,
  ended_at: 1,
  outcome: 'failed',
  why: '',
  cost: 0,
  duration_ms: 1,
  response_bytes: 0,
  refused: '[]',
  considered: '[]',
  held: 0,
  unmet: '{"by":"acceptance","at":"x"}',
};
const ATTEMPT: Row = {
  call_id: 'call',
  n: 1,
  listing_id: 'l',
  operation: 'o',
  caller: 'a',
  linked: 0,
  ended: 'failed',
  latency_ms: 1,
  at: 1,
};
const LISTING: Row = {
  id: 'l',
  kind: 'mcp',
  origin: 'o',
  host: 'h',
  endpoint: 'e',
  agent_group: 'g',
  operator_id: 'o',
  transport: 't',
  name: 'n',
  access: 'open',
  auth_schemes: '[]',
  verified_open: 1,
  quotes_x402: 0,
  availability: 'live',
  availability_note: '',
  answers: 1,
  uptime_bps: 0,
  card_quality_bps: 0,
  latency_ms: 0,
  last_checked_at: 1,
  first_seen_at: 1,
  last_seen_at: 1,
  card_violations: '[]',
  injection_signals: '[]',
  skill_count: 2,
  skills_priced: 0,
  skills_digest: '',
  reach: 0,
  changed_at: 1,
};
const SKILL: Row = {
  listing_id: 'l',
  name: 'n',
  description: '',
  tags: '[]',
  descriptor_hash: '',
  access: 'open',
  verdict: 'open',
  why: '',
};
const TABLE: Row = { network: 'sandbox', creator: 'a', state: 'open', money: 0, players: 0 };
const SPACE: Row = {
  owner: 'a',
  kind: 'shared',
  notes: 0,
  embedded: 0,
  words: 0,
  bytes: 0,
  created_at: 1,
};

/** Rows as the releases before left them. */
const OLD: readonly (readonly [string, readonly Row[]])[] = [
  [
    'commitments',
    [1, 2].map((n) => ({
      id: `c${n}`,
      account_id: 1,
      kind: 'stake',
      ref_kind: 'task',
      ref_id: 't',
      amount: 7,
      remaining: 7,
      state: 'open',
      opened_by: 1,
      opened_at: 1,
      ...(n === 1 && { spender: 'key', spent_at: 5 }),
    })),
  ],
  ['listings', [LISTING, { ...LISTING, id: 'other' }]],
  [
    'listing_skills',
    [
      { ...SKILL, place: 0, skill_id: 's0', output_schema: '{}' },
      { ...SKILL, place: 1, skill_id: 's1' },
    ],
  ],
  ['calls', [{ ...CALL, listing_id: 'l' }]],
  ['call_attempts', [ATTEMPT, { ...ATTEMPT, n: 2, listing_id: 'other' }]],
  [
    'poker_tables',
    [
      { ...TABLE, id: 'cash', format: 'cash', body: '{"seats":6,"blinds":{"bigBlind":20}}' },
      { ...TABLE, id: 'sng', format: 'sng', body: '{"seats":9,"buyIn":500}' },
    ],
  ],
  [
    'memory_spaces',
    [0, 4].map((changes) => ({ ...SPACE, id: `s${changes}`, name: `n${changes}`, changes })),
  ],
];

const FOUND = {
  commitments: 'SELECT id, spent FROM commitments ORDER BY id',
  listings: `SELECT id, CAST(skills_promised AS INT) AS skills_promised FROM listings ORDER BY id`,
  call_attempts:
    'SELECT CAST(n AS INT) AS n, CAST(by_rule AS INT) AS by_rule FROM call_attempts ORDER BY n',
  poker_tables: `SELECT id, CAST(seats AS INT) AS seats, CAST(stake AS INT) AS stake
    FROM poker_tables ORDER BY id`,
  memory_spaces: 'SELECT id, CAST(announced AS INT) AS announced FROM memory_spaces ORDER BY id',
};

describe('rows of the releases before', function suite() {
  this.timeout(START_MS_MAX);
  const empty = emptyDatabases();

  for (const dialect of ['sqlite', 'postgres'] as const) {
    it(`have what this one reads of them, on ${dialect}`, async () => {
      const { url, db } = await empty(dialect);
      await db.transaction((trx) => migrateThrough(BEFORE_ROWS, trx, dialect));
      // The rows that these name are not there.
      if (dialect === 'postgres') await db.raw('SET session_replication_role = replica');
      for (const [table, rows] of OLD) await db(table).insert([...rows]);
      await (await openStore(url)).close();
      const found = Object.values(FOUND).map(async (sql) => {
        const answer = await db.raw<readonly Row[] | { readonly rows: readonly Row[] }>(sql);
        return ('rows' in answer ? answer.rows : answer).map((row) => Object.values(row));
      });
      assert.deepEqual(await Promise.all(found), [
        [
          ['c1', '[["key",5,7]]'],
          ['c2', null],
        ],
        [
          ['l', 1],
          ['other', 0],
        ],
        [
          [1, 1],
          [2, 0],
        ],
        [
          ['cash', 6, 20],
          ['sng', 9, 500],
        ],
        [
          ['s0', 0],
          ['s4', 4],
        ],
      ]);
    });
  }

  it('are changed in pages alone, and not while their tables are locked', async () => {
    const { db } = await empty('sqlite');
    const sent: string[] = [];
    db.on('query', ({ sql }: { readonly sql: string }) => {
      const [, table] = /^\s*(?:UPDATE|DELETE FROM) (\w+)/.exec(sql) ?? [];
      if (table !== undefined) sent.push(table);
    });
    await db.transaction((trx) => migrateThrough(NAMES, trx, 'sqlite'));
    const paged = migrations.flatMap((each) => ('rows' in each ? [each.rows.table] : []));
    assert.deepEqual(sent, paged);
  });
});
